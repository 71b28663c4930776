#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "game/rules.h"
#include "nn/line_weights.h"
#include "nn/window_table.h"

namespace tengen {

/// What the window MLP is told when `own` looks at a board under `rule`.
LineCondition line_condition(Rule rule, Color own);

/// A line network ready to play: weights as integers, and a table of windows for each condition in use.
///
/// Immutable, so one instance serves every thread; LineEvaluator holds what changes during a search.
/// Key method: `table`, which expands the window MLP when a condition is first asked for.
class LineNetwork {
public:
    LineNetwork(LineConfig config, const NamedArrays& arrays);

    LineConfig config() const { return weights_.config; }
    int radius() const { return weights_.config.radius; }
    const LineWeights& weights() const { return weights_; }
    /// Thread-safe. The first call for a condition takes about 0.1 s at radius 5.
    const WindowTable& table(LineCondition condition) const;
    /// Expands the tables that a game under this rule needs, so that no clock pays for it.
    void prepare(Rule rule) const;

    /// The 3x3 layer as fractions of 2^15: centre / 4, edges, corners; and the bias in feature units. [4][channels / 2]
    const std::int16_t* depthwise() const { return depthwise_.data(); }
    /// The pointwise layer, two input channels in the halves of a word: [channels / 2][32].
    const std::int32_t* pointwise() const { return pointwise_.data(); }
    /// What one unit of that layer's output is in its integers, for each of the 32: as much as its weights allow.
    const std::array<float, LineWeights::kPolicyHidden>& pointwise_scales() const { return pointwise_scales_; }

private:
    void round_depthwise();
    void round_pointwise();

    LineWeights weights_;
    std::vector<std::int16_t> depthwise_;
    std::vector<std::int32_t> pointwise_;
    std::array<float, LineWeights::kPolicyHidden> pointwise_scales_;
    mutable std::array<std::once_flag, kLineConditions> expanded_;
    mutable std::array<std::unique_ptr<const WindowTable>, kLineConditions> tables_;
};

}  // namespace tengen
