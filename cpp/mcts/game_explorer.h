#pragma once

#include <memory>
#include <stdexcept>
#include <vector>

#include "eval/evaluator.h"
#include "game/game.h"
#include "mcts/explorer.h"
#include "mcts/params.h"

namespace tengen {

/// Any Game for the tree search. Of KnowledgeParams it takes `threats` and `prior_temperature`. Key method: `expand`.
class GameExplorer final : public Explorer {
public:
    GameExplorer(const Game& game, std::unique_ptr<Evaluator> evaluator, KnowledgeParams params)
        : game_(game.clone()), evaluator_(std::move(evaluator)), params_(params) {
        if (game.move_count() > kMaxCells) throw std::invalid_argument("a game may have 484 different moves, not more");
    }

    void play(Cell move) override { game_->play(move); }
    void undo() override { game_->undo(); }
    void expand(const ThreatLimits* at_root, Expansion& result) override;
    void set_asking(bool asking) override { evaluator_->set_asking(asking); }
    std::unique_ptr<Explorer> clone(std::uint64_t seed) const override {
        return std::make_unique<GameExplorer>(*game_, evaluator_->clone(seed), params_);
    }

private:
    bool is_over(Expansion& result) const;
    Cell winning_move();

    std::unique_ptr<Game> game_;
    std::unique_ptr<Evaluator> evaluator_;
    KnowledgeParams params_;
    std::vector<Cell> moves_;
};

}  // namespace tengen
