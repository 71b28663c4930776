#include "mcts/position_index.h"

#include <algorithm>
#include <utility>

namespace tengen {

void PositionIndex::clear() {
    if (entries_.size() == kLeast) {
        std::fill(entries_.begin(), entries_.end(), Entry());
    } else {
        entries_ = std::vector<Entry>(kLeast);
    }
    count_ = 0;
}

/// Where the position is, or would be.
PositionIndex::Entry& PositionIndex::place(std::uint64_t key) {
    const std::size_t mask = entries_.size() - 1;
    std::size_t i = key & mask;
    while (entries_[i].node && entries_[i].key != key) i = (i + 1) & mask;
    return entries_[i];
}

void PositionIndex::grow() {
    const std::vector<Entry> before = std::exchange(entries_, std::vector<Entry>(2 * entries_.size()));
    for (const Entry& entry : before) {
        if (entry.node) place(entry.key) = entry;
    }
}

}  // namespace tengen
