#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "game/board.h"
#include "game/random.h"
#include "threats/guide.h"

namespace tengen {

/// An opinion about a position of a game: how good it is for the mover, and which moves look promising. Some know
/// Gomoku alone (GomokuEvaluator). One evaluator belongs to one thread.
class Evaluator {
public:
    virtual ~Evaluator() = default;

    /// The value in [-1, 1] for the side to move, and a logit for each of `moves`. The game is as before on return.
    virtual float evaluate(Game& game, std::span<const Cell> moves, std::span<float> logits) = 0;
    /// The same for all candidate points of Gomoku, forbidden ones too: that is what networks learn from, and the value
    /// of a line network looks at the cells that are listed. Points that are no candidates get the lowest logit of
    /// those that are.
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
    /// Games that it cannot evaluate: a sentence that says why, or nothing.
    virtual std::string objection(const Game&) const { return {}; }
};

/// An opinion about Gomoku alone.
class GomokuEvaluator : public Evaluator {
public:
    float evaluate(Game& game, std::span<const Cell> moves, std::span<float> logits) final {
        return judge(static_cast<Board&>(game), moves, logits);
    }
    std::string objection(const Game& game) const final {
        const Board* board = as_board(game);
        return board ? objection_to(board->rules()) : "this evaluator judges positions of Gomoku alone";
    }

private:
    virtual float judge(Board& board, std::span<const Cell> moves, std::span<float> logits) = 0;
    virtual std::string objection_to(Rules) const { return {}; }
};

/// No opinion: every position is even, every move as good as another.
class UniformEvaluator final : public Evaluator {
public:
    float evaluate(Game& game, std::span<const Cell> moves, std::span<float> logits) override;
    std::unique_ptr<Evaluator> clone(std::uint64_t seed) const override;
};

/// The result of a game played at random to its end. Moves have no priors but a random order.
class RolloutEvaluator final : public Evaluator {
public:
    explicit RolloutEvaluator(std::uint64_t seed) : random_(seed) {}
    float evaluate(Game& game, std::span<const Cell> moves, std::span<float> logits) override;
    std::unique_ptr<Evaluator> clone(std::uint64_t seed) const override;

private:
    Random random_;
};

}  // namespace tengen
