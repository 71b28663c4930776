#include "nn/window_training.h"

#include <algorithm>
#include <array>
#include <vector>

#include "game/geometry.h"
#include "nn/training_vector.h"

namespace tengen {
namespace {

/// Windows in a block; with their reverses twice as many rows.
constexpr int kBlock = 32;
constexpr int kRows = 2 * kBlock;

/// The parameters' places in one array; for the parameters themselves and for their gradient.
template <class Number>
struct Layers {
    Number *weight0, *bias0, *weight1, *bias1, *weight2, *bias2;

    Layers(LineConfig config, Number* all) {
        weight0 = all;
        bias0 = weight0 + window_inputs(config.radius) * config.hidden;
        weight1 = bias0 + config.hidden;
        bias1 = weight1 + config.hidden * config.hidden;
        weight2 = bias1 + config.hidden;
        bias2 = weight2 + config.hidden * config.channels;
    }
};

/// out = in * weights (+ bias): [rows, inputs] * [inputs, outputs]; rows in eights, outputs in 32s.
void multiply(const float* in, int rows, int inputs, const float* weights, int outputs, const float* bias, float* out) {
    for (int row = 0; row < rows; row += kRowsAtOnce) {
        for (int column = 0; column < outputs; column += 32) {
            Vector low[kRowsAtOnce], high[kRowsAtOnce];
            for (int k = 0; k < kRowsAtOnce; ++k) {
                low[k] = bias ? load(bias + column) : Vector{};
                high[k] = bias ? load(bias + column + 16) : Vector{};
            }
            for (int i = 0; i < inputs; ++i) {
                const Vector w0 = load(weights + i * outputs + column), w1 = load(weights + i * outputs + column + 16);
#pragma GCC unroll 8
                for (int k = 0; k < kRowsAtOnce; ++k) {
                    low[k] += in[(row + k) * inputs + i] * w0;
                    high[k] += in[(row + k) * inputs + i] * w1;
                }
            }
            for (int k = 0; k < kRowsAtOnce; ++k) {
                store(out + (row + k) * outputs + column, low[k]);
                store(out + (row + k) * outputs + column + 16, high[k]);
            }
        }
    }
}

/// weights += in^T * gradient: [inputs, rows] * [rows, outputs]; inputs in eights, outputs in 32s. And the bias.
void add_outer(const float* in, int rows, int inputs, const float* gradient, int outputs, float* weights, float* bias) {
    for (int i = 0; i < inputs; i += kRowsAtOnce) {
        for (int column = 0; column < outputs; column += 32) {
            Vector low[kRowsAtOnce], high[kRowsAtOnce];
            for (int k = 0; k < kRowsAtOnce; ++k) {
                low[k] = load(weights + (i + k) * outputs + column);
                high[k] = load(weights + (i + k) * outputs + column + 16);
            }
            for (int row = 0; row < rows; ++row) {
                const float* at = gradient + row * outputs + column;
                const Vector g0 = load(at), g1 = load(at + 16);
#pragma GCC unroll 8
                for (int k = 0; k < kRowsAtOnce; ++k) {
                    low[k] += in[row * inputs + i + k] * g0;
                    high[k] += in[row * inputs + i + k] * g1;
                }
            }
            for (int k = 0; k < kRowsAtOnce; ++k) {
                store(weights + (i + k) * outputs + column, low[k]);
                store(weights + (i + k) * outputs + column + 16, high[k]);
            }
        }
    }
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < outputs; column += 16)
            add_to(bias + column, load(gradient + row * outputs + column));
    }
}

std::vector<float> transposed(const float* matrix, int rows, int columns) {
    std::vector<float> result(static_cast<std::size_t>(rows) * columns);
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; ++j) result[j * rows + i] = matrix[i * columns + j];
    }
    return result;
}

/// The inputs of a window that are one.
struct Ones {
    std::array<std::int16_t, 2 * WindowCode::kMaxRadius + 2> inputs;
    int count = 0;
};

/// The MLP's first two layers on a block of windows (rows 0 to 31) and their reverses (the rest).
class Block {
public:
    Block(LineConfig config, const float* parameters)
        : first(kRows * config.hidden),
          second(kRows * config.hidden),
          mean(kBlock * config.hidden),
          code_(config.radius),
          layers_(config, parameters),
          hidden_(config.hidden) {}

    void run(std::span<const std::uint32_t> windows) {
        count_ = static_cast<int>(windows.size());
        for (int k = 0; k < count_; ++k) {
            list_ones(windows[k], ones[k], ones[kBlock + k]);
            for (int row : {k, kBlock + k}) first_layer(ones[row], &first[row * hidden_]);
        }
        for (int k = count_; k < kBlock; ++k) {
            for (int row : {k, kBlock + k}) std::fill_n(&first[row * hidden_], hidden_, 0.0f);
        }
        multiply(first.data(), kRows, hidden_, layers_.weight1, hidden_, layers_.bias1, second.data());
        for (int i = 0; i < kBlock * hidden_; i += 16) {
            float *forward = &second[i], *reversed = forward + kBlock * hidden_;
            const Vector x = rectified(load(forward)), y = rectified(load(reversed));
            store(forward, x);
            store(reversed, y);
            store(&mean[i], 0.5f * (x + y));
        }
    }

    int count() const { return count_; }

