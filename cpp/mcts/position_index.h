#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "mcts/spin_lock.h"

namespace tengen {

class Node;

/// Which node of a tree is which position: several orders of moves lead to one. For any number of threads.
///
/// It is in parts, each with a lock of its own: threads seldom meet, and nobody waits until all of a large index has
/// grown, only until a part has.
class PositionIndex {
public:
    /// At least a few thousand positions, whatever `bytes` says.
    explicit PositionIndex(std::int64_t bytes);
    void clear();

    /// The node of a position. If there is none yet it becomes the one that `make` returns, null if that does, when it
    /// gets the key; without room for another one `make` gets 0, and nobody will find its node.
    template <class Make>
    Node* find_or_add(std::uint64_t key, Make&& make) {
        Part& part = parts_[key >> (64 - kPartBits)];
        std::lock_guard lock(part.mutex);
        Entry* entry = &part.place(key);
        if (entry->node) return entry->node;
        if (!part.has_room()) return make(std::uint64_t{0});
        Node* made = make(key);
        if (!made) return nullptr;
        *entry = {key, made};
        if (++part.count * 2 > part.entries.size() && part.entries.size() < most_) grow(part);
        return made;
    }

    std::int64_t budget() const { return bytes_; }
    /// What its entries take.
    std::int64_t used() const { return static_cast<std::int64_t>(size_ * sizeof(Entry)); }

private:
    struct Entry {
        std::uint64_t key = 0;
        Node* node = nullptr;
    };
    struct alignas(64) Part {
        Entry& place(std::uint64_t key);
        bool has_room() const { return count * 8 < entries.size() * 7; }

        SpinLock mutex;
        std::size_t count = 0;
        std::vector<Entry> entries;  ///< a power of two of them, mostly at most half in use
    };
    static constexpr int kPartBits = 6;
    static constexpr std::size_t kLeast = 16;  ///< entries of a part

    void grow(Part& part);

    std::int64_t bytes_;
    std::size_t most_;                   ///< entries of a part
    std::atomic<std::size_t> size_ = 0;  ///< entries of all parts
    std::array<Part, 1 << kPartBits> parts_;
};

}  // namespace tengen
