#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
// gcc 12 takes the undefined operands of its own AVX-512 intrinsics for mistakes of ours.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif

/// The few vector operations that the networks need, for AVX-512 (with or without VNNI), AVX2 and any other machine.
///
/// All three give the same results bit for bit: integer operations are exact, `dot` never saturates in the ranges that
/// the weights are clipped to, floats are multiplied and added one after the other (never fused), and `sum` adds its
/// sixteen lanes in one fixed tree. Code is written for vectors of 512 bits; narrower machines work on pairs.
namespace tengen::simd {

// -- 256 bits

#if defined(__AVX2__)

struct I16x16 {
    __m256i v;
    static I16x16 load(const std::int16_t* from) {
        return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))};
    }
    static I16x16 broadcast(std::int16_t x) { return {_mm256_set1_epi16(x)}; }
    void store(std::int16_t* to) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), v); }
    friend I16x16 operator+(I16x16 a, I16x16 b) { return {_mm256_add_epi16(a.v, b.v)}; }
    friend I16x16 operator-(I16x16 a, I16x16 b) { return {_mm256_sub_epi16(a.v, b.v)}; }
    friend I16x16 max(I16x16 a, I16x16 b) { return {_mm256_max_epi16(a.v, b.v)}; }
    friend I16x16 min(I16x16 a, I16x16 b) { return {_mm256_min_epi16(a.v, b.v)}; }
    /// (a * b + 2^14) / 2^15, rounded down: the product when b is a fraction of 2^15
    friend I16x16 multiply_high(I16x16 a, I16x16 b) { return {_mm256_mulhrs_epi16(a.v, b.v)}; }
    I16x16 times_four() const { return {_mm256_slli_epi16(v, 2)}; }
};

struct I32x8 {
    __m256i v;
    static I32x8 load(const std::int32_t* from) { return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))}; }
    static I32x8 broadcast(std::int32_t x) { return {_mm256_set1_epi32(x)}; }
    void store(std::int32_t* to) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), v); }
    friend I32x8 operator+(I32x8 a, I32x8 b) { return {_mm256_add_epi32(a.v, b.v)}; }
    friend I32x8 max(I32x8 a, I32x8 b) { return {_mm256_max_epi32(a.v, b.v)}; }
    template <int kBits>
    I32x8 shift_right() const {
        return {_mm256_srai_epi32(v, kBits)};
    }
    /// sum + the products of the two 16-bit halves of each lane
    friend I32x8 dot(I32x8 sum, I32x8 a, I32x8 b) { return {_mm256_add_epi32(sum.v, _mm256_madd_epi16(a.v, b.v))}; }
};

struct F32x8 {
    __m256 v;
    static F32x8 load(const float* from) { return {_mm256_loadu_ps(from)}; }
    static F32x8 broadcast(float x) { return {_mm256_set1_ps(x)}; }
    static F32x8 from(I32x8 x) { return {_mm256_cvtepi32_ps(x.v)}; }
    void store(float* to) const { _mm256_storeu_ps(to, v); }
    I32x8 round() const { return {_mm256_cvtps_epi32(v)}; }
    friend F32x8 operator+(F32x8 a, F32x8 b) { return {_mm256_add_ps(a.v, b.v)}; }
    friend F32x8 operator*(F32x8 a, F32x8 b) { return {_mm256_mul_ps(a.v, b.v)}; }
    friend F32x8 max(F32x8 a, F32x8 b) { return {_mm256_max_ps(a.v, b.v)}; }
    friend F32x8 min(F32x8 a, F32x8 b) { return {_mm256_min_ps(a.v, b.v)}; }
    /// ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7))
    float sum() const {
        const __m128 four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
        const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
    }
};

