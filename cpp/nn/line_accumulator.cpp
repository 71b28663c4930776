#include "nn/line_accumulator.h"

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
void LineAccumulator<kChannels>::sync(const std::uint32_t* windows) {
    const Geometry& geometry = *layout_->geometry;
    // All changes are listed first, so that table rows can be fetched ahead.
    struct Change {
        std::uint32_t before, after;
        Cell cell;
    };
    constexpr int kAhead = 8;
    std::array<Change, Geometry::kMaxSlots + kAhead> changes;
    int count = 0;
    for (int block = 0; block < geometry.slots(); block += 16) {
        unsigned differing = simd::differing_words(windows + block, &windows_[block]) & layout_->real_slots[block / 16];
        if (!differing) continue;
        for (; differing; differing &= differing - 1) {
            const int slot = block + std::countr_zero(differing);
            changes[count++] = {windows_[slot], windows[slot], geometry.centre(slot)};
        }
        std::copy_n(windows + block, 16, &windows_[block]);
    }
    simd::I32x16 direct[kSums];
    for (int i = 0; i < kSums; ++i) direct[i] = simd::I32x16::load(&direct_[16 * i]);
    for (int i = 0; i < std::min(count, kAhead); ++i) prefetch_rows(changes[i].before, changes[i].after);
    for (int i = 0; i < count; ++i) {
        if (i + kAhead < count) prefetch_rows(changes[i + kAhead].before, changes[i + kAhead].after);
        apply(changes[i].before, changes[i].after, changes[i].cell, direct);
    }
    for (int i = 0; i < kSums; ++i) direct[i].store(&direct_[16 * i]);
}

template <int kChannels>
void LineAccumulator<kChannels>::prefetch_rows(std::uint32_t before, std::uint32_t after) const {
    for (int byte = 0; byte < 2 * kChannels; byte += 64) {
        simd::prefetch(reinterpret_cast<const char*>(table_->row(before)) + byte);
        simd::prefetch(reinterpret_cast<const char*>(table_->row(after)) + byte);
    }
}

/// Replaces one window of a cell, and keeps what follows from its sum.
template <int kChannels>
inline void LineAccumulator<kChannels>::apply(std::uint32_t before, std::uint32_t after, Cell cell,
                                              simd::I32x16* direct) {
    const std::int16_t* removed = table_->row(before);
    const std::int16_t* added = table_->row(after);
    std::int16_t* sums = &sums_[cell * kChannels];
    std::int16_t* features = &features_[cell * kChannels];
    std::int16_t* padded = &padded_[layout_->padded[cell] * kHalf];
    for (int v = 0; v < kVectors; ++v) {
        const int i = v * kLanes;
        const Vector spread = Vector::load(sums + i) + (Vector::load(added + i) - Vector::load(removed + i));
        spread.store(sums + i);
        to_feature(spread).store(padded + i);
        const int j = kHalf + i;
        const Vector kept = Vector::load(sums + j) + (Vector::load(added + j) - Vector::load(removed + j));
        kept.store(sums + j);
        const Vector feature = to_feature(kept);
        accumulate(direct + v * (kLanes / 16), feature - Vector::load(features + j));
        feature.store(features + j);
    }
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
