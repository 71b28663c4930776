#include "nn/line_heads.h"

#include <algorithm>
#include <cstring>

#include "nn/softmax.h"

namespace tengen {
namespace {

using simd::F32x16;
using simd::I32x16;

/// out = start + in * weights for 32 outputs. Four interleaved sums: each waits less for the one before.
void dense(const float* start, const float* in, int inputs, const float* weights, float* out) {
    for (int v = 0; v < 32; v += 16) {
        F32x16 sums[4] = {F32x16::load(start + v), F32x16::broadcast(0), F32x16::broadcast(0), F32x16::broadcast(0)};
        for (int i = 0; i < inputs; i += 4) {
            for (int k = 0; k < 4; ++k) {
                sums[k] = sums[k] + F32x16::broadcast(in[i + k]) * F32x16::load(weights + (i + k) * 32 + v);
            }
        }
        ((sums[0] + sums[1]) + (sums[2] + sums[3])).store(out + v);
    }
}

void rectify(float* x) {
    for (int v = 0; v < 32; v += 16) max(F32x16::load(x + v), F32x16::broadcast(0)).store(x + v);
}

}  // namespace

template <int kChannels>
LineHeads<kChannels>::LineHeads(const LineNetwork& network) : network_(network) {
    scales_.unit = network.pointwise_scales();
    for (int unit = 0; unit < kUnits; ++unit) inverse_scales_.unit[unit] = 1 / scales_.unit[unit];
}

template <int kChannels>
Evaluation LineHeads<kChannels>::evaluate(const LineAccumulator<kChannels>& accumulator, const std::int32_t* pooled,
                                          std::span<const Cell> moves, std::span<float> logits) const {
    const LineWeights& weights = network_.weights();
    alignas(64) float pool[kChannels];
    const F32x16 scale = F32x16::broadcast(LineWeights::kPoolScale / LineWeights::kFeatureScale);
    for (int c = 0; c < kChannels; c += 16) (F32x16::from(I32x16::load(pooled + c)) * scale).store(pool + c);

    Units bias, output, hidden;
    dense(weights.policy_cell_bias.data(), pool, kChannels, weights.policy_pool.data(), bias.unit.data());
    dense(weights.policy_output.data(), pool, kChannels, weights.policy_output_pool.data(), output.unit.data());
    std::array<std::int32_t, kUnits> sums;
    policy(accumulator, bias, output, moves, logits, sums);

    constexpr float kSumScale = LineWeights::kPoolScale * (1 << kDroppedBits);
    float pooled_policy[kUnits];
    for (int unit = 0; unit < kUnits; ++unit) {
        pooled_policy[unit] = static_cast<float>(sums[unit]) * (kSumScale * inverse_scales_.unit[unit]);
    }
    const float* value0 = weights.value0.data();
    dense(weights.value0_bias.data(), pool, kChannels, value0, hidden.unit.data());
    dense(hidden.unit.data(), pooled_policy, kUnits, value0 + kChannels * 32, hidden.unit.data());
    rectify(hidden.unit.data());
    return value(hidden);
}

template <int kChannels>
void LineHeads<kChannels>::policy(const LineAccumulator<kChannels>& accumulator, const Units& bias, const Units& output,
                                  std::span<const Cell> moves, std::span<float> logits,
                                  std::array<std::int32_t, kUnits>& hidden) const {
    constexpr int kPairs = kChannels / 2;
    const std::int32_t* weights = network_.pointwise();
    I32x16 start[2], hidden_sums[2];
    F32x16 output_weights[2];
    for (int v = 0; v < 2; ++v) {
        constexpr float kLimit = 0x3fp24;  // the dot product needs the other half of 31 bits
        const F32x16 scaled = F32x16::load(&bias.unit[16 * v]) * F32x16::load(&scales_.unit[16 * v]);
        start[v] = max(min(scaled, F32x16::broadcast(kLimit)), F32x16::broadcast(-kLimit)).round();
        output_weights[v] = F32x16::load(&output.unit[16 * v]) * F32x16::load(&inverse_scales_.unit[16 * v]);
        hidden_sums[v] = I32x16::broadcast(0);
    }
    const int count = static_cast<int>(moves.size());
    for (int first = 0; first < count; first += kBlock) {
        const std::int16_t* features[kBlock];
        I32x16 sums[kBlock][2];
        for (int k = 0; k < kBlock; ++k) {
            features[k] = accumulator.features(moves[std::min(first + k, count - 1)]);
            for (int v = 0; v < 2; ++v) sums[k][v] = start[v];
        }
        for (int pair = 0; pair < kPairs; ++pair) {
            const I32x16 w[2] = {I32x16::load(weights + pair * kUnits), I32x16::load(weights + pair * kUnits + 16)};
#pragma GCC unroll 8
            for (int k = 0; k < kBlock; ++k) {
                std::int32_t two;
                std::memcpy(&two, features[k] + 2 * pair, sizeof two);
                const I32x16 x = I32x16::broadcast(two);
                for (int v = 0; v < 2; ++v) sums[k][v] = dot(sums[k][v], x, w[v]);
            }
        }
        for (int k = 0; k < std::min(kBlock, count - first); ++k) {
            F32x16 products[2];
            for (int v = 0; v < 2; ++v) {
                const I32x16 active = max(sums[k][v], I32x16::broadcast(0));
                hidden_sums[v] = hidden_sums[v] + active.template shift_right<kDroppedBits>();
                products[v] = F32x16::from(active) * output_weights[v];
            }
            logits[first + k] = (products[0] + products[1]).sum();
        }
    }
    for (int v = 0; v < 2; ++v) hidden_sums[v].store(&hidden[16 * v]);
}

template <int kChannels>
Evaluation LineHeads<kChannels>::value(const Units& hidden) const {
    const LineWeights& weights = network_.weights();
    Units second;
    dense(weights.value1_bias.data(), hidden.unit.data(), kUnits, weights.value1.data(), second.unit.data());
    rectify(second.unit.data());
    std::array<float, 3> outcomes;
    for (int k = 0; k < 3; ++k) outcomes[k] = weights.value2_bias[k];
    for (int i = 0; i < kUnits; ++i) {
        for (int k = 0; k < 3; ++k) outcomes[k] += second.unit[i] * weights.value2[i * 3 + k];
    }
    softmax(outcomes);
    const auto [win, draw, loss] = outcomes;
    return {win - loss, win, draw, loss};
}

template class LineHeads<32>;
template class LineHeads<64>;
template class LineHeads<128>;

}  // namespace tengen
