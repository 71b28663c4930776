#include "eval/batched_evaluator.h"

#include <utility>

namespace tengen {
namespace {

std::string size_text(int width, int height) {
    return std::to_string(width) + "x" + std::to_string(height);
}

}  // namespace

BatchedEvaluator::BatchedEvaluator(std::shared_ptr<BatchQueue> queue, PlaneSpec spec, bool random_symmetry,
                                   std::uint64_t seed)
    : queue_(std::move(queue)), spec_(spec), random_symmetry_(random_symmetry), random_(seed) {
    planes_.resize(queue_->shape().inputs());
    logits_.resize(static_cast<std::size_t>(queue_->shape().moves));
}

float BatchedEvaluator::evaluate(Game& game, std::span<const Cell> moves, std::span<float> logits) {
    const auto symmetries = static_cast<std::uint32_t>(game.symmetries());
    const int symmetry = random_symmetry_ ? static_cast<int>(random_.below(symmetries)) : 0;
    game.encode(spec_, planes_.data(), symmetry);
    float value = 0;
    queue_->evaluate(planes_.data(), logits_.data(), &value);
    for (std::size_t i = 0; i < moves.size(); ++i) {
        logits[i] = logits_[static_cast<std::size_t>(game.transform(moves[i], symmetry))];
    }
    return value;
}

std::string BatchedEvaluator::objection(const Game& game) const {
    const BatchQueue::Shape& shape = queue_->shape();
    if (shape.width != game.width() || shape.height != game.height()) {
        return "the network was made for boards of " + size_text(shape.width, shape.height) + ", not " +
               size_text(game.width(), game.height());
    }
    const bool fits = shape.planes == game.plane_count(spec_) && shape.moves == game.move_count();
    return fits ? "" : "the network was made for another game";
}

std::unique_ptr<Evaluator> BatchedEvaluator::clone(std::uint64_t seed) const {
    return std::make_unique<BatchedEvaluator>(queue_, spec_, random_symmetry_, seed);
}

}  // namespace tengen
