#pragma once

#include <chrono>
#include <vector>

#include "game/point_set.h"

namespace tengen {

class Stopwatch {
public:
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

inline std::vector<Cell> members(const PointSet& points) {
    std::vector<Cell> cells;
    points.for_each([&](Cell cell) { cells.push_back(cell); });
    return cells;
}

}  // namespace tengen
