#include "nn/window_encoder.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "game/geometry.h"

namespace tengen {

WindowEncoder::WindowEncoder(int radius) : radius_(radius) {
    if (radius < WindowCode::kMinRadius || radius > WindowCode::kMaxRadius) {
        throw std::invalid_argument("a line network's radius must be 4 or 5, not " + std::to_string(radius));
    }
    row_of_window_.assign(static_cast<std::size_t>(kLineConditions) * WindowCode(radius).count(), -1);
}

std::int32_t WindowEncoder::row_of(std::uint32_t window, int condition) {
    const WindowCode code(radius_);
    const std::uint32_t offset = condition * code.count(), halves = code.halves();
    std::int32_t& row = row_of_window_[offset + window];
    if (row >= 0) return row;
    const std::uint32_t left = window / halves / 3, centre = window / halves % 3, right = window % halves;
    std::int32_t& reversed_row = row_of_window_[offset + (right * 3 + centre) * halves + left];
    row = reversed_row;  // its own when the window is symmetric
    if (row < 0) {
        row = static_cast<std::int32_t>(windows_.size());
        windows_.push_back(offset + window);
    }
    met_.push_back(offset + window);
    return row;
}

void WindowEncoder::add(std::span<const std::uint8_t> stones, int width, int height,
                        std::span<const std::uint8_t> conditions, std::int32_t* rows) {
    const Geometry& geometry = Geometry::get(width, height, radius_);
    const int cells = geometry.cells;
    std::vector<std::uint32_t> empty(static_cast<std::size_t>(cells) * kDirections);
    for (Cell cell = 0; cell < cells; ++cell) {
        for (int d = 0; d < kDirections; ++d) {
            empty[cell * kDirections + d] = geometry.empty_windows()[geometry.runs(cell)[d].slot];
        }
    }
    std::vector<std::uint32_t> windows;
    for (std::size_t position = 0; position < conditions.size(); ++position) {
        if (conditions[position] >= kLineConditions) throw std::invalid_argument("a condition must be 0 to 4");
        windows = empty;
        for (Cell cell = 0; cell < cells; ++cell) {
            const std::uint8_t stone = stones[position * cells + cell];
            if (stone == 0) continue;
            if (stone > 2) throw std::invalid_argument("stones must be 0, 1 or 2");
            for (int d = 0; d < kDirections; ++d) {
                const auto [slot, first, last] = geometry.runs(cell)[d];
                std::uint32_t* window = &windows[cell * kDirections + d];
                const std::ptrdiff_t stride = geometry.stride(d) * kDirections;
                for (int k = first; k <= last; ++k) window[k * stride] += stone * geometry.code.step(-k);
            }
        }
        for (std::uint32_t window : windows) *rows++ = row_of(window, conditions[position]);
    }
}

std::vector<std::uint32_t> WindowEncoder::finish() {
    for (std::uint32_t window : met_) row_of_window_[window] = -1;
    met_.clear();
    return std::exchange(windows_, {});
}

void mark_candidates(std::span<const std::uint8_t> stones, int width, int height, std::uint8_t* candidates) {
    const Geometry& geometry = Geometry::get(width, height, WindowCode::kMinRadius);
    const std::size_t cells = geometry.cells;
    std::fill_n(candidates, stones.size(), 0);
    for (std::size_t start = 0; start < stones.size(); start += cells) {
        PointSet reached, occupied;
        for (Cell cell = 0; cell < geometry.cells; ++cell) {
            if (stones[start + cell] == 0) continue;
            occupied.add(cell);
            reached |= geometry.neighbourhood(cell);
        }
        geometry.candidates(reached, occupied).for_each([&](Cell cell) { candidates[start + cell] = 1; });
    }
}

}  // namespace tengen
