#include "nn/line_evaluator.h"

#include <array>
#include <stdexcept>
#include <string>

#include "nn/line_accumulator.h"
#include "nn/line_heads.h"

namespace tengen {

class LineEvaluator::Implementation {
public:
    virtual ~Implementation() = default;
    virtual Evaluation evaluate(const Board& board, std::span<const Cell> moves, std::span<float> logits) = 0;
};

namespace {

template <int kChannels>
class SizedEvaluator final : public LineEvaluator::Implementation {
public:
    explicit SizedEvaluator(const LineNetwork& network) : network_(network), heads_(network) {}

    Evaluation evaluate(const Board& board, std::span<const Cell> moves, std::span<float> logits) override {
        check(board);
        LineAccumulator<kChannels>& accumulator = accumulator_for(board);
        accumulator.sync(board.windows(board.turn()));
        alignas(64) std::array<std::int32_t, kChannels> pooled;
        accumulator.spread(pooled.data());
        return heads_.evaluate(accumulator, pooled.data(), moves, logits);
    }

private:
    /// The accumulator of the side to move; it starts anew when the board or the rule is another one than last time.
    LineAccumulator<kChannels>& accumulator_for(const Board& board) {
        LineAccumulator<kChannels>& accumulator = accumulators_[index(board.turn())];
        const LineCondition condition = line_condition(board.rules().rule, board.turn());
        if (layout_.geometry != &board.geometry()) {
            layout_.reset(board.geometry());
            for (auto& each : accumulators_) each.clear();
        }
        if (!accumulator.is_for(condition)) accumulator.reset(layout_, network_, condition);
        return accumulator;
    }

    void check(const Board& board) const {
        if (board.has_windows() && board.geometry().code.radius() == network_.radius()) return;
        throw std::invalid_argument("this network needs a board that keeps windows of radius " +
                                    std::to_string(network_.radius()));
    }

    const LineNetwork& network_;
    LineHeads<kChannels> heads_;
    LineLayout layout_;
    std::array<LineAccumulator<kChannels>, 2> accumulators_;
};

}  // namespace

LineEvaluator::LineEvaluator(std::shared_ptr<const LineNetwork> network) : network_(std::move(network)) {
    switch (network_->config().channels) {
        case 32: implementation_ = std::make_unique<SizedEvaluator<32>>(*network_); break;
        case 64: implementation_ = std::make_unique<SizedEvaluator<64>>(*network_); break;
        default: implementation_ = std::make_unique<SizedEvaluator<128>>(*network_); break;
    }
}

LineEvaluator::~LineEvaluator() = default;
LineEvaluator::LineEvaluator(LineEvaluator&&) noexcept = default;
LineEvaluator& LineEvaluator::operator=(LineEvaluator&&) noexcept = default;

Evaluation LineEvaluator::evaluate(const Board& board, std::span<const Cell> moves, std::span<float> logits) {
    return implementation_->evaluate(board, moves, logits);
}

}  // namespace tengen
