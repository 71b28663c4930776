#pragma once

#include <algorithm>
#include <memory>

#include "games/grid_game.h"

namespace tengen {

/// m,n,k games: k in a row on a board of m x n wins. Tic-tac-toe is 3,3,3.
class Mnk final : public GridGame {
public:
    Mnk(int width, int height, int in_row) : GridGame(width, height, width == height ? 8 : 4), in_row_(in_row) {}
    std::unique_ptr<Game> clone() const override { return std::make_unique<Mnk>(*this); }

    void legal_moves(std::vector<Cell>& moves) const override {
        moves.clear();
        if (result() != Result::kOpen) return;
        for (int cell = 0; cell < cells(); ++cell) {
            if (piece_at(static_cast<Cell>(cell)) == 0) moves.push_back(static_cast<Cell>(cell));
        }
    }

    Result result() const override {
        if (ply() > 0 && is_in_row(move_at(ply() - 1), in_row_)) return won_by_last_mover();
        return ply() == cells() ? Result::kDraw : Result::kOpen;
    }

protected:
    void apply(Cell move) override { put(move, mover()); }

private:
    int in_row_;
};

}  // namespace tengen
