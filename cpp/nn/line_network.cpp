#include "nn/line_network.h"

#include <algorithm>
#include <bit>
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
    round_depthwise();
    round_pointwise();
}

void LineNetwork::round_depthwise() {
    const int half = config().channels / 2;
    constexpr std::array<float, 4> kScales = {8192, 32768, 32768, LineWeights::kFeatureScale};
    depthwise_.resize(weights_.depthwise.size());
    for (int i = 0; i < 4 * half; ++i) depthwise_[i] = to_integer(weights_.depthwise[i], kScales[i / half]);
}

void LineNetwork::round_pointwise() {
    constexpr int kUnits = LineWeights::kPolicyHidden;
    const int channels = config().channels;
    pointwise_.resize(static_cast<std::size_t>(channels) / 2 * kUnits);
    for (int unit = 0; unit < kUnits; ++unit) {
        auto weight = [&](int c) { return weights_.policy_cell[c * kUnits + unit]; };
        float reach = 0, largest = 0;
        for (int c = 0; c < channels; ++c) {
            reach += std::abs(weight(c));
            largest = std::max(largest, std::abs(weight(c)));
        }
        // A weight must fit 16 bits, and half of the range of 32 bits is left to the dot product.
        float scale = 2048;
        while (scale < 32768 && 2 * scale * largest <= 32767 &&
               2 * scale * reach * LineWeights::kFeatureMax < 0x1p30f) {
            scale *= 2;
        }
        pointwise_scales_[unit] = scale * LineWeights::kFeatureScale;
        for (int pair = 0; pair < channels / 2; ++pair) {
            const std::array<std::int16_t, 2> two = {to_integer(weight(2 * pair), scale),
                                                     to_integer(weight(2 * pair + 1), scale)};
            pointwise_[pair * kUnits + unit] = std::bit_cast<std::int32_t>(two);
        }
    }
}

const WindowTable& LineNetwork::table(LineCondition condition) const {
    const int i = static_cast<int>(condition);
    std::call_once(expanded_[i], [&] { tables_[i] = std::make_unique<const WindowTable>(weights_, condition); });
    return *tables_[i];
}

void LineNetwork::prepare(Rule rule) const {
    for (Color own : {Color::kBlack, Color::kWhite}) table(line_condition(rule, own));
}

}  // namespace tengen
