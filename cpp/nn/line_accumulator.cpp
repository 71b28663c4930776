#include "nn/line_accumulator.h"

#include <bit>

namespace tengen {
namespace {

template <class Vector>
Vector clip(Vector x) {
    return min(max(x, Vector::broadcast(0)), Vector::broadcast(LineWeights::kFeatureMax));
}

/// The feature of a sum of four table entries: rounded to the features' scale; it cannot exceed their maximum.
template <class Vector>
Vector to_feature(Vector sum) {
    static_assert(LineWeights::kTableScale == 4 * LineWeights::kFeatureScale);
    return max(multiply_high(sum, Vector::broadcast(1 << 13)), Vector::broadcast(0));
}

}  // namespace

template <int kChannels>
void LineAccumulator<kChannels>::reset(const LineLayout& layout, const LineNetwork& network, LineCondition condition) {
    layout_ = &layout;
    network_ = &network;
    condition_ = condition;
    table_ = &network.table(condition);
    const Geometry& geometry = *layout.geometry;
    sums_.assign(geometry.cells * kChannels, 0);
    features_.assign(geometry.cells * kChannels, 0);
    padded_.assign(static_cast<std::size_t>(layout.padded_width) * (geometry.height + 2) * kHalf, 0);
    std::ranges::copy(geometry.empty_windows(), windows_.begin());
    for (int slot = 0; slot < geometry.slots(); ++slot) {
        const Cell cell = geometry.centre(slot);
        if (cell == kNoCell) continue;
        const std::int16_t* row = table_->row(windows_[slot]);
        for (int c = 0; c < kChannels; ++c) sums_[cell * kChannels + c] += row[c];
    }
    direct_ = {};
    for (Cell cell = 0; cell < geometry.cells; ++cell) {
        for (int c = 0; c < kChannels; ++c) {
            const int x = std::max((sums_[cell * kChannels + c] + 2) >> 2, 0);
            if (c < kHalf) {
                padded_[layout.padded[cell] * kHalf + c] = static_cast<std::int16_t>(x);
            } else {
                features_[cell * kChannels + c] = static_cast<std::int16_t>(x);
                direct_[c - kHalf] += x;
            }
        }
    }
    sum_all(empty_.data());
}

template <int kChannels>
void LineAccumulator<kChannels>::list_changes(const std::uint32_t* windows, Changes& changes) {
    const std::uint16_t* real_slots = layout_->real_slots.data();
    const std::uint32_t* centres = layout_->centres.data();
    const int slots = layout_->geometry->slots();
    int count = 0;
    for (int block = 0; block < slots; block += 16) {
        const unsigned differing = simd::differing_words(windows + block, &windows_[block]) & real_slots[block / 16];
        if (!differing) continue;
        simd::gather_words(differing, &windows_[block], &changes.before[count]);
        simd::gather_words(differing, windows + block, &changes.after[count]);
        simd::gather_words(differing, centres + block, &changes.cell[count]);
        std::copy_n(windows + block, 16, &windows_[block]);
        count += std::popcount(differing);
    }
    changes.count = count;
}

template <int kChannels>
void LineAccumulator<kChannels>::sync(const std::uint32_t* windows) {
    Changes changes;
    list_changes(windows, changes);
    // Everything in locals: the compiler must take stores of features for changes of pointers.
    const int count = changes.count;
    const std::int16_t* const table = table_->row(0);
    const std::uint16_t* const padded_of = layout_->padded.data();
    std::int16_t *const sums = sums_.data(), *const features = features_.data(), *const padded = padded_.data();
    auto prefetch_rows = [&](int i) {
        for (int c = 0; c < kChannels; c += 32) {
            simd::prefetch(table + static_cast<std::size_t>(changes.before[i]) * kChannels + c);
            simd::prefetch(table + static_cast<std::size_t>(changes.after[i]) * kChannels + c);
        }
    };
    constexpr int kAhead = 8;
    simd::I32x16 direct[kSums];
    for (int i = 0; i < kSums; ++i) direct[i] = simd::I32x16::load(&direct_[16 * i]);
    for (int i = 0; i < std::min(count, kAhead); ++i) prefetch_rows(i);
    for (int i = 0; i < count; ++i) {
        if (i + kAhead < count) prefetch_rows(i + kAhead);
        const std::size_t cell = changes.cell[i];
        const std::int16_t* removed = table + static_cast<std::size_t>(changes.before[i]) * kChannels;
        const std::int16_t* added = table + static_cast<std::size_t>(changes.after[i]) * kChannels;
        for (int v = 0; v < kVectors; ++v) {
            const int low = v * kLanes, high = kHalf + low;
            auto updated = [&](int c) {
                const Vector change = Vector::load(added + c) - Vector::load(removed + c);
                const Vector sum = Vector::load(sums + cell * kChannels + c) + change;
                sum.store(sums + cell * kChannels + c);
                return to_feature(sum);
            };
            updated(low).store(padded + padded_of[cell] * kHalf + low);
            const Vector feature = updated(high);
            accumulate(direct + v * (kLanes / 16), feature - Vector::load(features + cell * kChannels + high));
            feature.store(features + cell * kChannels + high);
        }
    }
    for (int i = 0; i < kSums; ++i) direct[i].store(&direct_[16 * i]);
}

template <int kChannels>
void LineAccumulator<kChannels>::spread(std::int32_t* pooled) {
    sum_all(pooled);
    for (int c = 0; c < kChannels; ++c) pooled[c] -= empty_[c];
}

template <int kChannels>
void LineAccumulator<kChannels>::sum_all(std::int32_t* pooled) {
    const int width = layout_->geometry->width, height = layout_->geometry->height;
    const std::ptrdiff_t row_stride = static_cast<std::ptrdiff_t>(layout_->padded_width) * kHalf;
    for (int v = 0; v < kVectors; ++v) {
        const std::int16_t* weights = network_->depthwise() + v * kLanes;
        const Vector centre_weight = Vector::load(weights), edge_weight = Vector::load(weights + kHalf);
        const Vector corner_weight = Vector::load(weights + 2 * kHalf), bias = Vector::load(weights + 3 * kHalf);
        simd::I32x16 sums[kLanes / 16];
        for (auto& sum : sums) sum = simd::I32x16::broadcast(0);
        for (int y = 0; y < height; ++y) {
            // Three columns slide along the row; the one above and the one below the middle are only needed added.
            const std::int16_t* above = padded_.data() + y * row_stride + v * kLanes;
            const std::int16_t* middle = above + row_stride;
            const std::int16_t* below = middle + row_stride;
            std::int16_t* out = &features_[static_cast<std::size_t>(y) * width * kChannels + v * kLanes];
            Vector outer_left = Vector::load(above) + Vector::load(below);
            Vector outer = Vector::load(above + kHalf) + Vector::load(below + kHalf);
            Vector left = Vector::load(middle), here = Vector::load(middle + kHalf);
            Vector row_sum = Vector::broadcast(0);
            for (int x = 0; x < width; ++x) {
                const std::ptrdiff_t next = (x + 2) * kHalf;
                const Vector outer_right = Vector::load(above + next) + Vector::load(below + next);
                const Vector right = Vector::load(middle + next);
                const Vector edges = multiply_high(outer + (left + right), edge_weight);
                const Vector corners = multiply_high(outer_left + outer_right, corner_weight);
                const Vector centre = multiply_high(here.times_four(), centre_weight);
                const Vector feature = clip((centre + edges) + (corners + bias));
                feature.store(out + x * kChannels);
                row_sum = row_sum + feature;
                if (x % 8 == 7) {  // eight features fit 16 unsigned bits
                    accumulate_unsigned(sums, row_sum);
                    row_sum = Vector::broadcast(0);
                }
                outer_left = outer, outer = outer_right, left = here, here = right;
            }
            accumulate_unsigned(sums, row_sum);
        }
        for (int i = 0; i < kLanes / 16; ++i) sums[i].store(pooled + v * kLanes + 16 * i);
    }
    std::ranges::copy(direct_, pooled + kHalf);
}

template class LineAccumulator<32>;
template class LineAccumulator<64>;
template class LineAccumulator<128>;

}  // namespace tengen
