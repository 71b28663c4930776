#include "mcts/arena.h"

#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tengen {

Arena::Arena(std::int64_t bytes) : bytes_(std::max(bytes, 4 * kBlock)) {
    // Playouts jump about in the tree: with huge pages an address is found without a walk through the page tables.
    constexpr std::size_t kHugePage = 2 << 20;
    const std::size_t size = (bytes_ + kHugePage - 1) / kHugePage * kHugePage;
    memory_.reset(static_cast<std::byte*>(std::aligned_alloc(kHugePage, size)));
    if (!memory_) throw std::bad_alloc();
#if defined(__linux__)
    madvise(memory_.get(), size, MADV_HUGEPAGE);
#endif
}

void* Arena::Cursor::allocate(std::size_t bytes) {
    constexpr std::size_t kAlignment = 32;
    bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    if (static_cast<std::size_t>(end_ - next_) < bytes) {
        const std::int64_t from = arena_->used_.fetch_add(kBlock, std::memory_order_relaxed);
        if (from + kBlock > arena_->bytes_) return nullptr;
        next_ = arena_->memory_.get() + from;
        end_ = next_ + kBlock;
    }
    void* result = next_;
    next_ += bytes;
    return result;
}

}  // namespace tengen
