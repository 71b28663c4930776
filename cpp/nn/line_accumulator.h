#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "game/geometry.h"
#include "nn/line_network.h"
#include "nn/simd.h"

namespace tengen {

/// Where the features of the cells of a board lie in memory: shared by the accumulators of both sides.
struct LineLayout {
    const Geometry* geometry = nullptr;
    int padded_width = 0;
    std::vector<std::uint16_t> padded;      ///< by cell: its place in a grid with a border of one cell
    std::vector<std::uint16_t> real_slots;  ///< for each 16 slots, those that are not padding
    std::vector<std::uint32_t> centres;     ///< by slot: the cell of its window

    void reset(const Geometry& board_geometry) {
        geometry = &board_geometry;
        padded_width = geometry->width + 2;
        padded.resize(geometry->cells);
        for (Cell c = 0; c < geometry->cells; ++c) {
            padded[c] = static_cast<std::uint16_t>((geometry->y(c) + 1) * padded_width + geometry->x(c) + 1);
        }
        real_slots.assign(geometry->slots() / 16, 0);
        centres.assign(geometry->slots(), 0);
        for (int slot = 0; slot < geometry->slots(); ++slot) {
            if (geometry->centre(slot) == kNoCell) continue;
            real_slots[slot / 16] |= static_cast<std::uint16_t>(1 << slot % 16);
            centres[slot] = static_cast<std::uint32_t>(geometry->centre(slot));
        }
    }
};

/// The cell features of one side's view, brought up to date when they are needed.
///
/// sums = the four window features of each cell, added. Clipped to [0, cap], the first half of the channels goes to a
/// padded grid, from where the 3x3 layer writes it to `features`; the second half goes to `features` directly, and its
/// sum over the board is kept. Key methods: `sync`, `spread`.
template <int kChannels>
class LineAccumulator {
public:
    static constexpr int kHalf = kChannels / 2;
    using Vector = std::conditional_t<kHalf == 16, simd::I16x16, simd::I16x32>;
    static constexpr int kLanes = sizeof(Vector) / 2;
    static constexpr int kVectors = kHalf / kLanes;
    static constexpr int kSums = kHalf / 16;

    /// Starts from the empty board.
    void reset(const LineLayout& layout, const LineNetwork& network, LineCondition condition);
    /// Forgets everything: the layout has changed.
    void clear() { table_ = nullptr; }
    bool is_for(LineCondition condition) const { return table_ && condition_ == condition; }

    /// Makes `sums` those of these windows (in slot order).
    void sync(const std::uint32_t* windows);

    /// Runs the 3x3 layer on the whole board and gives the sums of all channels over the cells, less those of the empty
    /// board: so a position has the same sums on a larger board.
    void spread(std::int32_t* pooled);

    /// [kChannels] final features of a cell, after `spread`.
    const std::int16_t* features(Cell cell) const { return &features_[static_cast<std::size_t>(cell) * kChannels]; }

private:
    /// Windows that differ from those summed, side by side.
    struct Changes {
        static constexpr int kRoom = Geometry::kMaxSlots + 16;
        int count = 0;
        std::array<std::uint32_t, kRoom> before, after, cell;
    };
    void list_changes(const std::uint32_t* windows, Changes& changes);
    void sum_all(std::int32_t* pooled);

    const LineLayout* layout_ = nullptr;
    const LineNetwork* network_ = nullptr;
    const WindowTable* table_ = nullptr;
    LineCondition condition_{};
    alignas(64) std::array<std::uint32_t, Geometry::kMaxSlots> windows_;
    std::vector<std::int16_t> sums_, padded_, features_;
    alignas(64) std::array<std::int32_t, kHalf> direct_;  ///< second half of the channels, summed over the board
    alignas(64) std::array<std::int32_t, kChannels> empty_;
};

}  // namespace tengen
