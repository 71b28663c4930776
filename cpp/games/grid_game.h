#pragma once

#include <span>
#include <vector>

#include "game/game.h"

namespace tengen {

/// A game with pieces of two colours on a grid. Keeps the position and all earlier ones, so that taking back a move
/// needs nothing from the game itself. A new game writes `legal_moves`, `apply` and `result`, and `clone`.
class GridGame : public Game {
public:
    /// `symmetries`: 1 for none, 2 for the mirror image left to right, 4 for both mirrors, 8 for those of a square.
    GridGame(int width, int height, int symmetries);

    int width() const final { return width_; }
    int height() const final { return height_; }
    int move_count() const override { return cells(); }
    int ply() const final { return static_cast<int>(moves_.size()); }
    Cell move_at(int ply) const final { return moves_[static_cast<std::size_t>(ply)]; }
    bool is_first_to_move() const final { return ply() % 2 == 0; }
    void play(Cell move) final;
    void undo() final;

    /// Own pieces, the opponent's, and 1 everywhere when the first player is to move.
    int plane_count(const PlaneSpec&) const override { return 3; }
    void encode(const PlaneSpec&, float* planes, int symmetry) const override;
    int symmetries() const final { return symmetries_; }
    /// Bit 0 mirrors x, bit 1 mirrors y, then bit 2 swaps them; moves that are no points stay what they are.
    Cell transform(Cell move, int symmetry) const override;

    int piece_at(Cell point) const final { return now()[static_cast<std::size_t>(point)]; }

protected:
    /// Changes the position by a legal move: `put` pieces of `mover()`, turn or take away others.
    virtual void apply(Cell move) = 0;

    int cells() const { return width_ * height_; }
    /// 1 when the first player is to move, 2 otherwise.
    int mover() const { return is_first_to_move() ? 1 : 2; }
    void put(Cell point, int piece) { positions_[positions_.size() - cells() + point] = static_cast<char>(piece); }
    bool is_inside(int x, int y) const { return x >= 0 && x < width_ && y >= 0 && y < height_; }
    int piece_at(int x, int y) const { return now()[static_cast<std::size_t>(y * width_ + x)]; }
    /// Is the piece on `point` part of a row of at least `length` of its own?
    bool is_in_row(Cell point, int length) const;
    /// The result when the player who just moved has won, or lost.
    Result won_by_last_mover() const { return is_first_to_move() ? Result::kSecondWins : Result::kFirstWins; }
    Result lost_by_last_mover() const { return is_first_to_move() ? Result::kFirstWins : Result::kSecondWins; }

private:
    std::span<const char> now() const { return std::span(positions_).last(static_cast<std::size_t>(cells())); }

    int width_, height_, symmetries_;
    std::vector<char> positions_;  ///< the pieces after 0, 1, 2 ... moves
    std::vector<Cell> moves_;
};

}  // namespace tengen
