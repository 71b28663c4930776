#pragma once

#include <cstdint>

// gcc 12 takes the undefined operands of its own AVX-512 intrinsics for mistakes of ours.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop

// Vectors of 256 bits for AVX2; see simd.h.
namespace tengen::simd {

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

}  // namespace tengen::simd
