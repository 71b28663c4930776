#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "game/point_set.h"

namespace tengen {

/// What a guide said lately of positions and of moves in them. A depth-first proof-number search comes back to a
/// position again and again, and an opinion costs as much as ten of its nodes.
class GuideMemory {
public:
    explicit GuideMemory(int log2_entries) : entries_(std::size_t{1} << log2_entries), mask_(entries_.size() - 1) {}

    /// Of `move` in a position; kNoCell for the position itself. False if that is not known, or no longer.
    bool find(std::uint64_t position, Cell move, float* opinion) const {
        const std::uint64_t key = key_of(position, move);
        const Entry& entry = entries_[key & mask_];
        if (entry.key != key) return false;
        *opinion = entry.opinion;
        return true;
    }
    void store(std::uint64_t position, Cell move, float opinion) {
        const std::uint64_t key = key_of(position, move);
        entries_[key & mask_] = {key, opinion};
    }
    void clear() { entries_.assign(entries_.size(), {}); }

private:
    struct Entry {
        std::uint64_t key = 0;
        float opinion = 0;
    };
    static std::uint64_t key_of(std::uint64_t position, Cell move) {
        constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;
        return position + static_cast<std::uint64_t>(move + 1) * kGolden;
    }

    std::vector<Entry> entries_;
    std::size_t mask_;
};

}  // namespace tengen
