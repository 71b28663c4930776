#pragma once

#include <algorithm>
#include <array>

#include "game/point_set.h"

namespace tengen {

/// The moves of best play from a node, filled from the end.
struct Line {
    static constexpr int kMaxPly = 160;

    int size = 0;
    std::array<Cell, kMaxPly> cells;

    void set(Cell first, const Line& rest) {
        size = std::min(rest.size, kMaxPly - 1) + 1;
        cells[0] = first;
        std::copy_n(rest.cells.begin(), size - 1, cells.begin() + 1);
    }
};

}  // namespace tengen
