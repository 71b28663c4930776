#include "nn/line_weights.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tengen {
namespace {

std::vector<float> take(const NamedArrays& arrays, const std::string& name, int rows, int columns) {
    const auto found = arrays.find(name);
    if (found == arrays.end()) throw std::invalid_argument("the line network has no array '" + name + "'");
    const std::size_t wanted = static_cast<std::size_t>(rows) * columns;
    if (found->second.size() != wanted) {
        throw std::invalid_argument("the array '" + name + "' has " + std::to_string(found->second.size()) +
                                    " numbers instead of " + std::to_string(wanted));
    }
    for (float x : found->second) {
        if (!std::isfinite(x)) throw std::invalid_argument("the array '" + name + "' has numbers that are not finite");
    }
    return found->second;
}

void check_config(LineConfig config) {
    if (config.radius != 4 && config.radius != 5) {
        throw std::invalid_argument("a line network's radius must be 4 or 5, not " + std::to_string(config.radius));
    }
    if (config.channels != 32 && config.channels != 64 && config.channels != 128) {
        throw std::invalid_argument("a line network must have 32, 64 or 128 channels, not " +
                                    std::to_string(config.channels));
    }
    if (config.hidden != 64 && config.hidden != 128 && config.hidden != LineWeights::kMaxHidden) {
        throw std::invalid_argument("a line network's window MLP must have 64, 128 or 256 hidden units, not " +
                                    std::to_string(config.hidden));
    }
}

void check_depthwise(const LineWeights& weights) {
    const int channels = weights.config.channels / 2;
    const float* w = weights.depthwise.data();
    for (int c = 0; c < channels; ++c) {
        const float reach = std::abs(w[c]) + 4 * std::abs(w[channels + c]) + 4 * std::abs(w[2 * channels + c]) +
                            std::abs(w[3 * channels + c]) / LineWeights::kCap;
        if (reach > LineWeights::kDepthwiseLimit * 1.001f) {
            throw std::invalid_argument("the 3x3 weights of channel " + std::to_string(c) +
                                        " leave the range of the integer network");
        }
    }
}

void check_pointwise(const LineWeights& weights) {
    constexpr int kUnits = LineWeights::kPolicyHidden;
    for (int unit = 0; unit < kUnits; ++unit) {
        float reach = 0, largest = 0;
        for (int c = 0; c < weights.config.channels; ++c) {
            const float size = std::abs(weights.policy_cell[c * kUnits + unit]);
            reach += size;
            largest = std::max(largest, size);
        }
        if (reach > LineWeights::kPointwiseLimit * 1.001f || largest > LineWeights::kPointwiseWeightLimit * 1.001f) {
            throw std::invalid_argument("the policy weights of unit " + std::to_string(unit) +
                                        " leave the range of the integer network");
        }
    }
}

}  // namespace

LineWeights::LineWeights(LineConfig config_, const NamedArrays& arrays) : config(config_) {
    check_config(config);
    const int channels = config.channels, hidden = config.hidden;
    const int inputs = 3 * (2 * config.radius + 1) + kLineConditions;
    window0 = take(arrays, "window.0.weight", inputs, hidden);
    window0_bias = take(arrays, "window.0.bias", 1, hidden);
    window1 = take(arrays, "window.1.weight", hidden, hidden);
    window1_bias = take(arrays, "window.1.bias", 1, hidden);
    window2 = take(arrays, "window.2.weight", hidden, channels);
    window2_bias = take(arrays, "window.2.bias", 1, channels);
    depthwise = take(arrays, "depthwise", 4, channels / 2);
    policy_cell = take(arrays, "policy.cell.weight", channels, kPolicyHidden);
    policy_cell_bias = take(arrays, "policy.cell.bias", 1, kPolicyHidden);
    policy_pool = take(arrays, "policy.pool.weight", channels, kPolicyHidden);
    policy_output = take(arrays, "policy.output.weight", 1, kPolicyHidden);
    policy_output_pool = take(arrays, "policy.output.pool", channels, kPolicyHidden);
    value0 = take(arrays, "value.0.weight", channels + kPolicyHidden, kValueHidden);
    value0_bias = take(arrays, "value.0.bias", 1, kValueHidden);
    value1 = take(arrays, "value.1.weight", kValueHidden, kValueHidden);
    value1_bias = take(arrays, "value.1.bias", 1, kValueHidden);
    value2 = take(arrays, "value.2.weight", kValueHidden, 3);
    value2_bias = take(arrays, "value.2.bias", 1, 3);
    check_depthwise(*this);
    check_pointwise(*this);
}

}  // namespace tengen
