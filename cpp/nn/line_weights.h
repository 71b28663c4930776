#pragma once

#include <map>
#include <string>
#include <vector>

namespace tengen {

/// Arrays of a network file by name, row by row.
using NamedArrays = std::map<std::string, std::vector<float>>;

/// What a window's MLP is told besides the stones: the rule, and in renju, where the sides differ, whose stones are its
/// own. Each has its own table.
enum class LineCondition { kFreestyle, kStandard, kRenjuBlack, kRenjuWhite, kCaro };
inline constexpr int kLineConditions = 5;

/// The sizes that a line network may have. The others are fixed: they were measured once (docs/network.md).
struct LineConfig {
    int radius = 5;     ///< of a window: 4 (freestyle only) or 5
    int channels = 64;  ///< features of a cell: 32, 64 or 128
    int hidden = 128;   ///< units of the window MLP's layers: 64, 128 or 256; play sees only its table

    friend bool operator==(const LineConfig&, const LineConfig&) = default;
};

/// The weights of a line network as plain numbers, after every normalisation has been folded in. docs/network.md gives
/// the formulas. Matrices are stored input by input: weight[input * outputs + output].
struct LineWeights {
    static constexpr int kMaxHidden = 256;
    static constexpr int kPolicyHidden = 32;
    static constexpr int kValueHidden = 32;

    /// Cell features lie in [0, kCap]; in the integer network one unit is kFeatureScale.
    static constexpr float kFeatureScale = 512;
    static constexpr int kFeatureMax = 8191;
    static constexpr float kCap = kFeatureMax / kFeatureScale;
    /// Sums over cells are multiplied by this.
    static constexpr float kPoolScale = 1.0f / 32;
    /// Window features lie in [-kTableLimit, kTableLimit], and are finer: one unit is kTableScale, so that four of them
    /// fit 16 bits. Rounding errors of windows that a board has many times add up, those of cells hardly do.
    static constexpr float kTableScale = 4 * kFeatureScale;
    static constexpr int kTableMax = kFeatureMax;
    static constexpr float kTableLimit = kTableMax / kTableScale;
    /// Largest |centre| + 4 |edge| + 4 |corner| + |bias| / kCap of a channel of the 3x3 layer: 16 bits again.
    static constexpr float kDepthwiseLimit = 3.98f;
    /// Largest sum of the absolute weights of a unit of the pointwise layer: its dot product must fit 30 bits.
    static constexpr float kPointwiseLimit = 60;
    /// Largest |weight| of that layer: 16 bits at 2,048 to one.
    static constexpr float kPointwiseWeightLimit = 15.9f;

    LineConfig config;
    std::vector<float> window0, window0_bias;          ///< [3 * (2 * radius + 1) + kLineConditions, hidden]
    std::vector<float> window1, window1_bias;          ///< [hidden, hidden]
    std::vector<float> window2, window2_bias;          ///< [hidden, channels]
    std::vector<float> depthwise;                      ///< [4, channels / 2]: centre, edges, corners, bias
    std::vector<float> policy_cell, policy_cell_bias;  ///< [channels, 32]
    std::vector<float> policy_pool;                    ///< [channels, 32]: the pooled features move the bias
    std::vector<float> policy_output;                  ///< [32]
    std::vector<float> policy_output_pool;             ///< [channels, 32]: and the output's weights
    std::vector<float> value0, value0_bias;            ///< [channels + 32, 32]
    std::vector<float> value1, value1_bias;            ///< [32, 32]
    std::vector<float> value2, value2_bias;            ///< [32, 3]: win, draw, loss

    /// Throws std::invalid_argument when an array is missing, has the wrong size or leaves the integer ranges.
    LineWeights(LineConfig config, const NamedArrays& arrays);
};

}  // namespace tengen
