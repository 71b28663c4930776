#pragma once

#include "eval/expert.h"
#include "game/board.h"

namespace tengen {

/// What the threats on the board leave to the side to move, without search. Everything it rules out loses by force, and
/// what it calls decided is decided: a five at once, a five that cannot be stopped, an open four that cannot.
struct Situation {
    /// Plies until the five that decides the game: positive if the side to move makes it, negative if the enemy does,
    /// 0 if the game is open.
    int decided = 0;
    /// With `decided` positive, the move that wins. Otherwise kNoCell.
    Cell winning_move = kNoCell;
    /// Are `moves` the only answers to a threat (rather than all candidates)?
    bool must_answer = false;
    /// The moves to consider, all legal. With `decided` negative they delay; empty only if no move is legal at all.
    PointSet moves;

    static Situation of(Board& board, Expert& expert);
    /// As if there were no threats: all candidates.
    static Situation quiet(Board& board);
};

}  // namespace tengen
