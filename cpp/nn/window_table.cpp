#include "nn/window_table.h"

#include <algorithm>

#include "game/geometry.h"
#include "nn/simd.h"

namespace tengen {
namespace {

/// The first layer is linear in the cells, so its sum over each half line is computed once.
struct FirstLayer {
    int hidden;
    std::vector<float> left, right;          ///< [half][hidden]
    std::array<std::vector<float>, 3> base;  ///< by contents of the centre: bias, condition and centre

    FirstLayer(const LineWeights& weights, LineCondition condition, const WindowCode& code)
        : hidden(weights.config.hidden) {
        const int radius = code.radius();
        left.resize(static_cast<std::size_t>(code.halves()) * hidden);
        right.resize(left.size());
        auto add_row = [&](float* sum, int input) {
            for (int j = 0; j < hidden; ++j) sum[j] += weights.window0[input * hidden + j];
        };
        for (std::uint32_t half = 0; half < code.halves(); ++half) {
            const WindowCode::Cells cells = code.decode(half);  // a window whose right half this is
            for (int k = 1; k <= radius; ++k) {
                const int contents = cells[radius + k];
                if (contents == 0) continue;
                add_row(&left[half * hidden], (radius - k) * 3 + contents - 1);
                add_row(&right[half * hidden], (radius + k) * 3 + contents - 1);
            }
        }
        for (int centre = 0; centre < 3; ++centre) {
            base[centre] = weights.window0_bias;
            add_row(base[centre].data(), 3 * (2 * radius + 1) + static_cast<int>(condition));
            if (centre) add_row(base[centre].data(), radius * 3 + centre - 1);
        }
    }

    void activate(std::uint32_t l, int centre, std::uint32_t r, float* out) const {
        for (int j = 0; j < hidden; ++j) {
            const float x = base[centre][j] + left[l * hidden + j] + right[r * hidden + j];
            out[j] = x > 0 ? x : 0;
        }
    }
};

/// A window, its reverse, and the same of another: what the layers take at a time.
constexpr int kInputs = 4;
using Hidden = float[kInputs][LineWeights::kMaxHidden];

/// The second layer with its relu.
void second_layer(const LineWeights& weights, const Hidden& in, Hidden& out) {
    using simd::F32x16;
    const int hidden = weights.config.hidden;
    for (int part = 0; part < hidden; part += 32) {
        F32x16 sums[kInputs][2];
        for (auto& sum : sums) {
            for (int v = 0; v < 2; ++v) sum[v] = F32x16::load(&weights.window1_bias[part + 16 * v]);
        }
        for (int i = 0; i < hidden; ++i) {
            const F32x16 w0 = F32x16::load(&weights.window1[i * hidden + part]);
            const F32x16 w1 = F32x16::load(&weights.window1[i * hidden + part + 16]);
            for (int k = 0; k < kInputs; ++k) {
                const F32x16 x = F32x16::broadcast(in[k][i]);
                sums[k][0] = sums[k][0] + x * w0;
                sums[k][1] = sums[k][1] + x * w1;
            }
        }
        for (int k = 0; k < kInputs; ++k) {
            for (int v = 0; v < 2; ++v) max(sums[k][v], F32x16::broadcast(0)).store(&out[k][part + 16 * v]);
        }
    }
}

/// The last layer on the mean of a window and its reverse, rounded to integers.
void last_layer(const LineWeights& weights, const float* window, const float* reversed, std::int16_t* row) {
    using simd::F32x16;
    const int channels = weights.config.channels, hidden = weights.config.hidden;
    const F32x16 scale = F32x16::broadcast(LineWeights::kTableScale);
    const F32x16 limit = F32x16::broadcast(LineWeights::kTableMax);
    const F32x16 lower_limit = F32x16::broadcast(-LineWeights::kTableMax);
    float mean[LineWeights::kMaxHidden];
    for (int i = 0; i < hidden; ++i) mean[i] = 0.5f * (window[i] + reversed[i]);
    for (int part = 0; part < channels; part += 32) {
        F32x16 sums[2] = {F32x16::load(&weights.window2_bias[part]), F32x16::load(&weights.window2_bias[part + 16])};
        for (int i = 0; i < hidden; ++i) {
            const F32x16 x = F32x16::broadcast(mean[i]);
            for (int v = 0; v < 2; ++v) {
                sums[v] = sums[v] + x * F32x16::load(&weights.window2[i * channels + part + 16 * v]);
            }
        }
        std::int32_t rounded[32];
        for (int v = 0; v < 2; ++v) {
            max(min(sums[v] * scale, limit), lower_limit).round().store(rounded + 16 * v);
        }
        for (int j = 0; j < 32; ++j) row[part + j] = static_cast<std::int16_t>(rounded[j]);
    }
}

}  // namespace

WindowTable::WindowTable(const LineWeights& weights, LineCondition condition) : stride_(weights.config.channels) {
    const WindowCode code(weights.config.radius);
    rows_ = make_huge_array<std::int16_t>(code.count() * stride_);
    const FirstLayer first(weights, condition, code);
    const std::uint32_t halves = code.halves();
    Hidden hidden0{}, hidden1;  // left <= right names each pair of a window and its reverse once
    for (std::uint32_t left = 0; left < halves; ++left) {
        for (int centre = 0; centre < 3; ++centre) {
            for (std::uint32_t right = left; right < halves; right += 2) {
                const std::uint32_t count = std::min(2u, halves - right);
                for (std::uint32_t k = 0; k < count; ++k) {
                    first.activate(left, centre, right + k, hidden0[2 * k]);
                    first.activate(right + k, centre, left, hidden0[2 * k + 1]);
                }
                second_layer(weights, hidden0, hidden1);
                for (std::uint32_t k = 0; k < count; ++k) {
                    std::int16_t* row = rows_.get() + ((left * 3 + centre) * halves + right + k) * stride_;
                    std::int16_t* reversed = rows_.get() + (((right + k) * 3 + centre) * halves + left) * stride_;
                    last_layer(weights, hidden1[2 * k], hidden1[2 * k + 1], row);
                    if (row != reversed) std::copy_n(row, stride_, reversed);
                }
            }
        }
    }
}

}  // namespace tengen
