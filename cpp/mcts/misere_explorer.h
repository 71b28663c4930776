#pragma once

#include <memory>

#include "eval/evaluator.h"
#include "game/board.h"
#include "mcts/explorer.h"

namespace tengen {

/// Gomoku with the goal negated, for the tree search: who makes five loses. The rules and the evaluator stay those of
/// the ordinary game; the explorer turns results, values and priors round. There are no proofs but
/// the tree's: nobody can be forced to make five by threats, only by the lack of other moves. Key method: `expand`.
class MisereExplorer final : public Explorer {
public:
    MisereExplorer(const Board& board, std::unique_ptr<Evaluator> evaluator, float prior_temperature);

    void play(Cell move) override { board_.play(move); }
    void undo() override { board_.undo(); }
    void expand(const ThreatLimits* at_root, Expansion& result) override;
    void set_asking(bool asking) override { evaluator_->set_asking(asking); }
    std::unique_ptr<Explorer> clone(std::uint64_t seed) const override;

private:
    Board board_;
    std::unique_ptr<Evaluator> evaluator_;
    float prior_temperature_;
};

}  // namespace tengen
