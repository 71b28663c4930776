#include "eval/evaluator.h"

#include <algorithm>
#include <array>

namespace tengen {

float Evaluator::evaluate_candidates(Board& board, CellLogits& logits) {
    std::array<Cell, kMaxCells> cells;
    std::size_t count = 0;
    board.candidates().for_each([&](Cell cell) { cells[count++] = cell; });
    std::array<float, kMaxCells> listed;
    const float value = evaluate(board, std::span(cells).first(count), std::span(listed).first(count));
    const float lowest = count > 0 ? *std::min_element(listed.begin(), listed.begin() + count) : 0;
    std::fill_n(logits.begin(), board.cells(), lowest);
    for (std::size_t i = 0; i < count; ++i) logits[cells[i]] = listed[i];
    return value;
}

float UniformEvaluator::evaluate(Game&, std::span<const Cell>, std::span<float> logits) {
    std::ranges::fill(logits, 0.0f);
    return 0;
}

std::unique_ptr<Evaluator> UniformEvaluator::clone(std::uint64_t) const {
    return std::make_unique<UniformEvaluator>();
}

float RolloutEvaluator::evaluate(Game& game, std::span<const Cell>, std::span<float> logits) {
    // Too little to weigh on the choice, enough to decide which of equal moves is tried first.
    for (float& logit : logits) logit = 1e-3f * random_.uniform();
    return game.value_for_mover(game.play_out(random_));
}

std::unique_ptr<Evaluator> RolloutEvaluator::clone(std::uint64_t seed) const {
    return std::make_unique<RolloutEvaluator>(seed);
}

}  // namespace tengen
