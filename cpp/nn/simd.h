#pragma once

#include <bit>
#include <cstdint>

#if defined(__AVX512BW__)
#include "nn/simd_avx512.h"
#else
#include "nn/simd_512.h"
#endif

/// The few vector operations that the networks need, for AVX-512 (with or without VNNI), AVX2, 64-bit ARM, WebAssembly
/// and any other machine.
///
/// All of them give the same results bit for bit: integer operations are exact, `dot` never saturates in the ranges
/// that the weights are clipped to, floats are multiplied and added one after the other (never fused), and `sum` adds
/// its sixteen lanes in one fixed tree. Code is written for vectors of 512 bits; narrower machines work on pairs.
namespace tengen::simd {

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
#elif defined(__wasm_simd128__)
    unsigned mask = 0;
    for (int i = 0; i < 16; i += 4) {
        mask |= static_cast<unsigned>(wasm_i32x4_bitmask(wasm_i32x4_ne(wasm_v128_load(a + i), wasm_v128_load(b + i))))
                << i;
    }
    return mask;
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
