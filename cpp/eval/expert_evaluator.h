#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "eval/evaluator.h"
#include "eval/expert.h"

namespace tengen {

/// The expert evaluation of the alpha-beta search as value and priors.
class ExpertEvaluator final : public GomokuEvaluator {
public:
    std::unique_ptr<Evaluator> clone(std::uint64_t seed) const override;

private:
    float judge(Board& board, std::span<const Cell> moves, std::span<float> logits) override;
    std::optional<Expert> expert_;  // made for the first board it sees
};

}  // namespace tengen
