#pragma once

#include "nn/simd_pair.h"

#if defined(__ARM_NEON)
#include "nn/simd_neon.h"
#else
#include "nn/simd_wasm.h"
#endif

// Vectors of 256 bits as pairs of 128; see simd.h.
namespace tengen::simd {

struct I16x16 : ShortsPair<I16x16, I16x8, 8> {
    using ShortsPair::ShortsPair;
};
struct I32x8 : WordsPair<I32x8, I32x4, 4> {
    using WordsPair::WordsPair;
};
struct F32x8 : FloatsPair<F32x8, F32x4, I32x8, 4> {
    using FloatsPair::FloatsPair;
};

inline I32x8 widen_low(I16x16 x) {
    return {widen_low(x.low), widen_high(x.low)};
}
inline I32x8 widen_high(I16x16 x) {
    return {widen_low(x.high), widen_high(x.high)};
}
inline I32x8 widen_unsigned_low(I16x16 x) {
    return {widen_unsigned_low(x.low), widen_unsigned_high(x.low)};
}
inline I32x8 widen_unsigned_high(I16x16 x) {
    return {widen_unsigned_low(x.high), widen_unsigned_high(x.high)};
}

}  // namespace tengen::simd
