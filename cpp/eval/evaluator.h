#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "game/board.h"
#include "game/random.h"
#include "threats/guide.h"

namespace tengen {

/// An opinion about a Gomoku position: how good it is for the mover, and which moves look promising.
/// One evaluator belongs to one thread.
class Evaluator {
public:
    virtual ~Evaluator() = default;

    /// The value in [-1, 1] for the side to move, and a logit for each of `moves`. The board is as before on return.
    virtual float evaluate(Board& board, std::span<const Cell> moves, std::span<float> logits) = 0;
    /// The same for all candidate points, forbidden ones too: that is what networks learn from, and the value of a line
    /// network looks at the cells that are listed. Points that are no candidates get the lowest logit of those that
    /// are.
    float evaluate_candidates(Board& board, CellLogits& logits);
    /// An independent evaluator of the same kind for another thread.
    virtual std::unique_ptr<Evaluator> clone(std::uint64_t seed) const = 0;
    /// The radius of the board windows that it reads; 0 when it does not care.
    virtual int window_radius() const { return 0; }
    /// A guide for a solver, as long as the evaluator lives; none if it is not quick or wise enough.
    virtual ThreatGuide guide() { return {}; }
    /// The thread begins to evaluate one position after the other, or ceases to: who gathers positions from many
    /// threads waits for those who do.
    virtual void set_asking(bool /*asking*/) {}
    /// Throws if an evaluation has failed since the last call. Search threads cannot: they carry on with zeros.
    virtual void check() {}
    /// Boards that it cannot evaluate: a sentence that says why, or nothing.
    virtual std::string objection(int /*width*/, int /*height*/, Rules) const { return {}; }
};

/// No opinion: every position is even, every move as good as another.
class UniformEvaluator final : public Evaluator {
public:
    float evaluate(Board& board, std::span<const Cell> moves, std::span<float> logits) override;
    std::unique_ptr<Evaluator> clone(std::uint64_t seed) const override;
};

/// The result of a game played at random to its end. Moves have no priors but a random order.
/// Forbidden points are not looked at in the random game: that would cost more than the game.
class RolloutEvaluator final : public Evaluator {
public:
    explicit RolloutEvaluator(std::uint64_t seed);
    float evaluate(Board& board, std::span<const Cell> moves, std::span<float> logits) override;
    std::unique_ptr<Evaluator> clone(std::uint64_t seed) const override;

private:
    Random random_;
};

}  // namespace tengen
