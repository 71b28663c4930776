#include "threats/rows.h"

namespace tengen {
namespace {

/// Calls `visit(point, direction)` for the points on the lines through `cell`, without itself, as far as windows reach.
template <class Visit>
void for_each_on_lines(const Board& board, Cell cell, Visit&& visit) {
    for (int direction = 0; direction < kDirections; ++direction) {
        const Geometry::Run run = board.geometry().runs(cell)[direction];
        const int stride = board.geometry().stride(direction);
        for (int k = run.first; k <= run.last; ++k) {
            if (k != 0) visit(static_cast<Cell>(cell + k * stride), direction);
        }
    }
}

}  // namespace

Cell five_on_line(const Board& board, Cell cell, int direction, Color color) {
    const Geometry::Run run = board.geometry().runs(cell)[direction];
    const int stride = board.geometry().stride(direction);
    for (int k = run.first; k <= run.last; ++k) {
        const Cell point = static_cast<Cell>(cell + k * stride);
        if (board.wins_at(point, color)) return point;
    }
    return kNoCell;
}

void add_row_ends(const Board& board, Cell five, Color color, PointSet& points) {
    const Geometry& geometry = board.geometry();
    for (int direction = 0; direction < kDirections; ++direction) {
        if (board.shape(five, direction, color).shape != Shape::kFive) continue;
        for (int side : {-1, 1}) {
            const int dx = side * kDirectionX[direction], dy = side * kDirectionY[direction];
            int x = geometry.x(five) + dx, y = geometry.y(five) + dy;
            while (geometry.on_board(x, y) && board.has_stone(geometry.cell(x, y), color)) x += dx, y += dy;
            if (geometry.on_board(x, y) && board.is_empty(geometry.cell(x, y))) points.add(geometry.cell(x, y));
        }
    }
}

PointSet moves_that_stop_fives(Board& board) {
    const Color enemy = opponent(board.turn());
    const PointSet fives = board.threats(enemy).fives;
    if (board.rules().rule != Rule::kCaro) return fives.count() == 1 ? fives : PointSet();
    PointSet candidates, stops;
    candidates.add(fives.first());  // what stops them all must stop the first
    add_row_ends(board, fives.first(), enemy, candidates);
    candidates.for_each([&](Cell cell) {
        board.play(cell);
        if (board.threats(enemy).fives.empty()) stops.add(cell);
        board.undo();
    });
    return stops;
}

void add_fours_with(const Board& board, Cell stone, Color color, PointSet& points) {
    for_each_on_lines(board, stone, [&](Cell point, int direction) {
        if (!board.is_empty(point)) return;
        const LineShape shape = board.shape(point, direction, color);
        if (shape.shape >= Shape::kFour || shape.two_fours) points.add(point);
    });
}

void add_lines_through(const Board& board, Cell cell, PointSet& points) {
    for_each_on_lines(board, cell, [&](Cell point, int) { points.add(point); });
}

}  // namespace tengen