    std::array<Ones, kRows> ones;
    std::vector<float> first, second, mean;  ///< [row][hidden]

private:
    void list_ones(std::uint32_t window, Ones& forward, Ones& reversed) const {
        const int last = 2 * code_.radius();
        const WindowCode::Cells cells = code_.decode(window % code_.count());
        forward.count = reversed.count = 0;
        for (int k = 0; k <= last; ++k) {
            if (cells[k] == 0) continue;
            forward.inputs[forward.count++] = static_cast<std::int16_t>(3 * k + cells[k] - 1);
            reversed.inputs[reversed.count++] = static_cast<std::int16_t>(3 * (last - k) + cells[k] - 1);
        }
        const int condition = 3 * (last + 1) + static_cast<int>(window / code_.count());
        forward.inputs[forward.count++] = reversed.inputs[reversed.count++] = static_cast<std::int16_t>(condition);
    }

    void first_layer(const Ones& row_ones, float* out) const {
        for (int i = 0; i < hidden_; i += 16) {
            Vector sum = load(layers_.bias0 + i);
            for (int k = 0; k < row_ones.count; ++k) sum += load(layers_.weight0 + row_ones.inputs[k] * hidden_ + i);
            store(out + i, rectified(sum));
        }
    }

    WindowCode code_;
    Layers<const float> layers_;
    int hidden_;
    int count_ = 0;
};

}  // namespace

int window_inputs(int radius) {
    return 3 * (2 * radius + 1) + kLineConditions;
}

int window_parameters(LineConfig config) {
    return (window_inputs(config.radius) + 1 + config.hidden + 1 + config.channels) * config.hidden + config.channels;
}

void encode_windows(int radius, std::span<const std::uint32_t> windows, float* forward, float* reversed) {
    const WindowCode code(radius);
    const int inputs = window_inputs(radius), last = 2 * radius;
    std::fill_n(forward, windows.size() * inputs, 0.0f);
    std::fill_n(reversed, windows.size() * inputs, 0.0f);
    for (std::uint32_t window : windows) {
        const WindowCode::Cells cells = code.decode(window % code.count());
        for (int k = 0; k <= last; ++k) {
            if (cells[k] == 0) continue;
            forward[3 * k + cells[k] - 1] = 1;
            reversed[3 * (last - k) + cells[k] - 1] = 1;
        }
        const int condition = 3 * (last + 1) + static_cast<int>(window / code.count());
        forward[condition] = reversed[condition] = 1;
        forward += inputs;
        reversed += inputs;
    }
}

void window_forward(LineConfig config, std::span<const std::uint32_t> windows, const float* parameters, float* table) {
    const int channels = config.channels;
    const Layers<const float> layers(config, parameters);
    Block block(config, parameters);
    std::vector<float> out(kBlock * channels);
    for (std::size_t start = 0; start < windows.size(); start += kBlock) {
        block.run(windows.subspan(start, std::min<std::size_t>(kBlock, windows.size() - start)));
        multiply(block.mean.data(), kBlock, config.hidden, layers.weight2, channels, layers.bias2, out.data());
        float* to = table + start * channels;
        for (int i = 0; i < block.count() * channels; ++i) {
            to[i] = std::clamp(out[i], -LineWeights::kTableLimit, LineWeights::kTableLimit);
        }
    }
}

void window_backward(LineConfig config, std::span<const std::uint32_t> windows, const float* parameters,
                     const float* table, const float* table_gradient, float* gradient) {
    const int channels = config.channels, hidden = config.hidden;
    const Layers<const float> layers(config, parameters);
    const Layers<float> into(config, gradient);
    const std::vector<float> back2 = transposed(layers.weight2, hidden, channels);
    const std::vector<float> back1 = transposed(layers.weight1, hidden, hidden);
    Block block(config, parameters);
    std::vector<float> out(kBlock * channels);
    std::vector<float> mean(kBlock * hidden), second(kRows * hidden), first(kRows * hidden);
    for (std::size_t start = 0; start < windows.size(); start += kBlock) {
        block.run(windows.subspan(start, std::min<std::size_t>(kBlock, windows.size() - start)));
        std::fill(out.begin(), out.end(), 0.0f);
        for (int i = 0; i < block.count() * channels; ++i) {
            const float x = table[start * channels + i];
            const bool clipped = x <= -LineWeights::kTableLimit || x >= LineWeights::kTableLimit;
            out[i] = clipped ? 0 : table_gradient[start * channels + i];
        }
        add_outer(block.mean.data(), kBlock, hidden, out.data(), channels, into.weight2, into.bias2);
        multiply(out.data(), kBlock, channels, back2.data(), hidden, nullptr, mean.data());
        for (int i = 0; i < kRows * hidden; i += 16) {
            const Vector gradient = 0.5f * load(&mean[i % (kBlock * hidden)]);
            store(&second[i], through_relu(gradient, load(&block.second[i])));
        }
        add_outer(block.first.data(), kRows, hidden, second.data(), hidden, into.weight1, into.bias1);
        multiply(second.data(), kRows, hidden, back1.data(), hidden, nullptr, first.data());
        for (int row = 0; row < kRows; ++row) {
            if (row % kBlock >= block.count()) continue;
            for (int i = 0; i < hidden; i += 16) {
                const int at = row * hidden + i;
                const Vector g = through_relu(load(&first[at]), load(&block.first[at]));
                add_to(into.bias0 + i, g);
                const Ones& ones = block.ones[row];
                for (int k = 0; k < ones.count; ++k) add_to(into.weight0 + ones.inputs[k] * hidden + i, g);
            }
        }
    }
}

}  // namespace tengen
