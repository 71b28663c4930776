#include "game/huge_pages.h"

#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tengen {
namespace {

/// Also their alignment, or no page could be huge.
constexpr std::size_t kHugePage = std::size_t{2} << 20;

}  // namespace

void FreeHugePages::operator()(void* memory) const {
    ::operator delete(memory, std::align_val_t{kHugePage});
}

void* allocate_huge_pages(std::size_t bytes) {
    bytes = (bytes + kHugePage - 1) / kHugePage * kHugePage;
    void* memory = ::operator new(bytes, std::align_val_t{kHugePage});
#if defined(__linux__)
    madvise(memory, bytes, MADV_HUGEPAGE);  // advice: when it is refused, pages are small and it still works
#endif
    return memory;
}

}  // namespace tengen
