#pragma once

#include <cstring>

namespace tengen {
// The files that train are compiled with fused multiply-add (CMakeLists.txt), unlike all others: it doubles their
// speed, and training is not repeatable from machine to machine anyway. What they share therefore has no linkage.
namespace {

/// Sixteen floats; the compiler splits them as the target needs.
typedef float Vector __attribute__((vector_size(64)));

[[maybe_unused]] inline Vector load(const float* from) {
    Vector x;
    std::memcpy(&x, from, sizeof x);
    return x;
}
[[maybe_unused]] inline void store(float* to, Vector x) {
    std::memcpy(to, &x, sizeof x);
}
[[maybe_unused]] inline void add_to(float* to, Vector x) {
    store(to, load(to) + x);
}
[[maybe_unused]] inline Vector broadcast(float x) {
    return x - Vector{};
}
[[maybe_unused]] inline Vector rectified(Vector x) {
    return x > 0 ? x : Vector{};
}
/// The gradient g before a rectified x.
[[maybe_unused]] inline Vector through_relu(Vector g, Vector x) {
    return x > 0 ? g : Vector{};
}

}  // namespace
}  // namespace tengen
