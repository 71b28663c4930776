#pragma once

#include "nn/simd_pair.h"

#if defined(__AVX2__)
#include "nn/simd_avx2.h"
#elif defined(__ARM_NEON) || defined(__wasm_simd128__)
#include "nn/simd_256.h"
#else
#include "nn/simd_plain.h"
#endif

// Vectors of 512 bits as pairs of 256; see simd.h.
namespace tengen::simd {

struct I16x32 : ShortsPair<I16x32, I16x16, 16> {
    using ShortsPair::ShortsPair;
};
struct I32x16 : WordsPair<I32x16, I32x8, 8> {
    using WordsPair::WordsPair;
};
struct F32x16 : FloatsPair<F32x16, F32x8, I32x16, 8> {
    using FloatsPair::FloatsPair;
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

}  // namespace tengen::simd
