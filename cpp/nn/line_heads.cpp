#include "nn/line_heads.h"

#include <algorithm>
#include <cstring>

#include "nn/softmax.h"

namespace tengen {
namespace {

using simd::F32x16;
using simd::I32x16;

/// out = start + in * weights, [inputs] * [inputs, kOutputs]. Two sums for each output, even inputs and odd ones: each
/// waits less for the one before.
template <int kOutputs>
void dense(const float* start, const float* in, int inputs, const float* weights, float* out) {
#if defined(__AVX512F__)
    constexpr int kVectors = kOutputs / 16;
#else
    constexpr int kVectors = 2;  // as many sums as there are registers for
#endif
    for (int column = 0; column < kOutputs; column += 16 * kVectors) {
        F32x16 even[kVectors], odd[kVectors];
        for (int v = 0; v < kVectors; ++v) {
            even[v] = F32x16::load(start + column + 16 * v);
            odd[v] = F32x16::broadcast(0);
        }
        for (int i = 0; i < inputs; i += 2) {
            const float* row = weights + i * kOutputs + column;
            const F32x16 x0 = F32x16::broadcast(in[i]), x1 = F32x16::broadcast(in[i + 1]);
            for (int v = 0; v < kVectors; ++v) {
                even[v] = even[v] + x0 * F32x16::load(row + 16 * v);
                odd[v] = odd[v] + x1 * F32x16::load(row + kOutputs + 16 * v);
            }
        }
        for (int v = 0; v < kVectors; ++v) (even[v] + odd[v]).store(out + column + 16 * v);
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

    const LineWeights& weights = network.weights();
    const std::array<const std::vector<float>*, 3> starts = {&weights.policy_cell_bias, &weights.policy_output,
                                                             &weights.value0_bias};
    const std::array<const std::vector<float>*, 3> parts = {&weights.policy_pool, &weights.policy_output_pool,
                                                            &weights.value0};
    pool_weights_.resize(kChannels * kPoolOutputs);
    for (int part = 0; part < 3; ++part) {
        std::copy_n(starts[part]->begin(), kUnits, pool_start_.begin() + part * kUnits);
        for (int c = 0; c < kChannels; ++c) {
            std::copy_n(parts[part]->begin() + c * kUnits, kUnits,
                        pool_weights_.begin() + c * kPoolOutputs + part * kUnits);
        }
    }
}

template <int kChannels>
Evaluation LineHeads<kChannels>::evaluate(const LineAccumulator<kChannels>& accumulator, const std::int32_t* pooled,
                                          std::span<const Cell> moves, std::span<float> logits) const {
    alignas(64) float pool[kChannels], from_pool[kPoolOutputs];
    const F32x16 scale = F32x16::broadcast(LineWeights::kPoolScale / LineWeights::kFeatureScale);
    for (int c = 0; c < kChannels; c += 16) (F32x16::from(I32x16::load(pooled + c)) * scale).store(pool + c);
    dense<kPoolOutputs>(pool_start_.data(), pool, kChannels, pool_weights_.data(), from_pool);
    const float *bias = from_pool, *output = from_pool + kUnits, *value_start = from_pool + 2 * kUnits;

    std::array<std::int32_t, kUnits> sums;
    policy(accumulator, bias, output, moves, logits, sums);
    constexpr float kSumScale = LineWeights::kPoolScale * (1 << kDroppedBits);
    float pooled_policy[kUnits];
    for (int unit = 0; unit < kUnits; ++unit) {
        pooled_policy[unit] = static_cast<float>(sums[unit]) * (kSumScale * inverse_scales_.unit[unit]);
    }
    Units hidden;
    const float* policy_weights = network_.weights().value0.data() + kChannels * kUnits;
    dense<kUnits>(value_start, pooled_policy, kUnits, policy_weights, hidden.unit.data());
    rectify(hidden.unit.data());
    return value(hidden);
}

template <int kChannels>
void LineHeads<kChannels>::policy(const LineAccumulator<kChannels>& accumulator, const float* bias, const float* output,
                                  std::span<const Cell> moves, std::span<float> logits,
                                  std::array<std::int32_t, kUnits>& hidden) const {
    constexpr int kPairs = kChannels / 2;
    const std::int32_t* weights = network_.pointwise();
    I32x16 start[2], hidden_sums[2];
    F32x16 output_weights[2];
    for (int v = 0; v < 2; ++v) {
        constexpr float kLimit = 0x3fp24;  // the dot product needs the other half of 31 bits
        const F32x16 scaled = F32x16::load(bias + 16 * v) * F32x16::load(&scales_.unit[16 * v]);
        start[v] = max(min(scaled, F32x16::broadcast(kLimit)), F32x16::broadcast(-kLimit)).round();
        output_weights[v] = F32x16::load(output + 16 * v) * F32x16::load(&inverse_scales_.unit[16 * v]);
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
        const int here = std::min(kBlock, count - first);
        F32x16 products[kBlock];
        for (int k = 0; k < kBlock; ++k) {
            I32x16 active[2];
            for (int v = 0; v < 2; ++v) {
                active[v] = max(sums[k][v], I32x16::broadcast(0));
                if (k < here) hidden_sums[v] = hidden_sums[v] + active[v].template shift_right<kDroppedBits>();
            }
            products[k] = F32x16::from(active[0]) * output_weights[0] + F32x16::from(active[1]) * output_weights[1];
        }
        float block_logits[kBlock];
        simd::sums<kBlock>(products, block_logits);
        std::copy_n(block_logits, here, logits.begin() + first);
    }
    for (int v = 0; v < 2; ++v) hidden_sums[v].store(&hidden[16 * v]);
}

template <int kChannels>
Evaluation LineHeads<kChannels>::value(const Units& hidden) const {
    const LineWeights& weights = network_.weights();
    Units second;
    dense<kUnits>(weights.value1_bias.data(), hidden.unit.data(), kUnits, weights.value1.data(), second.unit.data());
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
