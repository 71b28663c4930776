#pragma once

#include <cstddef>
#include <memory>

namespace tengen {

struct FreeHugePages {
    void operator()(void* memory) const;
};

/// A large array that is read all over: with huge pages, where the system has them, an address is found without a walk
/// through the page tables. Untouched pages cost nothing.
template <class T>
using HugeArray = std::unique_ptr<T[], FreeHugePages>;

/// Throws std::bad_alloc.
void* allocate_huge_pages(std::size_t bytes);

/// An array of so many elements, without values.
template <class T>
HugeArray<T> make_huge_array(std::size_t count) {
    return HugeArray<T>(static_cast<T*>(allocate_huge_pages(count * sizeof(T))));
}

}  // namespace tengen
