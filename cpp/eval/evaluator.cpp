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

float UniformEvaluator::evaluate(Board&, std::span<const Cell>, std::span<float> logits) {
    std::ranges::fill(logits, 0.0f);
    return 0;
}

std::unique_ptr<Evaluator> UniformEvaluator::clone(std::uint64_t) const {
    return std::make_unique<UniformEvaluator>();
}

RolloutEvaluator::RolloutEvaluator(std::uint64_t seed) : random_(seed) {}

float RolloutEvaluator::evaluate(Board& board, std::span<const Cell>, std::span<float> logits) {
    // Too little to weigh on the choice, enough to decide which of equal moves is tried first.
    for (float& logit : logits) logit = 1e-3f * random_.uniform();

    const Color mover = board.turn();
    const int start = board.ply();
    std::array<Cell, kMaxCells> empties;
    int count = 0;
    board.empties().for_each([&](Cell cell) { empties[count++] = cell; });
    float value = 0;
    while (count > 0) {
        const int pick = static_cast<int>(random_.below(static_cast<std::uint32_t>(count)));
        const Cell cell = empties[pick];
        empties[pick] = empties[--count];
        if (board.wins_at(cell, board.turn())) {
            value = board.turn() == mover ? 1 : -1;
            break;
        }
        board.play(cell);
    }
    while (board.ply() > start) board.undo();
    return value;
}

std::unique_ptr<Evaluator> RolloutEvaluator::clone(std::uint64_t seed) const {
    return std::make_unique<RolloutEvaluator>(seed);
}

}  // namespace tengen
