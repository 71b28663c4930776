#pragma once

#include <memory>

#include "eval/evaluator.h"
#include "nn/line_evaluator.h"

namespace tengen {

/// A line network's opinion, computed in the thread that asks.
class NetworkEvaluator final : public GomokuEvaluator {
public:
    explicit NetworkEvaluator(std::shared_ptr<const LineNetwork> network) : network_(network), line_(network) {}

    std::unique_ptr<Evaluator> clone(std::uint64_t) const override {
        return std::make_unique<NetworkEvaluator>(network_);
    }
    ThreatGuide guide() override {
        return [this](Board& board, CellLogits& logits) { return evaluate_candidates(board, logits); };
    }
    int window_radius() const override { return network_->radius(); }

private:
    float judge(Board& board, std::span<const Cell> moves, std::span<float> logits) override {
        return line_.evaluate(board, moves, logits).value;
    }
    std::string objection_to(Rules rules) const override {
        if (ShapeTable::covers(rules, network_->radius())) return {};
        return "a line network of radius " + std::to_string(network_->radius()) +
               " cannot see all that this rule needs";
    }

    std::shared_ptr<const LineNetwork> network_;
    LineEvaluator line_;
};

}  // namespace tengen
