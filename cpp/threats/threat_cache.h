#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "game/point_set.h"

namespace tengen {

/// What the VCF search remembers of a position, in eight bytes: a move that won, or the number of nodes with which it
/// was searched in vain.
///
/// A key that collides can at worst hide a win: a remembered winning move is only tried first, never believed.
/// Aborted searches are remembered with their budget, because a tree search asks the same question again and again.
class ThreatCache {
public:
    explicit ThreatCache(int log2_entries)
        : entries_(std::size_t{1} << log2_entries, 0), mask_((std::size_t{1} << log2_entries) - 1) {}

    struct Found {
        Cell winning_move = kNoCell;
        bool failed = false;    ///< no win within `budget` nodes
        bool complete = false;  ///< ... nor with any number of them
        std::int64_t budget = 0;
    };

    Found find(std::uint64_t key) const {
        const std::uint64_t entry = entries_[key & mask_];
        if ((entry ^ key) & kTagMask || entry == 0) return {};
        const std::uint64_t move = entry & kMoveMask;
        if (move != kMoveMask) return {.winning_move = static_cast<Cell>(move)};
        const auto budget = static_cast<std::int64_t>(entry >> kMoveBits & kBudgetMask);
        return {.failed = true, .complete = budget == kBudgetMask, .budget = budget};
    }

    void remember_win(std::uint64_t key, Cell move) {
        entries_[key & mask_] = (key & kTagMask) | kBudgetMask << kMoveBits | static_cast<std::uint64_t>(move);
    }
    void remember_failure(std::uint64_t key) { store_failure(key, kBudgetMask); }
    void remember_failure(std::uint64_t key, std::int64_t budget) {
        store_failure(key, static_cast<std::uint64_t>(std::min<std::int64_t>(budget, kBudgetMask - 1)));
    }

    void clear() { std::ranges::fill(entries_, 0); }

private:
    static constexpr int kMoveBits = 10, kBudgetBits = 16;
    static constexpr std::uint64_t kMoveMask = (1u << kMoveBits) - 1, kBudgetMask = (1u << kBudgetBits) - 1;
    static constexpr std::uint64_t kTagMask = ~std::uint64_t{0} << (kMoveBits + kBudgetBits);

    void store_failure(std::uint64_t key, std::uint64_t budget) {
        entries_[key & mask_] = (key & kTagMask) | budget << kMoveBits | kMoveMask;
    }

    std::vector<std::uint64_t> entries_;
    std::size_t mask_;
};

}  // namespace tengen
