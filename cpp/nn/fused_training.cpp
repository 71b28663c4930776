#include "nn/fused_training.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "nn/line_weights.h"
#include "nn/training_vector.h"

namespace tengen {
namespace {

constexpr int kUnits = LineWeights::kPolicyHidden;
constexpr float kPoolScale = LineWeights::kPoolScale;
static_assert(kUnits == 32 && LineWeights::kValueHidden == 32);

inline float sum(const Vector& x) {
    float lanes[16];
    std::memcpy(lanes, &x, sizeof lanes);
    for (int width = 8; width > 0; width /= 2) {
        for (int i = 0; i < width; ++i) lanes[i] += lanes[i + width];
    }
    return lanes[0];
}

/// 32 numbers: a row of most matrices here.
struct Row {
    Vector low, high;
    static Row load_from(const float* from) { return {load(from), load(from + 16)}; }
    void store_to(float* to) const {
        store(to, low);
        store(to + 16, high);
    }
    void add_to(float* to) const {
        tengen::add_to(to, low);
        tengen::add_to(to + 16, high);
    }
    Row& operator+=(const Row& other) {
        low += other.low;
        high += other.high;
        return *this;
    }
    friend Row operator*(float x, const Row& row) { return {x * row.low, x * row.high}; }
    friend float dot(const Row& a, const Row& b) { return sum(a.low * b.low + a.high * b.high); }
};

template <int C>
struct Parameters {
    float depthwise[4][C / 2];
    float cell[C][kUnits], cell_bias[kUnits];
    float pool[C][kUnits];
    float output[kUnits];
    float output_pool[C][kUnits];
    float value0[C + kUnits][kUnits], value0_bias[kUnits];
    float value1[kUnits][kUnits], value1_bias[kUnits];
    float value2[kUnits][3], value2_bias[3];
};

/// Mean cross-entropy of softmax(logits) against targets that may add up to less than one; logits become gradients.
double cross_entropy(float* logits, const float* targets, int count, float scale) {
    float largest = logits[0], total = 0, weight = 0;
    for (int k = 0; k < count; ++k) largest = std::max(largest, logits[k]);
    for (int k = 0; k < count; ++k) {
        total += std::exp(logits[k] - largest);
        weight += targets[k];
    }
    const float log_total = largest + std::log(total);
    double loss = 0;
    for (int k = 0; k < count; ++k) {
        loss -= targets[k] * (logits[k] - log_total);
        logits[k] = scale * (weight * std::exp(logits[k] - log_total) - targets[k]);
    }
    return loss;
}

/// out = bias + in * weights; and backwards, given the gradient of out.
void dense(const float* in, int inputs, const float (*weights)[kUnits], const float* bias, float* out) {
    Row even = Row::load_from(bias), odd{};
    for (int i = 0; i < inputs; i += 2) {
        even += in[i] * Row::load_from(weights[i]);
        odd += in[i + 1] * Row::load_from(weights[i + 1]);
    }
    even += odd;
    even.store_to(out);
}
void dense_backward(const float* in, int inputs, const float (*weights)[kUnits], const Row& gradient,
                    float (*weights_gradient)[kUnits], float* in_gradient) {
    for (int i = 0; i < inputs; ++i) {
        in_gradient[i] += dot(gradient, Row::load_from(weights[i]));
        (in[i] * gradient).add_to(weights_gradient[i]);
    }
}

/// Forward and backward for one position at a time on one size of board.
template <int C>
class BoardPass {
public:
    BoardPass(int width, int height, const float* table, const Parameters<C>& parameters, float* table_gradient,
              Parameters<C>& gradient)
        : width_(width),
          height_(height),
          cells_(width * height),
          padded_width_(width + 2),
          table_(table),
          parameters_(parameters),
          table_gradient_(table_gradient),
          gradient_(gradient),
          padded_(static_cast<std::size_t>(padded_width_) * (height + 2) * kHalf),
          padded_gradient_(padded_.size()),
          features_(static_cast<std::size_t>(cells_) * C),
          features_gradient_(features_.size()),
          hidden_((cells_ + kBlock) * kUnits),
          hidden_gradient_(hidden_.size()),
          logits_(cells_),
          targets_(cells_),
          moves_(cells_ + kBlock) {
        for (int c = 0; c < C; ++c) {
            for (int unit = 0; unit < kUnits; ++unit) cell_transposed_[unit][c] = parameters.cell[c][unit];
        }
    }

