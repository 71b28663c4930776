#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "game/planes.h"
#include "game/point_set.h"
#include "game/random.h"

namespace tengen {

/// Who has won. The first player is the one who made the first move; in Gomoku it is black.
enum class Result : std::uint8_t { kOpen, kFirstWins, kSecondWins, kDraw };

/// A game of two players who move in turn, one's gain being the other's loss: what the search, the networks, self-play
/// and the command line need to know about it. `Board` is Gomoku; whoever knows more about that asks for one.
///
/// A move is a number from 0 to move_count() - 1; the numbers below width * height mean points of the board, row by row
/// from the top left. Who cannot move passes, with a move of its own, so that turns always alternate.
/// Most games inherit from GridGame, which leaves three functions to write. One game belongs to one thread.
class Game {
public:
    virtual ~Game() = default;
    virtual std::unique_ptr<Game> clone() const = 0;

    virtual int width() const = 0;
    virtual int height() const = 0;
    virtual int move_count() const = 0;

    /// Moves played so far.
    virtual int ply() const = 0;
    virtual Cell move_at(int ply) const = 0;
    virtual bool is_first_to_move() const = 0;
    /// Puts the legal moves into `moves`, in ascending order; none when the game is over.
    virtual void legal_moves(std::vector<Cell>& moves) const = 0;
    /// `move` must be legal.
    virtual void play(Cell move) = 0;
    virtual void undo() = 0;
    virtual Result result() const = 0;
    /// The result of random moves from here to the end. The game is as before on return.
    virtual Result play_out(Random& random);

    /// How many planes a network sees: what `spec` says for Gomoku. Another game has planes of its own.
    virtual int plane_count(const PlaneSpec& spec) const = 0;
    /// Writes plane_count() * width * height floats, from the mover's view, as they are after symmetry number
    /// `symmetry`, which keeps the shape of the board.
    virtual void encode(const PlaneSpec& spec, float* planes, int symmetry) const = 0;
    /// How many symmetries the rules have; number 0 changes nothing.
    virtual int symmetries() const = 0;
    virtual Cell transform(Cell move, int symmetry) const = 0;

    /// 0 for an empty point, 1 for a piece of the first player, 2 for one of the second.
    virtual int piece_at(Cell point) const = 0;
    /// A move as players write it: the column's letter and the row's number, counted from the bottom.
    virtual std::string move_text(Cell move) const;

    /// What a result is worth for the side to move.
    float value_for_mover(Result result) const;
};

}  // namespace tengen
