#include "games/grid_game.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tengen {

GridGame::GridGame(int width, int height, int symmetries)
    : width_(width), height_(height), symmetries_(symmetries), positions_(static_cast<std::size_t>(cells())) {}

void GridGame::play(Cell move) {
    positions_.resize(positions_.size() + static_cast<std::size_t>(cells()));
    std::copy_n(positions_.end() - 2 * cells(), cells(), positions_.end() - cells());
    apply(move);
    moves_.push_back(move);
}

void GridGame::undo() {
    positions_.resize(positions_.size() - static_cast<std::size_t>(cells()));
    moves_.pop_back();
}

void GridGame::encode(const PlaneSpec&, float* planes, int symmetry) const {
    std::fill(planes, planes + 3 * cells(), 0.0f);
    const int own = mover();
    for (int cell = 0; cell < cells(); ++cell) {
        const int piece = piece_at(static_cast<Cell>(cell));
        if (piece == 0) continue;
        planes[(piece == own ? 0 : cells()) + transform(static_cast<Cell>(cell), symmetry)] = 1;
    }
    if (is_first_to_move()) std::fill(planes + 2 * cells(), planes + 3 * cells(), 1.0f);
}

Cell GridGame::transform(Cell move, int symmetry) const {
    if (symmetry == 0 || move >= cells()) return move;
    int x = move % width_, y = move / width_;
    if (symmetry & 1) x = width_ - 1 - x;
    if (symmetry & 2) y = height_ - 1 - y;
    if (symmetry & 4) std::swap(x, y);
    return static_cast<Cell>(y * width_ + x);
}

bool GridGame::is_in_row(Cell point, int length) const {
    static constexpr std::array<std::pair<int, int>, 4> kDirections{{{1, 0}, {0, 1}, {1, 1}, {1, -1}}};
    const int piece = piece_at(point), x = point % width_, y = point / width_;
    for (const auto& [dx, dy] : kDirections) {
        int row = 1;
        for (int sign : {1, -1}) {
            int i = x + sign * dx, j = y + sign * dy;
            for (; is_inside(i, j) && piece_at(i, j) == piece; i += sign * dx, j += sign * dy) ++row;
        }
        if (row >= length) return true;
    }
    return false;
}

}  // namespace tengen
