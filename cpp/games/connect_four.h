#pragma once

#include <memory>
#include <string>

#include "games/grid_game.h"

namespace tengen {

/// Connect Four: pieces fall to the lowest empty point of a column; four in a row win.
/// A move is the point where the piece comes to rest, so that a network's policy has the shape of the board.
class ConnectFour final : public GridGame {
public:
    ConnectFour() : GridGame(7, 6, 2) {}
    std::unique_ptr<Game> clone() const override { return std::make_unique<ConnectFour>(*this); }

    void legal_moves(std::vector<Cell>& moves) const override {
        moves.clear();
        if (result() != Result::kOpen) return;
        for (int y = 0; y < height(); ++y) {
            for (int x = 0; x < width(); ++x) {
                const bool supported = y + 1 == height() || piece_at(x, y + 1) != 0;
                if (supported && piece_at(x, y) == 0) moves.push_back(static_cast<Cell>(y * width() + x));
            }
        }
    }

    Result result() const override {
        if (ply() > 0 && is_in_row(move_at(ply() - 1), 4)) return won_by_last_mover();
        return ply() == cells() ? Result::kDraw : Result::kOpen;
    }

    /// The number of the column.
    std::string move_text(Cell move) const override { return std::to_string(move % width() + 1); }

protected:
    void apply(Cell move) override { put(move, mover()); }
};

}  // namespace tengen
