#pragma once

#include "game/board.h"

namespace tengen {

// Small questions about the lines through a point that the threat solvers ask.

/// The point on the line through `cell` where `color` makes five, or kNoCell.
Cell five_on_line(const Board& board, Cell cell, int direction, Color color);

/// Adds the empty points next to the ends of the rows that a stone of `color` at `five` would complete.
void add_row_ends(const Board& board, Cell five, Color color, PointSet& points);

/// The moves of the side to move after which the enemy, who has a five, has none. Whether they are forbidden is not
/// asked. In caro a row of five does not win when both its ends are held, so a stone at its end may stop it too.
PointSet moves_that_stop_fives(Board& board);

/// Adds the empty points on the lines through `stone` where `color` would make a four (or more) on that line.
void add_fours_with(const Board& board, Cell stone, Color color, PointSet& points);

/// Adds the points of the lines through `cell` that decide what a stone there makes.
void add_lines_through(const Board& board, Cell cell, PointSet& points);

}  // namespace tengen
