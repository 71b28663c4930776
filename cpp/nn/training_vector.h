#pragma once

#include <cstring>

namespace tengen {
// The files that train are compiled with fused multiply-add (CMakeLists.txt), unlike all others: it doubles their
// speed, and training is not repeatable from machine to machine anyway. What they share therefore has no linkage.
namespace {

#if defined(__AVX512F__)
constexpr int kRegisterBytes = 64;
#elif defined(__AVX__)
constexpr int kRegisterBytes = 32;
#else
constexpr int kRegisterBytes = 16;
#endif

/// Rows of a matrix product that are computed at once, 32 columns of each: as many as the registers hold.
constexpr int kRowsAtOnce = kRegisterBytes == 64 ? 8 : kRegisterBytes == 32 ? 2 : 1;

/// Sixteen floats in as many registers as they take. (A vector type of the compiler's that is longer than a register
/// works too, but goes through memory: 18 times slower with AVX2.)
struct Vector {
    typedef float Register __attribute__((vector_size(kRegisterBytes)));
    static constexpr int kLanes = kRegisterBytes / sizeof(float), kRegisters = 16 / kLanes;

    Register registers[kRegisters] = {};

    /// Computes each register by `f(its index)`.
    template <class F>
    static Vector each(F&& f) {
        Vector result;
        for (int i = 0; i < kRegisters; ++i) result.registers[i] = f(i);
        return result;
    }
    float operator[](int i) const { return registers[i / kLanes][i % kLanes]; }

    friend Vector operator+(const Vector& a, const Vector& b) {
        return each([&](int i) { return a.registers[i] + b.registers[i]; });
    }
    friend Vector operator*(const Vector& a, const Vector& b) {
        return each([&](int i) { return a.registers[i] * b.registers[i]; });
    }
    friend Vector operator*(float a, const Vector& b) {
        return each([&](int i) { return a * b.registers[i]; });
    }
    Vector& operator+=(const Vector& other) {
        for (int i = 0; i < kRegisters; ++i) registers[i] += other.registers[i];
        return *this;
    }
};

// Register by register: whole vectors would be copied in other pieces than they are used in.
[[maybe_unused]] inline Vector load(const float* from) {
    return Vector::each([&](int i) {
        Vector::Register x;
        std::memcpy(&x, from + i * Vector::kLanes, sizeof x);
        return x;
    });
}
[[maybe_unused]] inline void store(float* to, const Vector& x) {
    for (int i = 0; i < Vector::kRegisters; ++i)
        std::memcpy(to + i * Vector::kLanes, &x.registers[i], sizeof(Vector::Register));
}
[[maybe_unused]] inline void add_to(float* to, const Vector& x) {
    store(to, load(to) + x);
}
/// Between 0 and `cap`.
[[maybe_unused]] inline Vector clipped(const Vector& x, float cap) {
    const Vector::Register high = cap - Vector::Register{};
    return Vector::each([&](int i) {
        const Vector::Register low = x.registers[i] > 0 ? x.registers[i] : Vector::Register{};
        return low < high ? low : high;
    });
}
/// The gradient g before a clipped x.
[[maybe_unused]] inline Vector through_clip(const Vector& g, const Vector& x, float cap) {
    return Vector::each(
        [&](int i) { return ((x.registers[i] > 0) & (x.registers[i] < cap)) ? g.registers[i] : Vector::Register{}; });
}
[[maybe_unused]] inline Vector rectified(const Vector& x) {
    return Vector::each([&](int i) { return x.registers[i] > 0 ? x.registers[i] : Vector::Register{}; });
}
/// The gradient g before a rectified x.
[[maybe_unused]] inline Vector through_relu(const Vector& g, const Vector& x) {
    return Vector::each([&](int i) { return x.registers[i] > 0 ? g.registers[i] : Vector::Register{}; });
}

}  // namespace
}  // namespace tengen
