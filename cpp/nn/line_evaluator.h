#pragma once

#include <memory>
#include <span>

#include "game/board.h"
#include "nn/line_network.h"

namespace tengen {

/// What a network thinks of a position, for the side to move.
struct Evaluation {
    float value;  ///< win - loss, from -1 to 1
    float win, draw, loss;
};

/// Evaluates positions with a line network. One for each thread.
///
/// For each side it keeps the sums of window features of the position that it saw last, and applies only the windows
/// that differ: neighbours in a search tree are cheap, and boards need not tell what they did in between.
/// Key method: `evaluate`.
class LineEvaluator {
public:
    explicit LineEvaluator(std::shared_ptr<const LineNetwork> network);
    ~LineEvaluator();
    LineEvaluator(LineEvaluator&&) noexcept;
    LineEvaluator& operator=(LineEvaluator&&) noexcept;

    /// Writes the policy's logit of each of `moves` to `logits`. The value looks at the listed cells too: list all
    /// candidates, and drop moves afterwards. Equal positions give equal numbers, whatever was evaluated before, and so
    /// do their images under the eight symmetries, bit for bit.
    /// Throws std::invalid_argument when the board keeps windows of another radius, or none.
    Evaluation evaluate(const Board& board, std::span<const Cell> moves, std::span<float> logits);

    class Implementation;

private:
    std::shared_ptr<const LineNetwork> network_;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace tengen
