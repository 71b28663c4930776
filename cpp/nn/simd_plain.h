#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Vectors of 256 bits for any machine; see simd.h.
namespace tengen::simd {

/// Lanes as an array: the compiler vectorises the loops as well as it can.
template <class Self, class T, int kCount>
struct Lanes {
    T lane[kCount];
    template <class F>
    static Self generate(F&& f) {
        Self x;
        for (int i = 0; i < kCount; ++i) x.lane[i] = static_cast<T>(f(i));
        return x;
    }
    static Self load(const T* from) {
        Self x;
        std::memcpy(x.lane, from, sizeof x.lane);
        return x;
    }
    static Self broadcast(T value) {
        return generate([&](int) { return value; });
    }
    void store(T* to) const { std::memcpy(to, lane, sizeof lane); }
    friend Self operator+(const Self& a, const Self& b) {
        return generate([&](int i) { return a.lane[i] + b.lane[i]; });
    }
    friend Self operator-(const Self& a, const Self& b) {
        return generate([&](int i) { return a.lane[i] - b.lane[i]; });
    }
    friend Self operator*(const Self& a, const Self& b) {
        return generate([&](int i) { return a.lane[i] * b.lane[i]; });
    }
    friend Self max(const Self& a, const Self& b) {
        return generate([&](int i) { return a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]; });
    }
    friend Self min(const Self& a, const Self& b) {
        return generate([&](int i) { return a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]; });
    }
};

struct I16x16 : Lanes<I16x16, std::int16_t, 16> {
    friend I16x16 multiply_high(const I16x16& a, const I16x16& b) {
        return generate([&](int i) { return (a.lane[i] * b.lane[i] + 0x4000) >> 15; });
    }
    I16x16 times_four() const {
        return generate([&](int i) { return lane[i] * 4; });
    }
};

struct I32x8 : Lanes<I32x8, std::int32_t, 8> {
    template <int kBits>
    I32x8 shift_right() const {
        return generate([&](int i) { return lane[i] >> kBits; });
    }
    friend I32x8 dot(const I32x8& sum, const I32x8& a, const I32x8& b) {
#if defined(__SSE2__)
        I32x8 result;
        for (int i = 0; i < 8; i += 4) {
            auto half = [&](const I32x8& x) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(x.lane + i)); };
            const __m128i added = _mm_add_epi32(half(sum), _mm_madd_epi16(half(a), half(b)));
            _mm_storeu_si128(reinterpret_cast<__m128i*>(result.lane + i), added);
        }
        return result;
#else
        return generate([&](int i) {
            const auto low = [](std::int32_t x) { return static_cast<std::int32_t>(static_cast<std::int16_t>(x)); };
            return sum.lane[i] + low(a.lane[i]) * low(b.lane[i]) + (a.lane[i] >> 16) * (b.lane[i] >> 16);
        });
#endif
    }
};

struct F32x8 : Lanes<F32x8, float, 8> {
    static F32x8 from(const I32x8& x) {
        return generate([&](int i) { return static_cast<float>(x.lane[i]); });
    }
    I32x8 round() const {
        return I32x8::generate([&](int i) { return static_cast<std::int32_t>(std::lrint(lane[i])); });
    }
    float sum() const {
        return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
    }
};

inline I32x8 widen_low(const I16x16& x) {
    return I32x8::generate([&](int i) { return x.lane[i]; });
}
inline I32x8 widen_high(const I16x16& x) {
    return I32x8::generate([&](int i) { return x.lane[8 + i]; });
}
inline I32x8 widen_unsigned_low(const I16x16& x) {
    return I32x8::generate([&](int i) { return static_cast<std::uint16_t>(x.lane[i]); });
}
inline I32x8 widen_unsigned_high(const I16x16& x) {
    return I32x8::generate([&](int i) { return static_cast<std::uint16_t>(x.lane[8 + i]); });
}

}  // namespace tengen::simd
