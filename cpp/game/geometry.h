#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "game/point_set.h"

namespace tengen {

inline constexpr int kDirections = 4;
inline constexpr std::array<int, kDirections> kDirectionX = {1, 0, 1, 1};
inline constexpr std::array<int, kDirections> kDirectionY = {0, 1, 1, -1};
inline constexpr int kSymmetries = 8;

/// How the contents of a line window are coded as one number.
///
/// A window is the 2 * radius + 1 points of a line around its centre, clipped by the border. A half line (the points on
/// one side, nearest first) of length m with contents in base 3 is numbered (3^m - 1) / 2 + value, so that every length
/// from 0 (centre at the border) to `radius` has its own range. The window is (left * 3 + centre) * halves + right.
/// A stone adds a constant that depends only on its offset from the centre: this makes do and undo a vector addition.
class WindowCode {
public:
    static constexpr int kMinRadius = 4;
    static constexpr int kMaxRadius = 5;

    explicit constexpr WindowCode(int radius) : radius_(radius), halves_((power_of_3(radius + 1) - 1) / 2) {}

    constexpr int radius() const { return radius_; }
    /// Number of different half lines: 121 at radius 4, 364 at radius 5.
    constexpr std::uint32_t halves() const { return halves_; }
    /// Number of different windows: 43,923 at radius 4, 397,488 at radius 5.
    constexpr std::uint32_t count() const { return 3 * halves_ * halves_; }

    /// The index of an empty window whose arms have these lengths.
    constexpr std::uint32_t empty_window(int left_length, int right_length) const {
        return 3 * halves_ * half_offset(left_length) + half_offset(right_length);
    }

    /// What one unit (1 = own stone, 2 = opponent stone) at `offset` from the centre adds to the index.
    constexpr std::uint32_t step(int offset) const {
        if (offset == 0) return halves_;
        return offset < 0 ? power_of_3(-offset - 1) * 3 * halves_ : power_of_3(offset - 1);
    }

    static constexpr std::int8_t kBorder = 3;
    /// Contents by offset: cells[radius + offset] is 0 empty, 1 own, 2 opponent, or kBorder.
    using Cells = std::array<std::int8_t, 2 * kMaxRadius + 1>;
    Cells decode(std::uint32_t window) const;

private:
    static constexpr std::uint32_t power_of_3(int exponent) {
        std::uint32_t power = 1;
        while (exponent-- > 0) power *= 3;
        return power;
    }
    static constexpr std::uint32_t half_offset(int length) { return (power_of_3(length) - 1) / 2; }

    int radius_;
    std::uint32_t halves_;
};

/// Everything about a board that does not change during a game: where the windows of each line lie in memory, the
/// neighbourhoods, the symmetries. One immutable instance for each (width, height, radius), shared by all boards.
///
/// Window layout. Each direction cuts the board into lines. The windows of a line are stored side by side, so that the
/// windows a stone touches in one direction are a contiguous run of 2 * radius + 1 slots around its own. `radius`
/// unused slots lie between lines, so that a run never needs clipping; their centre is coded as occupied, which the
/// threat table maps to "nothing", so that they need no special case either.
///
///     | pad | line 0 | pad | line 1 | ... | pad |  pad | line 0 of the next direction ...
class Geometry {
public:
    /// The shared instance. Thread-safe. Throws std::invalid_argument for what no board can hold.
    static const Geometry& get(int width, int height, int radius);

    /// Windows are updated a whole vector at a time: the lanes past 2 * radius + 1 add nothing.
    static constexpr int kLanes = 16;
    /// Room for the slots of a 22 x 22 board at radius 5: 4 * 22 * 22 points, a pad of 5 before each of its 130 lines
    /// and after the last of each direction, the rest of a vector.
    static constexpr int kMaxSlots = 2688;

    const int width, height, cells;
    const WindowCode code;

    bool on_board(int x, int y) const { return x >= 0 && y >= 0 && x < width && y < height; }
    Cell cell(int x, int y) const { return static_cast<Cell>(y * width + x); }
    int x(Cell cell) const { return cell % width; }
    int y(Cell cell) const { return cell / width; }

    /// The windows that a stone touches in one direction.
    struct Run {
        std::uint16_t slot;  ///< of the window centred on the stone
        std::int8_t first;   ///< offsets, from the stone, of the first and last centre on the board
        std::int8_t last;
    };
    const std::array<Run, kDirections>& runs(Cell cell) const { return runs_[cell]; }
    /// From a cell to the next in a direction.
    int stride(int direction) const { return kDirectionY[direction] * width + kDirectionX[direction]; }
    /// The centre of a slot's window, or kNoCell for padding.
    Cell centre(int slot) const { return centres_[slot]; }
    int slots() const { return slots_; }
    /// The index of each slot's window on the empty board.
    const std::vector<std::uint32_t>& empty_windows() const { return empty_windows_; }
    /// steps()[lane] is what a unit stone adds to the window `lane - radius` slots after the stone's own.
    const std::array<std::uint32_t, kLanes>& steps() const { return steps_; }

    /// The points at most two away (king moves) from `cell`, itself included: where candidate moves come from.
    const PointSet& neighbourhood(Cell cell) const { return neighbourhoods_[cell]; }
    const PointSet& all() const { return all_; }
    /// The moves that are worth a look when `reached` are the neighbourhoods of the stones and `occupied` the stones
    /// themselves: empty points within two of a stone; the centre on an empty board.
    PointSet candidates(const PointSet& reached, const PointSet& occupied) const {
        return occupied.any() ? reached - occupied : centre_;
    }

    /// Where symmetry i (bit 0 mirrors x, bit 1 mirrors y, then bit 2 swaps x and y) takes `cell`, as a cell of the
    /// transformed board (height x width when bit 2 is set).
    Cell transform(Cell cell, int symmetry) const { return transforms_[symmetry][cell]; }

private:
    Geometry(int width, int height, int radius);
    void lay_out_direction(int direction);

    int slots_ = 0;
    std::array<std::uint32_t, kLanes> steps_{};
    std::vector<std::array<Run, kDirections>> runs_;
    std::vector<Cell> centres_;
    std::vector<std::uint32_t> empty_windows_;
    std::vector<PointSet> neighbourhoods_;
    PointSet all_, centre_;
    std::array<std::vector<Cell>, kSymmetries> transforms_;
};

}  // namespace tengen
