#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "eval/batch_queue.h"
#include "game/random.h"
#include "games/game.h"

namespace tengen {

/// An opinion about a position of any Game: what Evaluator is for Gomoku. One evaluator belongs to one thread.
class GameEvaluator {
public:
    virtual ~GameEvaluator() = default;

    /// The value in [-1, 1] for the side to move, and a logit for each of `moves`. The game is as before on return.
    virtual float evaluate(Game& game, std::span<const Cell> moves, std::span<float> logits) = 0;
    /// An independent evaluator of the same kind for another thread.
    virtual std::unique_ptr<GameEvaluator> clone(std::uint64_t seed) const = 0;
    /// The thread begins to evaluate one position after the other, or ceases to: who gathers positions from many
    /// threads waits for those who do.
    virtual void set_asking(bool /*asking*/) {}
    /// Throws if an evaluation has failed since the last call. Search threads cannot: they carry on with zeros.
    virtual void check() {}
    /// Games that it cannot evaluate: a sentence that says why, or nothing.
    virtual std::string objection(const Game&) const { return {}; }
};

/// No opinion: every position is even, every move as good as another.
class UniformGameEvaluator final : public GameEvaluator {
public:
    float evaluate(Game& game, std::span<const Cell> moves, std::span<float> logits) override;
    std::unique_ptr<GameEvaluator> clone(std::uint64_t seed) const override;
};

/// The result of a game played at random to its end. Moves have no priors but a random order.
class RolloutGameEvaluator final : public GameEvaluator {
public:
    explicit RolloutGameEvaluator(std::uint64_t seed) : random_(seed) {}
    float evaluate(Game& game, std::span<const Cell> moves, std::span<float> logits) override;
    std::unique_ptr<GameEvaluator> clone(std::uint64_t seed) const override;

private:
    Random random_;
    std::vector<Cell> moves_;
};

/// A network behind a BatchQueue. With `random_symmetry` each position is shown in one of the game's symmetries, drawn
/// anew for each call.
class BatchedGameEvaluator final : public GameEvaluator {
public:
    BatchedGameEvaluator(std::shared_ptr<BatchQueue> queue, bool random_symmetry, std::uint64_t seed);

    float evaluate(Game& game, std::span<const Cell> moves, std::span<float> logits) override;
    std::unique_ptr<GameEvaluator> clone(std::uint64_t seed) const override;
    void set_asking(bool asking) override { queue_->set_asking(asking); }
    void check() override { queue_->check(); }
    std::string objection(const Game& game) const override;

private:
    std::shared_ptr<BatchQueue> queue_;
    bool random_symmetry_;
    Random random_;
    std::vector<float> planes_, logits_;
};

/// What the result is worth for the side to move, or would be if the game were over.
float value_for_mover(const Game& game, Result result);

}  // namespace tengen
