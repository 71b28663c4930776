#pragma once

#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "game/board.h"

namespace tengen {

/// What a manager did wrong, as a sentence for its people.
class ProtocolError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A point as the protocol names it; it may lie off the board.
struct Point {
    int x = 0, y = 0;
    friend bool operator==(const Point&, const Point&) = default;
};

/// Has the game ended: by a five, a full board, or because the side to move may play nowhere?
bool is_over(Board& board);

/// The stones that a manager has told an engine about, as its own and the opponent's, in the order in which they came.
/// The rule is not part of it: managers may send it at any time. Key method: `board`.
class Position {
public:
    Position(int board_width, int board_height) : width(board_width), height(board_height) {}

    const int width, height;

    /// Puts a stone; throws if the point is not on the board, or not empty.
    void add(Point point, bool own);
    /// Takes a stone away, whichever it is; throws if there is none.
    void remove(Point point);
    /// How many stones are the engine's.
    int own_moves() const;
    /// The engine's colour from the stones alone: who has more of them is black. If the engine is known to be next,
    /// black is who has as many; otherwise the colour is left as the first stone says.
    void guess_color(bool to_move = false);

    /// The position with the engine to move; throws if there is nothing to play.
    Board board(Rule rule) const;
    /// Black's forbidden points, whoever is to move; none unless the rule is renju.
    std::vector<Cell> forbidden_points(Rule rule) const;

private:
    struct Stone {
        Point point;
        bool own;
    };
    using Cells = std::vector<Cell>;

    std::pair<Cells, Cells> sides() const;
    Board set_up(Rule rule) const;
    std::optional<Board> played(Rule rule) const;
    std::vector<Stone>::const_iterator find(Point point) const;

    std::vector<Stone> stones_;
    /// The engine's, known as soon as there is a stone or the engine begins.
    std::optional<Color> color_;
};

}  // namespace tengen
