#include "mcts/game_explorer.h"

#include <algorithm>

#include "nn/softmax.h"

namespace tengen {

void GameExplorer::expand(const ThreatLimits*, Expansion& result) {
    result.clear();
    if (is_over(result)) return;
    game_->legal_moves(moves_);
    if (params_.threats && (result.winning_move = winning_move()) != kNoCell) {
        result.proof = Proof::kWin;
        result.value = 1;
        return;
    }
    result.count = static_cast<int>(moves_.size());
    std::ranges::copy(moves_, result.moves.begin());
    std::span<float> priors(result.priors.data(), moves_.size());
    if (result.count == 1) {  // nothing to choose: the position after it is what counts
        result.evaluated = false;
        priors[0] = 1;
        return;
    }
    result.value = evaluator_->evaluate(*game_, moves_, priors);
    softmax(priors, params_.prior_temperature);
}

bool GameExplorer::is_over(Expansion& result) const {
    const Result end = game_->result();
    if (end == Result::kOpen) return false;
    result.value = game_->value_for_mover(end);
    result.proof = result.value > 0 ? Proof::kWin : result.value < 0 ? Proof::kLoss : Proof::kDraw;
    return true;
}

/// A move that ends the game in the mover's favour, or kNoCell.
Cell GameExplorer::winning_move() {
    for (Cell move : moves_) {
        game_->play(move);
        const bool wins = game_->value_for_mover(game_->result()) < 0;
        game_->undo();
        if (wins) return move;
    }
    return kNoCell;
}

}  // namespace tengen
