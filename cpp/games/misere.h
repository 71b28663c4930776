#pragma once

#include <memory>

#include "games/grid_game.h"

namespace tengen {

/// Misere three in a row on 4x4: who makes a row of three loses. The worked example of docs/add-a-game.md.
class Misere final : public GridGame {
public:
    Misere() : GridGame(4, 4, 8) {}
    std::unique_ptr<Game> clone() const override { return std::make_unique<Misere>(*this); }

    void legal_moves(std::vector<Cell>& moves) const override {
        moves.clear();
        if (result() != Result::kOpen) return;
        for (Cell point = 0; point < cells(); ++point) {
            if (piece_at(point) == 0) moves.push_back(point);
        }
    }

    Result result() const override {
        if (ply() > 0 && is_in_row(move_at(ply() - 1), 3)) return lost_by_last_mover();
        return ply() == cells() ? Result::kDraw : Result::kOpen;
    }

protected:
    void apply(Cell move) override { put(move, mover()); }
};

}  // namespace tengen
