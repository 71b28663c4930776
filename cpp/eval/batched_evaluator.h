#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "eval/batch_queue.h"
#include "eval/evaluator.h"
#include "game/planes.h"
#include "game/random.h"

namespace tengen {

/// A network behind a BatchQueue as an evaluator of any game; `spec` says which planes of Gomoku it sees. With
/// `random_symmetry` each position is shown in one of the game's symmetries, drawn anew for each call.
class BatchedEvaluator final : public Evaluator {
public:
    BatchedEvaluator(std::shared_ptr<BatchQueue> queue, PlaneSpec spec, bool random_symmetry, std::uint64_t seed);

    float evaluate(Game& game, std::span<const Cell> moves, std::span<float> logits) override;
    std::unique_ptr<Evaluator> clone(std::uint64_t seed) const override;
    void set_asking(bool asking) override { queue_->set_asking(asking); }
    void check() override { queue_->check(); }
    std::string objection(const Game& game) const override;

private:
    std::shared_ptr<BatchQueue> queue_;
    PlaneSpec spec_;
    bool random_symmetry_;
    Random random_;
    std::vector<float> planes_, logits_;
};

}  // namespace tengen
