#pragma once

#include <memory>
#include <string>

#include "games/grid_game.h"

namespace tengen {

/// Othello (Reversi) on any even square board: a piece must enclose others, which change sides; most pieces win.
/// The last move number means to pass, which is legal only when there is nothing else.
class Othello final : public GridGame {
public:
    explicit Othello(int side);
    std::unique_ptr<Game> clone() const override { return std::make_unique<Othello>(*this); }

    int move_count() const override { return cells() + 1; }
    void legal_moves(std::vector<Cell>& moves) const override;
    Result result() const override;
    std::string move_text(Cell move) const override { return move == pass() ? "pass" : Game::move_text(move); }

protected:
    void apply(Cell move) override;

private:
    Cell pass() const { return static_cast<Cell>(cells()); }
    /// How many pieces a piece of `side` at (x, y) would enclose in one direction.
    int enclosed(int x, int y, int dx, int dy, int side) const;
    bool can_play(Cell move, int side) const;
    bool can_move(int side) const;
};

}  // namespace tengen