inline I32x8 widen_low(I16x16 x) {
    return {_mm256_cvtepi16_epi32(_mm256_castsi256_si128(x.v))};
}
inline I32x8 widen_high(I16x16 x) {
    return {_mm256_cvtepi16_epi32(_mm256_extracti128_si256(x.v, 1))};
}
inline I32x8 widen_unsigned_low(I16x16 x) {
    return {_mm256_cvtepu16_epi32(_mm256_castsi256_si128(x.v))};
}
inline I32x8 widen_unsigned_high(I16x16 x) {
    return {_mm256_cvtepu16_epi32(_mm256_extracti128_si256(x.v, 1))};
}

#else

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

#endif

// -- 512 bits

#if defined(__AVX512BW__)

struct I16x32 {
    __m512i v;
    static I16x32 load(const std::int16_t* from) { return {_mm512_loadu_si512(from)}; }
    static I16x32 broadcast(std::int16_t x) { return {_mm512_set1_epi16(x)}; }
    void store(std::int16_t* to) const { _mm512_storeu_si512(to, v); }
    friend I16x32 operator+(I16x32 a, I16x32 b) { return {_mm512_add_epi16(a.v, b.v)}; }
    friend I16x32 operator-(I16x32 a, I16x32 b) { return {_mm512_sub_epi16(a.v, b.v)}; }
    friend I16x32 max(I16x32 a, I16x32 b) { return {_mm512_max_epi16(a.v, b.v)}; }
    friend I16x32 min(I16x32 a, I16x32 b) { return {_mm512_min_epi16(a.v, b.v)}; }
    friend I16x32 multiply_high(I16x32 a, I16x32 b) { return {_mm512_mulhrs_epi16(a.v, b.v)}; }
    I16x32 times_four() const { return {_mm512_slli_epi16(v, 2)}; }
};

struct I32x16 {
    /// Typed as 32-bit lanes: as __m512i (64-bit lanes) gcc 12 copies every sum of `dot` twice.
    typedef std::int32_t Words __attribute__((vector_size(64)));
    Words v;
    I32x16() = default;
    I32x16(__m512i x) : v(reinterpret_cast<Words>(x)) {}
    __m512i raw() const { return reinterpret_cast<__m512i>(v); }
    static I32x16 load(const std::int32_t* from) { return _mm512_loadu_si512(from); }
    static I32x16 broadcast(std::int32_t x) { return _mm512_set1_epi32(x); }
    void store(std::int32_t* to) const { _mm512_storeu_si512(to, raw()); }
    friend I32x16 operator+(I32x16 a, I32x16 b) { return _mm512_add_epi32(a.raw(), b.raw()); }
    friend I32x16 max(I32x16 a, I32x16 b) { return _mm512_max_epi32(a.raw(), b.raw()); }
    template <int kBits>
    I32x16 shift_right() const {
        return _mm512_srai_epi32(raw(), kBits);
    }
    friend I32x16 dot(I32x16 sum, I32x16 a, I32x16 b) {
#if defined(__AVX512VNNI__)
        return _mm512_dpwssd_epi32(sum.raw(), a.raw(), b.raw());
#else
        return _mm512_add_epi32(sum.raw(), _mm512_madd_epi16(a.raw(), b.raw()));
#endif
    }
};

struct F32x16 {
    __m512 v;
    static F32x16 load(const float* from) { return {_mm512_loadu_ps(from)}; }
    static F32x16 broadcast(float x) { return {_mm512_set1_ps(x)}; }
    static F32x16 from(I32x16 x) { return {_mm512_cvtepi32_ps(x.raw())}; }
    void store(float* to) const { _mm512_storeu_ps(to, v); }
    I32x16 round() const { return {_mm512_cvtps_epi32(v)}; }
    friend F32x16 operator+(F32x16 a, F32x16 b) { return {_mm512_add_ps(a.v, b.v)}; }
    friend F32x16 operator*(F32x16 a, F32x16 b) { return {_mm512_mul_ps(a.v, b.v)}; }
    friend F32x16 max(F32x16 a, F32x16 b) { return {_mm512_max_ps(a.v, b.v)}; }
    friend F32x16 min(F32x16 a, F32x16 b) { return {_mm512_min_ps(a.v, b.v)}; }
    float sum() const {
        const __m256 high = _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(v), 1));
        return F32x8{_mm256_add_ps(_mm512_castps512_ps256(v), high)}.sum();
    }
};

