#pragma once

#include <array>
#include <vector>

#include "eval/evaluator.h"
#include "game/random.h"

namespace tengen {

/// An opinion for games between players who do not want to make five (see MisereExplorer): the value is the result of a
/// random game in which both avoid it as long as they can. As with every evaluator, 1 says that the mover makes five
/// and high logits are moves that a player who wants five would like: they block the enemy's rows or build own ones.
class ReluctantEvaluator final : public GomokuEvaluator {
public:
    explicit ReluctantEvaluator(std::uint64_t seed);
    std::unique_ptr<Evaluator> clone(std::uint64_t seed) const override;

private:
    float judge(Board& board, std::span<const Cell> moves, std::span<float> logits) override;
    void score_moves(const Board& board, std::span<const Cell> moves, std::span<float> logits);
    float play_reluctantly(Board& board);

    Random random_;
    std::array<float, kMaxCells> scores_;
};

}  // namespace tengen
