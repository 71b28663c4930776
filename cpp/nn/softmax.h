#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "game/exponential.h"

namespace tengen {

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