inline I32x16 widen_low(I16x32 x) {
    return {_mm512_cvtepi16_epi32(_mm512_castsi512_si256(x.v))};
}
inline I32x16 widen_high(I16x32 x) {
    return {_mm512_cvtepi16_epi32(_mm512_extracti64x4_epi64(x.v, 1))};
}
inline I32x16 widen_unsigned_low(I16x32 x) {
    return {_mm512_cvtepu16_epi32(_mm512_castsi512_si256(x.v))};
}
inline I32x16 widen_unsigned_high(I16x32 x) {
    return {_mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(x.v, 1))};
}
inline I32x16 widen(I16x16 x) {
    return {_mm512_cvtepi16_epi32(x.v)};
}
inline I32x16 widen_unsigned(I16x16 x) {
    return {_mm512_cvtepu16_epi32(x.v)};
}

#else

/// Two vectors of 256 bits that act as one of 512.
template <class Self, class Half, class T, int kHalf>
struct Pair {
    Half low, high;
    Pair() = default;
    Pair(Half low_half, Half high_half) : low(low_half), high(high_half) {}
    static Self load(const T* from) { return {Half::load(from), Half::load(from + kHalf)}; }
    static Self broadcast(T x) { return {Half::broadcast(x), Half::broadcast(x)}; }
    void store(T* to) const {
        low.store(to);
        high.store(to + kHalf);
    }
    friend Self operator+(const Self& a, const Self& b) { return {a.low + b.low, a.high + b.high}; }
    friend Self operator-(const Self& a, const Self& b) { return {a.low - b.low, a.high - b.high}; }
    friend Self operator*(const Self& a, const Self& b) { return {a.low * b.low, a.high * b.high}; }
    friend Self max(const Self& a, const Self& b) { return {max(a.low, b.low), max(a.high, b.high)}; }
    friend Self min(const Self& a, const Self& b) { return {min(a.low, b.low), min(a.high, b.high)}; }
};

struct I16x32 : Pair<I16x32, I16x16, std::int16_t, 16> {
    using Pair::Pair;
    friend I16x32 multiply_high(const I16x32& a, const I16x32& b) {
        return {multiply_high(a.low, b.low), multiply_high(a.high, b.high)};
    }
    I16x32 times_four() const { return {low.times_four(), high.times_four()}; }
};

struct I32x16 : Pair<I32x16, I32x8, std::int32_t, 8> {
    using Pair::Pair;
    template <int kBits>
    I32x16 shift_right() const {
        return {low.template shift_right<kBits>(), high.template shift_right<kBits>()};
    }
    friend I32x16 dot(const I32x16& sum, const I32x16& a, const I32x16& b) {
        return {dot(sum.low, a.low, b.low), dot(sum.high, a.high, b.high)};
    }
};

struct F32x16 : Pair<F32x16, F32x8, float, 8> {
    using Pair::Pair;
    static F32x16 from(const I32x16& x) { return {F32x8::from(x.low), F32x8::from(x.high)}; }
    I32x16 round() const { return {low.round(), high.round()}; }
    float sum() const { return (low + high).sum(); }
};

inline I32x16 widen(I16x16 x) {
    return {widen_low(x), widen_high(x)};
}
inline I32x16 widen_unsigned(I16x16 x) {
    return {widen_unsigned_low(x), widen_unsigned_high(x)};
}
inline I32x16 widen_low(I16x32 x) {
    return widen(x.low);
}
inline I32x16 widen_high(I16x32 x) {
    return widen(x.high);
}
inline I32x16 widen_unsigned_low(I16x32 x) {
    return widen_unsigned(x.low);
}
inline I32x16 widen_unsigned_high(I16x32 x) {
    return widen_unsigned(x.high);
}

