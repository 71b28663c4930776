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
class Evaluator : public ThreatGuide {
public:
    /// An independent evaluator of the same kind for another thread.
    virtual std::unique_ptr<Evaluator> clone(std::uint64_t seed) const = 0;
    /// The radius of the board windows that it reads; 0 when it does not care.
    virtual int window_radius() const { return 0; }
    /// Itself, if it is quick and wise enough to guide a solver.
    virtual ThreatGuide* guide() { return nullptr; }
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