    /// Cell features, and their sums over the board.
    void gather(const std::int32_t* rows, float* sums);
    void spread(float* sums);
    /// Policy and value, their losses, and the gradients of the features and (added) of the pooled features.
    TrainingLoss heads(const float* pool, const std::uint8_t* candidates, const float* policy, const float* outcome,
                       float scale, float value_weight, float* pool_gradient, TrainingMoments& moments);
    /// From the features back to the table; `sums_gradient` is that of the sums. `with_moves`: after `heads`.
    void backward(const std::int32_t* rows, const float* sums_gradient, bool with_moves);

private:
    static constexpr int kHalf = C / 2, kVectors = C / 16, kHalfVectors = kHalf / 16;
    static constexpr int kBlock = kRowsAtOnce;

    float* features(int cell) { return &features_[static_cast<std::size_t>(cell) * C]; }
    int padded(int y, int x) const { return ((y + 1) * padded_width_ + x + 1) * kHalf; }
    void list_moves(const std::uint8_t* candidates, const float* policy, TrainingMoments& moments);
    void policy_hidden(const float* bias);
    void policy_backward(const Row& output, const Row& pooled_gradient, Row& bias_gradient, Row& output_gradient);
    void cell_weights_backward();
    double value(const float* in, const float* outcome, float scale, float* in_gradient);
    void features_backward(const float* sums_gradient, bool with_moves);
    void spread_backward();
    void scatter(const std::int32_t* rows);

