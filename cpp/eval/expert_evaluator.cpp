#include "eval/expert_evaluator.h"

namespace tengen {

float ExpertEvaluator::judge(Board& board, std::span<const Cell> moves, std::span<float> logits) {
    if (!expert_) expert_.emplace(board);
    const float value = expert_->value(board);
    for (std::size_t i = 0; i < moves.size(); ++i) {
        logits[i] = static_cast<float>(expert_->move_score(moves[i], board.turn())) / Expert::kMoveScale;
    }
    return value;
}

std::unique_ptr<Evaluator> ExpertEvaluator::clone(std::uint64_t) const {
    return std::make_unique<ExpertEvaluator>();
}

}  // namespace tengen
