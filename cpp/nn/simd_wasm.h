#pragma once

#include <wasm_simd128.h>

#include <cstdint>

// Vectors of 128 bits for WebAssembly, without its relaxed instructions; see simd.h.
namespace tengen::simd {

struct I16x8 {
    v128_t v;
    static I16x8 load(const std::int16_t* from) { return {wasm_v128_load(from)}; }
    static I16x8 broadcast(std::int16_t x) { return {wasm_i16x8_splat(x)}; }
    void store(std::int16_t* to) const { wasm_v128_store(to, v); }
    friend I16x8 operator+(I16x8 a, I16x8 b) { return {wasm_i16x8_add(a.v, b.v)}; }
    friend I16x8 operator-(I16x8 a, I16x8 b) { return {wasm_i16x8_sub(a.v, b.v)}; }
    friend I16x8 max(I16x8 a, I16x8 b) { return {wasm_i16x8_max(a.v, b.v)}; }
    friend I16x8 min(I16x8 a, I16x8 b) { return {wasm_i16x8_min(a.v, b.v)}; }
    friend I16x8 multiply_high(I16x8 a, I16x8 b) { return {wasm_i16x8_q15mulr_sat(a.v, b.v)}; }
    I16x8 times_four() const { return {wasm_i16x8_shl(v, 2)}; }
};

struct I32x4 {
    v128_t v;
    static I32x4 load(const std::int32_t* from) { return {wasm_v128_load(from)}; }
    static I32x4 broadcast(std::int32_t x) { return {wasm_i32x4_splat(x)}; }
    void store(std::int32_t* to) const { wasm_v128_store(to, v); }
    friend I32x4 operator+(I32x4 a, I32x4 b) { return {wasm_i32x4_add(a.v, b.v)}; }
    friend I32x4 max(I32x4 a, I32x4 b) { return {wasm_i32x4_max(a.v, b.v)}; }
    template <int kBits>
    I32x4 shift_right() const {
        return {wasm_i32x4_shr(v, kBits)};
    }
    friend I32x4 dot(I32x4 sum, I32x4 a, I32x4 b) { return {wasm_i32x4_add(sum.v, wasm_i32x4_dot_i16x8(a.v, b.v))}; }
};

struct F32x4 {
    v128_t v;
    static F32x4 load(const float* from) { return {wasm_v128_load(from)}; }
    static F32x4 broadcast(float x) { return {wasm_f32x4_splat(x)}; }
    static F32x4 from(I32x4 x) { return {wasm_f32x4_convert_i32x4(x.v)}; }
    void store(float* to) const { wasm_v128_store(to, v); }
    I32x4 round() const { return {wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(v))}; }
    friend F32x4 operator+(F32x4 a, F32x4 b) { return {wasm_f32x4_add(a.v, b.v)}; }
    friend F32x4 operator*(F32x4 a, F32x4 b) { return {wasm_f32x4_mul(a.v, b.v)}; }
    // With their operands exchanged: of two zeros x86 takes the second, these take the first.
    friend F32x4 max(F32x4 a, F32x4 b) { return {wasm_f32x4_pmax(b.v, a.v)}; }
    friend F32x4 min(F32x4 a, F32x4 b) { return {wasm_f32x4_pmin(b.v, a.v)}; }
    /// (0 + 2) + (1 + 3)
    float sum() const {
        return (wasm_f32x4_extract_lane(v, 0) + wasm_f32x4_extract_lane(v, 2)) +
               (wasm_f32x4_extract_lane(v, 1) + wasm_f32x4_extract_lane(v, 3));
    }
};

inline I32x4 widen_low(I16x8 x) {
    return {wasm_i32x4_extend_low_i16x8(x.v)};
}
inline I32x4 widen_high(I16x8 x) {
    return {wasm_i32x4_extend_high_i16x8(x.v)};
}
inline I32x4 widen_unsigned_low(I16x8 x) {
    return {wasm_u32x4_extend_low_u16x8(x.v)};
}
inline I32x4 widen_unsigned_high(I16x8 x) {
    return {wasm_u32x4_extend_high_u16x8(x.v)};
}

}  // namespace tengen::simd
