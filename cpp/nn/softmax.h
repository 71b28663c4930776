#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>

namespace tengen {

/// e^x for x <= 0 to seven digits, in plain arithmetic so that every instruction set gives the same bits and the loop
/// around it is vectorised: 2^(x / ln 2) split into an exponent and a polynomial for the fraction.
inline float exp_nonpositive(float x) {
    const float scaled = std::max(x * 1.44269504f, -126.0f);
    const float whole = static_cast<float>(static_cast<std::int32_t>(scaled - 0.5f));  // rounds to nearest: scaled <= 0
    const float f = scaled - whole;
    float power = 1.5403530e-4f;
    power = power * f + 1.3333558e-3f;
    power = power * f + 9.6181291e-3f;
    power = power * f + 5.5504109e-2f;
    power = power * f + 2.4022651e-1f;
    power = power * f + 6.9314718e-1f;
    power = power * f + 1.0f;
    const std::uint32_t exponent = static_cast<std::uint32_t>(static_cast<std::int32_t>(whole) + 127) << 23;
    return power * std::bit_cast<float>(exponent);
}

/// Folds `values` with `combine` in sixteen lanes and then pairwise: a fixed order, whatever the width of the vectors,
/// and without the chain of dependent operations that a plain loop would be.
template <class Combine>
float fold(std::span<const float> values, float identity, Combine&& combine) {
    constexpr std::size_t kLanes = 16;
    std::array<float, kLanes> lanes;
    lanes.fill(identity);
    std::size_t i = 0;
    for (; i + kLanes <= values.size(); i += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] = combine(lanes[lane], values[i + lane]);
    }
    for (std::size_t lane = 0; i + lane < values.size(); ++lane) lanes[lane] = combine(lanes[lane], values[i + lane]);
    for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
        for (std::size_t lane = 0; lane < half; ++lane) lanes[lane] = combine(lanes[lane], lanes[lane + half]);
    }
    return lanes[0];
}

/// Turns logits into probabilities in place; a temperature above 1 makes them more even.
inline void softmax(std::span<float> logits, float temperature = 1.0f) {
    if (logits.empty()) return;
    const float highest = fold(logits, logits[0], [](float a, float b) { return a > b ? a : b; });
    const float scale = 1.0f / temperature;
    for (float& logit : logits) logit = exp_nonpositive((logit - highest) * scale);
    const float norm = 1.0f / fold(logits, 0, [](float a, float b) { return a + b; });
    for (float& weight : logits) weight *= norm;
}

}  // namespace tengen
