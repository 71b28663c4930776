#include "mcts/misere_explorer.h"

#include "nn/softmax.h"

namespace tengen {

MisereExplorer::MisereExplorer(const Board& board, std::unique_ptr<Evaluator> evaluator, float prior_temperature)
    : board_(board.with_radius(evaluator->window_radius())),
      evaluator_(std::move(evaluator)),
      prior_temperature_(prior_temperature) {}

std::unique_ptr<Explorer> MisereExplorer::clone(std::uint64_t seed) const {
    return std::make_unique<MisereExplorer>(board_, evaluator_->clone(seed), prior_temperature_);
}

void MisereExplorer::expand(const ThreatLimits*, Expansion& result) {
    result.clear();
    const PointSet legal = board_.last_move_won() ? PointSet() : board_.legal(board_.empties());
    if (legal.empty()) {
        result.proof = board_.last_move_won() ? Proof::kWin : Proof::kDraw;
        result.value = value_of(result.proof);
        return;
    }
    // Moves that make five are left out: each of them loses at once, so the list is still complete for a proof.
    legal.for_each([&](Cell cell) {
        if (!board_.wins_at(cell, board_.turn())) result.moves[result.count++] = cell;
    });
    if (result.count == 0) {
        result.proof = Proof::kLoss;
        result.value = value_of(result.proof);
        result.count = 1;
        result.moves[0] = legal.first();
        result.priors[0] = 1;
        return;
    }
    const std::span<const Cell> moves(result.moves.data(), result.count);
    const std::span<float> priors(result.priors.data(), result.count);
    result.value = -evaluator_->evaluate(board_, moves, priors);
    for (float& logit : priors) logit = -logit;
    softmax(priors, prior_temperature_);
}

}  // namespace tengen
