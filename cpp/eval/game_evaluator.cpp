#include "eval/game_evaluator.h"

#include <algorithm>

namespace tengen {

float value_for_mover(const Game& game, Result result) {
    if (result != Result::kFirstWins && result != Result::kSecondWins) return 0;
    return (result == Result::kFirstWins) == game.is_first_to_move() ? 1 : -1;
}

float UniformGameEvaluator::evaluate(Game&, std::span<const Cell>, std::span<float> logits) {
    std::ranges::fill(logits, 0.0f);
    return 0;
}

std::unique_ptr<GameEvaluator> UniformGameEvaluator::clone(std::uint64_t) const {
    return std::make_unique<UniformGameEvaluator>();
}

float RolloutGameEvaluator::evaluate(Game& game, std::span<const Cell>, std::span<float> logits) {
    // Too little to weigh on the choice, enough to decide which of equal moves is tried first.
    for (float& logit : logits) logit = 1e-3f * random_.uniform();
    const int start = game.ply();
    Result result;
    while ((result = game.result()) == Result::kOpen) {
        game.legal_moves(moves_);
        game.play(moves_[random_.below(static_cast<std::uint32_t>(moves_.size()))]);
    }
    while (game.ply() > start) game.undo();
    return value_for_mover(game, result);
}

std::unique_ptr<GameEvaluator> RolloutGameEvaluator::clone(std::uint64_t seed) const {
    return std::make_unique<RolloutGameEvaluator>(seed);
}

BatchedGameEvaluator::BatchedGameEvaluator(std::shared_ptr<BatchQueue> queue, bool random_symmetry, std::uint64_t seed)
    : queue_(std::move(queue)), random_symmetry_(random_symmetry), random_(seed) {
    planes_.resize(queue_->shape().inputs());
    logits_.resize(static_cast<std::size_t>(queue_->shape().moves));
}

float BatchedGameEvaluator::evaluate(Game& game, std::span<const Cell> moves, std::span<float> logits) {
    const auto symmetries = static_cast<std::uint32_t>(game.symmetries());
    const int symmetry = random_symmetry_ ? static_cast<int>(random_.below(symmetries)) : 0;
    game.encode(planes_.data(), symmetry);
    float value = 0;
    queue_->evaluate(planes_.data(), logits_.data(), &value);
    for (std::size_t i = 0; i < moves.size(); ++i) {
        logits[i] = logits_[static_cast<std::size_t>(game.transform(moves[i], symmetry))];
    }
    return value;
}

std::string BatchedGameEvaluator::objection(const Game& game) const {
    const BatchQueue::Shape& shape = queue_->shape();
    const bool fits = shape.planes == game.plane_count() && shape.width == game.width() &&
                      shape.height == game.height() && shape.moves == game.move_count();
    return fits ? "" : "the network was made for another game";
}

std::unique_ptr<GameEvaluator> BatchedGameEvaluator::clone(std::uint64_t seed) const {
    return std::make_unique<BatchedGameEvaluator>(queue_, random_symmetry_, seed);
}

}  // namespace tengen
