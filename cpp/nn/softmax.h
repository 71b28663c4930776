#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

namespace tengen {

/// e^x for x <= 0, within 3e-7 of 1 relative. Only multiplications and additions in a fixed order, so that it gives the
/// same number on every machine, which the C library's does not promise; and loops over it are vectorised.
inline float exponential(float x) {
    const float scaled = std::max(x * 1.44269504f, -126.0f);
    const float shifted = scaled + 12582912.0f;  // 1.5 * 2^23: rounds to an integer, which ends up in the low bits
    const float fraction = (scaled - (shifted - 12582912.0f)) * 0.693147181f;
    float power = 1.0f / 720;
    power = power * fraction + 1.0f / 120;
    power = power * fraction + 1.0f / 24;
    power = power * fraction + 1.0f / 6;
    power = power * fraction + 0.5f;
    power = power * fraction + 1.0f;
    power = power * fraction + 1.0f;
    const std::uint32_t exponent = std::bit_cast<std::uint32_t>(shifted) << 23;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(power) + exponent);
}

/// Turns logits into probabilities in place. The sum is taken in sixteen lanes, whatever the machine's vectors are.
inline void softmax(std::span<float> logits) {
    if (logits.empty()) return;
    float largest = logits[0];
    for (float x : logits) largest = std::max(largest, x);
    float lanes[16] = {};
    std::size_t i = 0;
    for (; i + 16 <= logits.size(); i += 16) {
        for (int k = 0; k < 16; ++k) {
            logits[i + k] = exponential(logits[i + k] - largest);
            lanes[k] += logits[i + k];
        }
    }
    for (int k = 0; i + k < logits.size(); ++k) {
        logits[i + k] = exponential(logits[i + k] - largest);
        lanes[k] += logits[i + k];
    }
    for (int width = 8; width > 0; width /= 2) {
        for (int k = 0; k < width; ++k) lanes[k] += lanes[k + width];
    }
    const float scale = 1 / lanes[0];
    for (float& x : logits) x *= scale;
}

}  // namespace tengen
