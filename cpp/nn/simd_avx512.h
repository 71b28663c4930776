#pragma once

#include "nn/simd_avx2.h"

// Vectors of 512 bits for AVX-512, with or without VNNI; see simd.h.
namespace tengen::simd {

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

}  // namespace tengen::simd
