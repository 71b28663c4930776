#include "mcts/arena.h"

#include <cassert>

namespace tengen {

Arena::Arena(std::int64_t bytes) : bytes_(std::max(bytes, 4 * kBlock)), memory_(make_huge_array<std::byte>(bytes_)) {}

void* Arena::Cursor::allocate(std::size_t bytes) {
    constexpr std::size_t kAlignment = 32;
    bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    assert(bytes <= static_cast<std::size_t>(kBlock));
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
