#include "mcts/position_index.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tengen {

PositionIndex::PositionIndex(std::int64_t bytes) : bytes_(bytes) {
    const std::size_t entries = static_cast<std::size_t>(bytes) / sizeof(Entry) / parts_.size();
    most_ = std::max(kLeast, std::bit_floor(entries));
    clear();
}

void PositionIndex::clear() {
    for (Part& part : parts_) {
        if (part.entries.size() == kLeast) {
            std::fill(part.entries.begin(), part.entries.end(), Entry());
        } else {
            part.entries = std::vector<Entry>(kLeast);
        }
        part.count = 0;
    }
    size_ = parts_.size() * kLeast;
}

/// Where the position is, or would be.
PositionIndex::Entry& PositionIndex::Part::place(std::uint64_t key) {
    const std::size_t mask = entries.size() - 1;
    std::size_t i = key & mask;
    while (entries[i].node && entries[i].key != key) i = (i + 1) & mask;
    return entries[i];
}

void PositionIndex::grow(Part& part) {
    const std::vector<Entry> before = std::exchange(part.entries, std::vector<Entry>(2 * part.entries.size()));
    for (const Entry& entry : before) {
        if (entry.node) part.place(entry.key) = entry;
    }
    size_ += before.size();
}

}  // namespace tengen
