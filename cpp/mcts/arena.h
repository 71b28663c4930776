#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "game/huge_pages.h"

namespace tengen {

/// Memory for one tree: a fixed budget handed out in blocks, one block at a time to each thread, freed all at once.
class Arena {
public:
    explicit Arena(std::int64_t bytes);

    /// A thread's place in the arena.
    class Cursor {
    public:
        explicit Cursor(Arena& arena) : arena_(&arena) {}
        /// Memory aligned to a cache line's half, or null when the budget is used up.
        void* allocate(std::size_t bytes);

    private:
        Arena* arena_;
        std::byte* next_ = nullptr;
        std::byte* end_ = nullptr;
    };

    /// Takes everything back at once. Cursors into it must not be used any more.
    void reset() { used_ = 0; }
    std::int64_t used() const { return std::min(used_.load(std::memory_order_relaxed), bytes_); }
    std::int64_t budget() const { return bytes_; }

private:
    static constexpr std::int64_t kBlock = 64 * 1024;

    std::int64_t bytes_;
    HugeArray<std::byte> memory_;
    std::atomic<std::int64_t> used_{0};
};

}  // namespace tengen
