#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "game/geometry.h"
#include "nn/line_accumulator.h"
#include "nn/line_evaluator.h"
#include "nn/line_network.h"
#include "nn/simd.h"

namespace tengen {

/// Policy and value from the cell features and their sums.
///
/// Sums over cells are sums of integers: their order, and so the board's orientation, cannot change the result.
template <int kChannels>
class LineHeads {
public:
    explicit LineHeads(const LineNetwork& network);

    Evaluation evaluate(const LineAccumulator<kChannels>& accumulator, const std::int32_t* pooled,
                        std::span<const Cell> moves, std::span<float> logits) const;

private:
    static constexpr int kUnits = LineWeights::kPolicyHidden;
    static_assert(kUnits == 32 && LineWeights::kValueHidden == 32, "a row of weights is two vectors of 16");
    /// The policy's hidden units are summed over cells without their last ten bits: 484 cells fit 32 bits.
    static constexpr int kDroppedBits = 10;

    /// Cells that share the weights loaded into registers: as many as there are registers for their sums.
#if defined(__AVX512F__)
    static constexpr int kBlock = 8;
#else
    static constexpr int kBlock = 2;
#endif

    struct alignas(64) Units {
        std::array<float, kUnits> unit;
    };

    void policy(const LineAccumulator<kChannels>& accumulator, const float* bias, const float* output,
                std::span<const Cell> moves, std::span<float> logits, std::array<std::int32_t, kUnits>& hidden) const;
    Evaluation value(const Units& hidden) const;

    const LineNetwork& network_;
    Units scales_, inverse_scales_;  ///< of the hidden units' integers
    /// All that is linear in the pooled features, side by side: the policy's bias and output weights, and the value's
    /// first layer. [kPoolOutputs] and [kChannels, kPoolOutputs]
    static constexpr int kPoolOutputs = 3 * kUnits;
    std::array<float, kPoolOutputs> pool_start_;
    std::vector<float> pool_weights_;
};

}  // namespace tengen
