#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tengen {

/// The largest board is 22 x 22.
inline constexpr int kMaxSide = 22;
inline constexpr int kMaxCells = kMaxSide * kMaxSide;

/// Index of a point of the board: `y * width + x`, with (0, 0) at the top left.
using Cell = std::int16_t;
inline constexpr Cell kNoCell = -1;

/// A set of board points as 512 bits: exactly one AVX-512 register, two AVX2 ones.
///
/// The whole-set operators are plain loops over a fixed number of words, which every compiler turns into vector code.
class alignas(64) PointSet {
public:
    static constexpr int kWords = 8;

    constexpr bool contains(Cell cell) const { return words_[cell >> 6] >> (cell & 63) & 1; }
    constexpr void add(Cell cell) { words_[cell >> 6] |= std::uint64_t{1} << (cell & 63); }
    constexpr void remove(Cell cell) { words_[cell >> 6] &= ~(std::uint64_t{1} << (cell & 63)); }

    /// Says of 64 points at once which are members: bit k of `members` is cell 64 * word + k.
    constexpr void set_word(int word, std::uint64_t members) { words_[word] = members; }

    constexpr bool any() const {
        std::uint64_t all = 0;
        for (std::uint64_t word : words_) all |= word;
        return all != 0;
    }
    constexpr bool empty() const { return !any(); }

    constexpr int count() const {
        int total = 0;
        for (std::uint64_t word : words_) total += std::popcount(word);
        return total;
    }

    /// The smallest member, or kNoCell.
    constexpr Cell first() const {
        for (int i = 0; i < kWords; ++i) {
            if (words_[i]) return static_cast<Cell>(i * 64 + std::countr_zero(words_[i]));
        }
        return kNoCell;
    }

    /// Calls `visit(cell)` for every member in ascending order.
    template <class Visit>
    constexpr void for_each(Visit&& visit) const {
        for (int i = 0; i < kWords; ++i) {
            for (std::uint64_t word = words_[i]; word; word &= word - 1) {
                visit(static_cast<Cell>(i * 64 + std::countr_zero(word)));
            }
        }
    }

    /// The members in ascending order.
    std::vector<Cell> members() const {
        std::vector<Cell> cells;
        cells.reserve(static_cast<std::size_t>(count()));
        for_each([&](Cell cell) { cells.push_back(cell); });
        return cells;
    }

    constexpr PointSet& operator|=(const PointSet& other) {
        for (int i = 0; i < kWords; ++i) words_[i] |= other.words_[i];
        return *this;
    }
    constexpr PointSet& operator&=(const PointSet& other) {
        for (int i = 0; i < kWords; ++i) words_[i] &= other.words_[i];
        return *this;
    }
    /// Set difference.
    constexpr PointSet& operator-=(const PointSet& other) {
        for (int i = 0; i < kWords; ++i) words_[i] &= ~other.words_[i];
        return *this;
    }
    friend constexpr PointSet operator|(PointSet a, const PointSet& b) { return a |= b; }
    friend constexpr PointSet operator&(PointSet a, const PointSet& b) { return a &= b; }
    friend constexpr PointSet operator-(PointSet a, const PointSet& b) { return a -= b; }
    friend constexpr bool operator==(const PointSet&, const PointSet&) = default;

private:
    std::array<std::uint64_t, kWords> words_{};
};

}  // namespace tengen
