#include "game/geometry.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <tuple>

namespace tengen {

WindowCode::Cells WindowCode::decode(std::uint32_t window) const {
    Cells cells;
    cells.fill(kBorder);
    cells[radius_] = static_cast<std::int8_t>(window / halves_ % 3);
    auto decode_half = [&](std::uint32_t half, int side) {
        int length = 0;
        while (length < radius_ && half >= half_offset(length + 1)) ++length;
        std::uint32_t value = half - half_offset(length);
        for (int k = 1; k <= length; ++k, value /= 3) cells[radius_ + side * k] = static_cast<std::int8_t>(value % 3);
    };
    decode_half(window / halves_ / 3, -1);
    decode_half(window % halves_, +1);
    return cells;
}

const Geometry& Geometry::get(int width, int height, int radius) {
    const bool fits = width >= 1 && width <= kMaxSide && height >= 1 && height <= kMaxSide;
    if (!fits || radius < WindowCode::kMinRadius || radius > WindowCode::kMaxRadius) {
        throw std::invalid_argument("a board has 1 to " + std::to_string(kMaxSide) +
                                    " points a side and windows of radius 4 or 5, not " + std::to_string(width) + "x" +
                                    std::to_string(height) + " and " + std::to_string(radius));
    }
    static std::mutex mutex;
    static std::map<std::tuple<int, int, int>, std::unique_ptr<const Geometry>> instances;
    std::lock_guard lock(mutex);
    auto& instance = instances[{width, height, radius}];
    if (!instance) instance.reset(new Geometry(width, height, radius));
    return *instance;
}

Geometry::Geometry(int width_, int height_, int radius)
    : width(width_), height(height_), cells(width_ * height_), code(radius), runs_(cells), neighbourhoods_(cells) {
    for (int lane = 0; lane <= 2 * radius; ++lane) steps_[lane] = code.step(radius - lane);
    for (int direction = 0; direction < kDirections; ++direction) lay_out_direction(direction);
    slots_ = static_cast<int>(centres_.size() + kLanes - 1) / kLanes * kLanes;
    centres_.resize(slots_, kNoCell);
    empty_windows_.resize(slots_, code.step(0));

    centre_.add(cell(width / 2, height / 2));
    for (Cell c = 0; c < cells; ++c) {
        all_.add(c);
        for (int dy = -2; dy <= 2; ++dy) {
            for (int dx = -2; dx <= 2; ++dx) {
                if (on_board(x(c) + dx, y(c) + dy)) neighbourhoods_[c].add(cell(x(c) + dx, y(c) + dy));
            }
        }
    }
    for (int symmetry = 0; symmetry < kSymmetries; ++symmetry) {
        transforms_[symmetry].resize(cells);
        for (Cell c = 0; c < cells; ++c) {
            const int tx = symmetry & 1 ? width - 1 - x(c) : x(c);
            const int ty = symmetry & 2 ? height - 1 - y(c) : y(c);
            transforms_[symmetry][c] = static_cast<Cell>(symmetry & 4 ? tx * height + ty : ty * width + tx);
        }
    }
}

void Geometry::lay_out_direction(int direction) {
    const int radius = code.radius();
    const int dx = kDirectionX[direction], dy = kDirectionY[direction];
    auto add_padding = [&] {
        centres_.insert(centres_.end(), radius, kNoCell);
        // Centre occupied by a stone that is never there: see the class comment.
        empty_windows_.insert(empty_windows_.end(), radius, code.step(0));
    };
    for (Cell start = 0; start < cells; ++start) {
        if (on_board(x(start) - dx, y(start) - dy)) continue;  // not the first point of its line
        add_padding();
        int length = 0;
        while (on_board(x(start) + length * dx, y(start) + length * dy)) ++length;
        for (int k = 0; k < length; ++k) {
            const Cell c = cell(x(start) + k * dx, y(start) + k * dy);
            const int before = std::min(radius, k), after = std::min(radius, length - 1 - k);
            runs_[c][direction] = {static_cast<std::uint16_t>(centres_.size()), static_cast<std::int8_t>(-before),
                                   static_cast<std::int8_t>(after)};
            centres_.push_back(c);
            empty_windows_.push_back(code.empty_window(before, after));
        }
    }
    add_padding();
    // The last run of the direction is one vector long.
    centres_.insert(centres_.end(), kLanes - 2 * radius - 1, kNoCell);
    empty_windows_.insert(empty_windows_.end(), kLanes - 2 * radius - 1, code.step(0));
}

}  // namespace tengen
