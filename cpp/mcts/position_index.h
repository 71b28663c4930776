#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "mcts/spin_lock.h"

namespace tengen {

class Node;

/// Which node of a tree is which position: several orders of moves lead to one. For any number of threads.
class PositionIndex {
public:
    PositionIndex() { clear(); }
    void clear();

    /// The node of a position. If there is none yet it becomes the one that `make` returns; null if that does.
    template <class Make>
    Node* find_or_add(std::uint64_t key, Make&& make) {
        std::lock_guard lock(mutex_);
        Entry* entry = &place(key);
        if (entry->node) return entry->node;
        Node* made = make();
        if (!made) return nullptr;
        *entry = {key, made};
        if (++count_ * 2 > entries_.size()) grow();
        return made;
    }

private:
    struct Entry {
        std::uint64_t key = 0;
        Node* node = nullptr;
    };
    static constexpr std::size_t kLeast = 1024;

    Entry& place(std::uint64_t key);
    void grow();

    SpinLock mutex_;
    std::size_t count_ = 0;
    std::vector<Entry> entries_;  ///< a power of two of them, at most half in use
};

}  // namespace tengen
