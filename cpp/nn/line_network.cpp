#include "nn/line_network.h"

#include <algorithm>
#include <cmath>

namespace tengen {
namespace {

std::int16_t to_integer(float x, float scale) {
    return static_cast<std::int16_t>(std::clamp(std::lrint(x * scale), -32767L, 32767L));
}

}  // namespace

LineCondition line_condition(Rule rule, Color own) {
    switch (rule) {
        case Rule::kFreestyle: return LineCondition::kFreestyle;
        case Rule::kStandard: return LineCondition::kStandard;
        case Rule::kRenju: return own == Color::kBlack ? LineCondition::kRenjuBlack : LineCondition::kRenjuWhite;
        case Rule::kCaro: return LineCondition::kCaro;
    }
    return LineCondition::kFreestyle;
}

LineNetwork::LineNetwork(LineConfig config, const NamedArrays& arrays) : weights_(config, arrays) {
    const int half = config.channels / 2;
    constexpr std::array<float, 4> kScales = {8192, 32768, 32768, LineWeights::kFeatureScale};
    depthwise_.resize(weights_.depthwise.size());
    for (int i = 0; i < 4 * half; ++i) depthwise_[i] = to_integer(weights_.depthwise[i], kScales[i / half]);

    constexpr int kUnits = LineWeights::kPolicyHidden;
    pointwise_.resize(weights_.policy_cell.size());
    for (int c = 0; c < config.channels; ++c) {
        for (int unit = 0; unit < kUnits; ++unit) {
            pointwise_[(c / 2 * kUnits + unit) * 2 + c % 2] =
                to_integer(weights_.policy_cell[c * kUnits + unit], kPointwiseScale);
        }
    }
}

const WindowTable& LineNetwork::table(LineCondition condition) const {
    const int i = static_cast<int>(condition);
    std::call_once(expanded_[i], [&] { tables_[i] = std::make_unique<const WindowTable>(weights_, condition); });
    return *tables_[i];
}

}  // namespace tengen
