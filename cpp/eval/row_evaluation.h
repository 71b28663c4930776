#pragma once

#include <array>
#include <cstdint>

#include "game/board.h"

namespace tengen {

/// The second evaluation of the alpha-beta search: it counts rows of stones by a table, where the expert counts what
/// empty points would make. The table is that of S2 (docs/origins.md), number for number; it knows five in a row alone.
///
/// A row is a run of one colour's stones on a line, with at most one empty point inside. One object looks at one
/// position. Key method: `score`.
class RowEvaluation {
public:
    explicit RowEvaluation(const Board& board);

    /// In points: the rows of the side to move less those of the other side.
    int score() const;

    /// What a stone of the side to move at an empty cell adds to the score of its side, the other side being to move
    /// then. Moves in this order are in the order of the scores after them: the rest of the board adds a constant.
    int gain(Cell move) const;

    /// The expected result that a score stands for, from -1 to 1. An open three of the side to move, which wins unless
    /// the enemy has a four, is 0.76.
    static float squash(int score);

    /// The worth of one row in tenths of a point: all products of the table are whole numbers of them.
    ///
    /// S2 gives 8000 points to "open fours and fours" and another worth to rows of four stones, which are fours too.
    /// Both can be true of rows of five and more stones with a gap: a single move makes them five.
    static int row_tenths(int stones, int blocked_ends, bool has_gap, bool to_move);

private:
    /// The stones of one line: 1 for the side to move, -1 for the other.
    struct Line {
        int length = 0;
        std::array<std::int8_t, kMaxSide> stones;
    };

    Line line_through(Cell cell, int direction, int* position) const;
    static int line_tenths(const Line& line, std::int8_t side, bool to_move);

    const Geometry& geometry_;
    std::array<std::int8_t, kMaxCells> stones_{};
};

}  // namespace tengen