#endif

/// sums[i] += x[i], as signed numbers.
inline void accumulate(I32x16* sums, I16x32 x) {
    sums[0] = sums[0] + widen_low(x);
    sums[1] = sums[1] + widen_high(x);
}
inline void accumulate(I32x16* sums, I16x16 x) {
    sums[0] = sums[0] + widen(x);
}
/// The same with lanes read as unsigned.
inline void accumulate_unsigned(I32x16* sums, I16x32 x) {
    sums[0] = sums[0] + widen_unsigned_low(x);
    sums[1] = sums[1] + widen_unsigned_high(x);
}
inline void accumulate_unsigned(I32x16* sums, I16x16 x) {
    sums[0] = sums[0] + widen_unsigned(x);
}

/// to[k] = x[k].sum(). Eight at once share their additions, lane by lane in the same tree.
template <int kCount>
inline void sums(const F32x16* x, float* to) {
#if defined(__AVX512F__)
    if constexpr (kCount == 8) {
        __m512 folded[4];  // 16 lanes to 8, two to a vector
        for (int k = 0; k < 4; ++k) {
            const __m512 a = x[2 * k].v, b = x[2 * k + 1].v;
            folded[k] = _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x44), _mm512_shuffle_f32x4(a, b, 0xee));
        }
        __m512 quarters[2];  // to 4, four to a vector
        for (int k = 0; k < 2; ++k) {
            const __m512 a = folded[2 * k], b = folded[2 * k + 1];
            quarters[k] = _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x88), _mm512_shuffle_f32x4(a, b, 0xdd));
        }
        const __m512 pairs = _mm512_add_ps(_mm512_shuffle_ps(quarters[0], quarters[1], 0x44),
                                           _mm512_shuffle_ps(quarters[0], quarters[1], 0xee));
        const __m512 ones = _mm512_add_ps(pairs, _mm512_shuffle_ps(pairs, pairs, 0xb1));
        const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 2, 6, 10, 14, 0, 0, 0, 0, 0, 0, 0, 0);
        _mm256_storeu_ps(to, _mm512_castps512_ps256(_mm512_permutexvar_ps(order, ones)));
        return;
    }
#endif
    for (int k = 0; k < kCount; ++k) to[k] = x[k].sum();
}

/// Which of sixteen words differ, as a bit mask.
inline unsigned differing_words(const std::uint32_t* a, const std::uint32_t* b) {
#if defined(__AVX512F__)
    return _mm512_cmpneq_epi32_mask(_mm512_loadu_si512(a), _mm512_loadu_si512(b));
#elif defined(__AVX2__)
    unsigned equal = 0;
    for (int half = 0; half < 2; ++half) {
        const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a) + half);
        const __m256i y = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b) + half);
        const int mask = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(x, y)));
        equal |= static_cast<unsigned>(mask) << 8 * half;
    }
    return ~equal & 0xffff;
#else
    unsigned mask = 0;
    for (int i = 0; i < 16; ++i) mask |= static_cast<unsigned>(a[i] != b[i]) << i;
    return mask;
#endif
}

/// Copies those of sixteen words whose bit is set in `mask` to `to`, side by side. May write past them: sixteen words.
inline void gather_words(unsigned mask, const std::uint32_t* from, std::uint32_t* to) {
#if defined(__AVX512F__)
    const __mmask16 chosen = static_cast<__mmask16>(mask);
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(chosen, _mm512_loadu_si512(from)));
#else
    for (; mask; mask &= mask - 1) *to++ = from[std::countr_zero(mask)];
#endif
}

inline void prefetch(const void* address) {
    __builtin_prefetch(address);
}

}  // namespace tengen::simd