    const int width_, height_, cells_, padded_width_;
    const float* table_;
    const Parameters<C>& parameters_;
    float* table_gradient_;
    Parameters<C>& gradient_;
    std::vector<float> padded_, padded_gradient_;      ///< first half of the channels before the 3x3 layer
    std::vector<float> features_, features_gradient_;  ///< [cells][C] after it
    std::vector<float> hidden_, hidden_gradient_;      ///< [moves][32]
    std::vector<float> logits_, targets_;
    std::vector<int> moves_;
    int move_count_ = 0;
    float cell_transposed_[kUnits][C];
};

template <int C>
void BoardPass<C>::gather(const std::int32_t* rows, float* sums) {
    Vector totals[kHalfVectors] = {};
    for (int y = 0, cell = 0; y < height_; ++y) {
        for (int x = 0; x < width_; ++x, ++cell) {
            const float* window[4];
            for (int d = 0; d < 4; ++d) window[d] = table_ + static_cast<std::size_t>(rows[cell * 4 + d]) * C;
            for (int v = 0; v < kVectors; ++v) {
                const int i = 16 * v;
                const Vector feature =
                    clipped((load(window[0] + i) + load(window[1] + i)) + (load(window[2] + i) + load(window[3] + i)),
                            LineWeights::kCap);
                if (v < kHalfVectors) {
                    store(&padded_[padded(y, x) + i], feature);
                } else {
                    store(features(cell) + i, feature);
                    totals[v - kHalfVectors] += feature;
                }
            }
        }
    }
    for (int v = 0; v < kHalfVectors; ++v) store(sums + kHalf + 16 * v, totals[v]);
}

template <int C>
void BoardPass<C>::spread(float* sums) {
    const int row = padded_width_ * kHalf;
    for (int v = 0; v < kHalfVectors; ++v) {
        const int i = 16 * v;
        const auto& weights = parameters_.depthwise;
        const Vector centre = load(weights[0] + i), edge = load(weights[1] + i), corner = load(weights[2] + i);
        const Vector bias = load(weights[3] + i);
        Vector total = {};
        for (int y = 0; y < height_; ++y) {
            const float* middle = &padded_[padded(y, -1) + i];
            const float *above = middle - row, *below = middle + row;
            Vector outer_left = load(above) + load(below), outer = load(above + kHalf) + load(below + kHalf);
            Vector left = load(middle), here = load(middle + kHalf);
            for (int x = 0; x < width_; ++x) {
                const int next = (x + 2) * kHalf;
                const Vector outer_right = load(above + next) + load(below + next), right = load(middle + next);
                const Vector feature =
                    clipped(bias + centre * here + edge * (outer + left + right) + corner * (outer_left + outer_right),
                            LineWeights::kCap);
                store(features(y * width_ + x) + i, feature);
                total += feature;
                outer_left = outer, outer = outer_right, left = here, here = right;
            }
        }
        store(sums + i, total);
    }
}

template <int C>
void BoardPass<C>::list_moves(const std::uint8_t* candidates, const float* policy, TrainingMoments& moments) {
    move_count_ = 0;
    Vector sums[kVectors] = {}, squares[kVectors] = {};
    for (int cell = 0; cell < cells_; ++cell) {
        if (!candidates[cell]) continue;
        targets_[move_count_] = policy[cell];
        moves_[move_count_++] = cell;
        for (int v = 0; v < kVectors; ++v) {
            const Vector feature = load(features(cell) + 16 * v);
            sums[v] += feature;
            squares[v] += feature * feature;
        }
    }
    moments.cells += move_count_;
    for (int v = 0; v < kVectors; ++v) {
        for (int i = 0; i < 16; ++i) {
            moments.cell[16 * v + i] += sums[v][i];
            moments.cell[C + 16 * v + i] += squares[v][i];
        }
    }
    // The last block of moves is filled up with copies, which are computed and ignored.
    for (int k = move_count_; k % kBlock; ++k) moves_[k] = move_count_ ? moves_[move_count_ - 1] : 0;
}

template <int C>
void BoardPass<C>::policy_hidden(const float* bias) {
    const Row start = Row::load_from(bias);
    for (int first = 0; first < move_count_; first += kBlock) {
        Vector low[kBlock], high[kBlock];
        const float* in[kBlock];
        for (int k = 0; k < kBlock; ++k) {
            low[k] = start.low, high[k] = start.high;
            in[k] = features(moves_[first + k]);
        }
        for (int c = 0; c < C; ++c) {
            const Row weights = Row::load_from(parameters_.cell[c]);
#pragma GCC unroll 8
            for (int k = 0; k < kBlock; ++k) {
                low[k] += in[k][c] * weights.low;
                high[k] += in[k][c] * weights.high;
            }
        }
        for (int k = 0; k < kBlock; ++k) {
            Row{rectified(low[k]), rectified(high[k])}.store_to(&hidden_[(first + k) * kUnits]);
        }
    }
}

/// The value head on [pool | pooled policy]; gives its loss and adds the gradient of its inputs.
template <int C>
double BoardPass<C>::value(const float* in, const float* outcome, float scale, float* in_gradient) {
    const Parameters<C>& p = parameters_;
    Parameters<C>& g = gradient_;
    float first[kUnits], second[kUnits], first_gradient[kUnits] = {}, second_gradient[kUnits], logits[3];
    dense(in, C + kUnits, p.value0, p.value0_bias, first);
    for (float& x : first) x = std::max(x, 0.0f);
    dense(first, kUnits, p.value1, p.value1_bias, second);
    for (float& x : second) x = std::max(x, 0.0f);
    for (int k = 0; k < 3; ++k) {
        logits[k] = p.value2_bias[k];
        for (int i = 0; i < kUnits; ++i) logits[k] += second[i] * p.value2[i][k];
    }
    const double loss = cross_entropy(logits, outcome, 3, scale);
    for (int k = 0; k < 3; ++k) g.value2_bias[k] += logits[k];
    for (int i = 0; i < kUnits; ++i) {
        float back = 0;
        for (int k = 0; k < 3; ++k) {
            back += p.value2[i][k] * logits[k];
            g.value2[i][k] += second[i] * logits[k];
        }
        second_gradient[i] = second[i] > 0 ? back : 0;
    }
    const Row into_second = Row::load_from(second_gradient);
    into_second.add_to(g.value1_bias);
    dense_backward(first, kUnits, p.value1, into_second, g.value1, first_gradient);
    for (int i = 0; i < kUnits; ++i) first_gradient[i] = first[i] > 0 ? first_gradient[i] : 0;
    const Row into_first = Row::load_from(first_gradient);
    into_first.add_to(g.value0_bias);
    dense_backward(in, C + kUnits, p.value0, into_first, g.value0, in_gradient);
    return loss;
}

template <int C>
TrainingLoss BoardPass<C>::heads(const float* pool, const std::uint8_t* candidates, const float* policy,
                                 const float* outcome, float scale, float value_weight, float* pool_gradient,
                                 TrainingMoments& moments) {
    const Parameters<C>& p = parameters_;
    list_moves(candidates, policy, moments);
    float bias[kUnits], output[kUnits];
    dense(pool, C, p.pool, p.cell_bias, bias);
    dense(pool, C, p.output_pool, p.output, output);
    policy_hidden(bias);
    const Row output_row = Row::load_from(output);
    Row pooled{};
    for (int k = 0; k < move_count_; ++k) {
        const Row hidden = Row::load_from(&hidden_[k * kUnits]);
        pooled += hidden;
        logits_[k] = dot(hidden, output_row);
    }
    TrainingLoss loss;
    if (move_count_) loss.policy = cross_entropy(logits_.data(), targets_.data(), move_count_, scale);

    float in[C + kUnits], in_gradient[C + kUnits] = {};
    std::copy_n(pool, C, in);
    (kPoolScale * pooled).store_to(in + C);
    loss.value = value(in, outcome, value_weight * scale, in_gradient);
    for (int c = 0; c < C; ++c) {
        pool_gradient[c] += in_gradient[c];
        moments.pool[c] += in[c];
        moments.pool[C + c] += in[c] * in[c];
    }
    for (int i = 0; i < kUnits; ++i) {
        moments.hidden[i] += in[C + i];
        moments.hidden[kUnits + i] += in[C + i] * in[C + i];
    }

    Row bias_gradient{}, output_gradient{};
    policy_backward(output_row, kPoolScale * Row::load_from(in_gradient + C), bias_gradient, output_gradient);
    bias_gradient.add_to(gradient_.cell_bias);
    output_gradient.add_to(gradient_.output);
    dense_backward(pool, C, p.pool, bias_gradient, gradient_.pool, pool_gradient);
    dense_backward(pool, C, p.output_pool, output_gradient, gradient_.output_pool, pool_gradient);
    cell_weights_backward();
    return loss;
}

template <int C>
void BoardPass<C>::policy_backward(const Row& output, const Row& pooled_gradient, Row& bias_gradient,
                                   Row& output_gradient) {
    for (int k = 0; k < move_count_; ++k) {
        const Row hidden = Row::load_from(&hidden_[k * kUnits]);
        output_gradient += logits_[k] * hidden;
        const Row before = {through_relu(logits_[k] * output.low + pooled_gradient.low, hidden.low),
                            through_relu(logits_[k] * output.high + pooled_gradient.high, hidden.high)};
        before.store_to(&hidden_gradient_[k * kUnits]);
        bias_gradient += before;
    }
    for (int k = move_count_; k % kBlock; ++k) Row{}.store_to(&hidden_gradient_[k * kUnits]);
}

template <int C>
void BoardPass<C>::cell_weights_backward() {
    for (int c = 0; c < C; c += kBlock) {
        Vector low[kBlock], high[kBlock];
        for (int j = 0; j < kBlock; ++j) {
            low[j] = load(gradient_.cell[c + j]), high[j] = load(gradient_.cell[c + j] + 16);
        }
        for (int k = 0; k < move_count_; ++k) {
            const Row gradient = Row::load_from(&hidden_gradient_[k * kUnits]);
            const float* in = features(moves_[k]) + c;
#pragma GCC unroll 8
            for (int j = 0; j < kBlock; ++j) {
                low[j] += in[j] * gradient.low;
                high[j] += in[j] * gradient.high;
            }
        }
        for (int j = 0; j < kBlock; ++j) Row{low[j], high[j]}.store_to(gradient_.cell[c + j]);
    }
}

template <int C>
void BoardPass<C>::features_backward(const float* sums_gradient, bool with_moves) {
    for (int cell = 0; cell < cells_; ++cell) std::copy_n(sums_gradient, C, &features_gradient_[cell * C]);
    if (!with_moves) return;
    constexpr int kCells = std::max(1, kRowsAtOnce / 2), kPart = std::min(kVectors, 4);
    for (int part = 0; part < kVectors; part += kPart) {
        for (int first = 0; first < move_count_; first += kCells) {
            Vector sums[kCells][kPart];
            for (auto& each : sums) {
                for (int v = 0; v < kPart; ++v) each[v] = load(sums_gradient + 16 * (part + v));
            }
            for (int unit = 0; unit < kUnits; ++unit) {
#pragma GCC unroll 4
                for (int k = 0; k < kCells; ++k) {
                    const float gradient = hidden_gradient_[(first + k) * kUnits + unit];
                    for (int v = 0; v < kPart; ++v) {
                        sums[k][v] += gradient * load(&cell_transposed_[unit][16 * (part + v)]);
                    }
                }
            }
            for (int k = 0; k < std::min(kCells, move_count_ - first); ++k) {
                float* to = &features_gradient_[static_cast<std::size_t>(moves_[first + k]) * C];
                for (int v = 0; v < kPart; ++v) store(to + 16 * (part + v), sums[k][v]);
            }
        }
    }
}

/// Through the 3x3 layer, in place: features_gradient_ becomes the gradient before it.
template <int C>
void BoardPass<C>::spread_backward() {
    const int row = padded_width_ * kHalf;
    for (int v = 0; v < kHalfVectors; ++v) {
        const int i = 16 * v;
        const auto& weights = parameters_.depthwise;
        const Vector centre = load(weights[0] + i), edge = load(weights[1] + i), corner = load(weights[2] + i);
        for (int y = 0, at = 0; y < height_; ++y) {
            for (int x = 0; x < width_; ++x, at += C) {
                store(&padded_gradient_[padded(y, x) + i],
                      through_clip(load(&features_gradient_[at + i]), load(&features_[at + i]), LineWeights::kCap));
            }
        }
        Vector gradients[4] = {};
        for (int y = 0, at = 0; y < height_; ++y) {
            for (int x = 0; x < width_; ++x, at += C) {
                auto edges = [&](const float* m) {
                    return (load(m - kHalf) + load(m + kHalf)) + (load(m - row) + load(m + row));
                };
                auto corners = [&](const float* m) {
                    return (load(m - row - kHalf) + load(m - row + kHalf)) +
                           (load(m + row - kHalf) + load(m + row + kHalf));
                };
                const float *in = &padded_[padded(y, x) + i], *out = &padded_gradient_[padded(y, x) + i];
                const Vector here = load(out);
                gradients[0] += here * load(in);
                gradients[1] += here * edges(in);
                gradients[2] += here * corners(in);
                gradients[3] += here;
                store(&features_gradient_[at + i], centre * here + edge * edges(out) + corner * corners(out));
            }
        }
        for (int k = 0; k < 4; ++k) add_to(gradient_.depthwise[k] + i, gradients[k]);
    }
}

template <int C>
void BoardPass<C>::scatter(const std::int32_t* rows) {
    for (int y = 0, cell = 0; y < height_; ++y) {
        for (int x = 0; x < width_; ++x, ++cell) {
            Vector gradient[kVectors];
            for (int v = 0; v < kVectors; ++v) {
                const int i = 16 * v;
                const float* feature = v < kHalfVectors ? &padded_[padded(y, x) + i] : features(cell) + i;
                gradient[v] = through_clip(load(&features_gradient_[cell * C + i]), load(feature), LineWeights::kCap);
            }
            for (int d = 0; d < 4; ++d) {
                float* to = table_gradient_ + static_cast<std::size_t>(rows[cell * 4 + d]) * C;
                for (int v = 0; v < kVectors; ++v) add_to(to + 16 * v, gradient[v]);
            }
        }
    }
}

template <int C>
void BoardPass<C>::backward(const std::int32_t* rows, const float* sums_gradient, bool with_moves) {
    features_backward(sums_gradient, with_moves);
    spread_backward();
    scatter(rows);
}

template <int C>
TrainingLoss train_group(const TrainingGroup& group, BoardPass<C>& pass, float scale, float value_weight,
                         TrainingMoments& moments) {
    const std::size_t cells = static_cast<std::size_t>(group.width) * group.height;
    auto rows = [&](int position) { return group.rows + position * cells * 4; };
    std::vector<float> empty_sums(group.empties * C), empty_gradient(group.empties * C, 0.0f);
    for (int e = 0; e < group.empties; ++e) {
        pass.gather(rows(group.positions + e), &empty_sums[e * C]);
        pass.spread(&empty_sums[e * C]);
    }
    TrainingLoss total;
    for (int i = 0; i < group.positions; ++i) {
        float sums[C], pool[C], pool_gradient[C] = {}, sums_gradient[C];
        pass.gather(rows(i), sums);
        pass.spread(sums);
        const int e = group.empty[i];
        for (int c = 0; c < C; ++c) pool[c] = kPoolScale * (sums[c] - empty_sums[e * C + c]);
        const TrainingLoss loss = pass.heads(pool, group.candidates + i * cells, group.policy + i * cells,
                                             group.outcome + i * 3, scale, value_weight, pool_gradient, moments);
        total.policy += loss.policy;
        total.value += loss.value;
        for (int c = 0; c < C; ++c) {
            sums_gradient[c] = kPoolScale * pool_gradient[c];
            empty_gradient[e * C + c] -= sums_gradient[c];
        }
        pass.backward(rows(i), sums_gradient, true);
    }
    for (int e = 0; e < group.empties; ++e) {
        float sums[C];
        pass.gather(rows(group.positions + e), sums);
        pass.spread(sums);
        pass.backward(rows(group.positions + e), &empty_gradient[e * C], false);
    }
    return total;
}

template <int C>
TrainingLoss train(std::span<const TrainingGroup> groups, const float* table, const float* parameters,
                   float value_weight, float* table_gradient, float* gradient, TrainingMoments& moments) {
    const auto& p = *reinterpret_cast<const Parameters<C>*>(parameters);
    auto& g = *reinterpret_cast<Parameters<C>*>(gradient);
    int positions = 0;
    for (const TrainingGroup& group : groups) positions += group.positions;
    const float scale = 1.0f / static_cast<float>(std::max(positions, 1));
    TrainingLoss total;
    for (const TrainingGroup& group : groups) {
        BoardPass<C> pass(group.width, group.height, table, p, table_gradient, g);
        const TrainingLoss loss = train_group<C>(group, pass, scale, value_weight, moments);
        total.policy += scale * loss.policy;
        total.value += scale * loss.value;
    }
    return total;
}

}  // namespace

int board_parameters(int channels) {
    switch (channels) {
        case 32: return sizeof(Parameters<32>) / sizeof(float);
        case 64: return sizeof(Parameters<64>) / sizeof(float);
        case 128: return sizeof(Parameters<128>) / sizeof(float);
        default: throw std::invalid_argument("a line network must have 32, 64 or 128 channels");
    }
}

TrainingLoss fused_training(int channels, std::span<const TrainingGroup> groups, const float* table,
                            const float* parameters, float value_weight, float* table_gradient, float* gradient,
                            TrainingMoments& moments) {
    board_parameters(channels);
    const auto run = channels == 32 ? train<32> : channels == 64 ? train<64> : train<128>;
    return run(groups, table, parameters, value_weight, table_gradient, gradient, moments);
}

}  // namespace tengen
