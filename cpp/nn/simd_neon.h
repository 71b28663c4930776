#pragma once

#include <arm_neon.h>

#include <cstdint>

// Vectors of 128 bits for 64-bit ARM; see simd.h.
namespace tengen::simd {

struct I16x8 {
    int16x8_t v;
    static I16x8 load(const std::int16_t* from) { return {vld1q_s16(from)}; }
    static I16x8 broadcast(std::int16_t x) { return {vdupq_n_s16(x)}; }
    void store(std::int16_t* to) const { vst1q_s16(to, v); }
    friend I16x8 operator+(I16x8 a, I16x8 b) { return {vaddq_s16(a.v, b.v)}; }
    friend I16x8 operator-(I16x8 a, I16x8 b) { return {vsubq_s16(a.v, b.v)}; }
    friend I16x8 max(I16x8 a, I16x8 b) { return {vmaxq_s16(a.v, b.v)}; }
    friend I16x8 min(I16x8 a, I16x8 b) { return {vminq_s16(a.v, b.v)}; }
    friend I16x8 multiply_high(I16x8 a, I16x8 b) { return {vqrdmulhq_s16(a.v, b.v)}; }
    I16x8 times_four() const { return {vshlq_n_s16(v, 2)}; }
};

struct I32x4 {
    int32x4_t v;
    static I32x4 load(const std::int32_t* from) { return {vld1q_s32(from)}; }
    static I32x4 broadcast(std::int32_t x) { return {vdupq_n_s32(x)}; }
    void store(std::int32_t* to) const { vst1q_s32(to, v); }
    friend I32x4 operator+(I32x4 a, I32x4 b) { return {vaddq_s32(a.v, b.v)}; }
    friend I32x4 max(I32x4 a, I32x4 b) { return {vmaxq_s32(a.v, b.v)}; }
    template <int kBits>
    I32x4 shift_right() const {
        return {vshrq_n_s32(v, kBits)};
    }
    friend I32x4 dot(I32x4 sum, I32x4 a, I32x4 b) {
        const int16x8_t x = vreinterpretq_s16_s32(a.v), y = vreinterpretq_s16_s32(b.v);
        const int32x4_t low = vmull_s16(vget_low_s16(x), vget_low_s16(y));
        return {vaddq_s32(sum.v, vpaddq_s32(low, vmull_high_s16(x, y)))};
    }
};

struct F32x4 {
    float32x4_t v;
    static F32x4 load(const float* from) { return {vld1q_f32(from)}; }
    static F32x4 broadcast(float x) { return {vdupq_n_f32(x)}; }
    static F32x4 from(I32x4 x) { return {vcvtq_f32_s32(x.v)}; }
    void store(float* to) const { vst1q_f32(to, v); }
    I32x4 round() const { return {vcvtnq_s32_f32(v)}; }
    friend F32x4 operator+(F32x4 a, F32x4 b) { return {vaddq_f32(a.v, b.v)}; }
    friend F32x4 operator*(F32x4 a, F32x4 b) { return {vmulq_f32(a.v, b.v)}; }
    // Not vmaxq and vminq: of two zeros x86 takes the second, whatever their signs.
    friend F32x4 max(F32x4 a, F32x4 b) { return {vbslq_f32(vcgtq_f32(a.v, b.v), a.v, b.v)}; }
    friend F32x4 min(F32x4 a, F32x4 b) { return {vbslq_f32(vcltq_f32(a.v, b.v), a.v, b.v)}; }
    /// (0 + 2) + (1 + 3)
    float sum() const {
        const float32x2_t two = vadd_f32(vget_low_f32(v), vget_high_f32(v));
        return vget_lane_f32(two, 0) + vget_lane_f32(two, 1);
    }
};

inline I32x4 widen_low(I16x8 x) {
    return {vmovl_s16(vget_low_s16(x.v))};
}
inline I32x4 widen_high(I16x8 x) {
    return {vmovl_high_s16(x.v)};
}
inline I32x4 widen_unsigned_low(I16x8 x) {
    return {vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(vreinterpretq_u16_s16(x.v))))};
}
inline I32x4 widen_unsigned_high(I16x8 x) {
    return {vreinterpretq_s32_u32(vmovl_high_u16(vreinterpretq_u16_s16(x.v)))};
}

}  // namespace tengen::simd
