#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "eval/evaluator.h"
#include "game/board.h"
#include "mcts/mcts.h"
#include "proof/oracle.h"
#include "proof/referee.h"
#include "threats/vcf.h"

namespace tengen {

/// How much the solver may spend on one question of a proof, in its nodes.
struct ProofParams {
    std::int64_t position_nodes = 30'000;  ///< a win by threats in a position that is to be expanded
    std::int64_t reply_nodes = 3'000;      ///< the same when it is looked at for the first time
    std::int64_t pass_nodes = 30'000;      ///< what the attacker threatens after a move
    std::int64_t playouts = 4'000;         ///< of a tree search that says which moves are promising, the first time
    bool guided = true;                    ///< does the evaluator tell the solver where to look?
};

/// The defender's replies to a move that what is threatened does not answer.
struct OpenReplies {
    bool refuted = false;  ///< the defender wins
    bool quiet = false;    ///< the attacker seems to threaten nothing, so these are all
    std::vector<Cell> replies = {};
};

/// A move with a guess at the work of proving that it wins.
struct Candidate {
    Cell move = kNoCell;
    float cost = 0;
};

/// What one thread of a proof asks about positions: wins by threats, verified by a referee; the replies that are left
/// open by them; guesses at the work ahead.
class Attack {
public:
    Attack(const Board& setup, Color attacker, const Evaluator& evaluator, const ProofParams& params);

    /// An empty board for the other methods.
    Board board() const { return empty_; }

    /// The attacker is to move: how it wins by threats, verified.
    std::optional<ThreatTree> win(Board& board, std::int64_t max_nodes);
    /// The attacker has just moved: which of these replies does the tree answer as well?
    std::vector<Cell> answered(const Board& board, const ThreatTree& tree, std::span<const Cell> replies);
    /// The attacker has just moved: which replies does what it threatens not answer?
    OpenReplies open_replies(Board& board);
    /// The attacker is to move: the moves that a tree search of so many playouts finds promising.
    std::vector<Candidate> candidates(Board& board, std::int64_t playouts);
    /// A guess at the work of proving that the attacker wins.
    float cost(Board& board);

    std::int64_t nodes() const { return oracle_.nodes(); }

private:
    float value(Board& board);
    std::vector<MoveReport> consider(const Board& board, std::int64_t playouts);

    const Color attacker_;
    const ProofParams params_;
    ThreatOracle oracle_;
    const Board empty_;
    Referee referee_;
    Vcf defender_;
    std::unique_ptr<Mcts> search_;
};

}  // namespace tengen
