#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "game/point_set.h"
#include "threats/limits.h"

namespace tengen {

/// What is certain about a position, from the view of its mover.
enum class Proof : std::uint8_t { kNone, kWin, kLoss, kDraw };

constexpr float value_of(Proof proof) {
    return proof == Proof::kWin ? 1.0f : proof == Proof::kLoss ? -1.0f : 0.0f;
}

/// The same from the other side.
constexpr Proof invert(Proof proof) {
    return proof == Proof::kWin ? Proof::kLoss : proof == Proof::kLoss ? Proof::kWin : proof;
}

/// What the search learns when it reaches a position for the first time.
struct Expansion {
    Proof proof = Proof::kNone;
    /// The winning move when proof is kWin and the position is not already over; otherwise kNoCell.
    Cell winning_move = kNoCell;
    /// False when the only move is forced: then the value is that of the position after it.
    bool evaluated = true;
    /// Do the moves below include every one that could avoid a loss? Only then "all of them lose" is a proof.
    bool complete = true;
    float value = 0;
    int results = 1;  ///< as how many playouts the value counts
    int count = 0;
    std::array<Cell, kMaxCells> moves;
    std::array<float, kMaxCells> priors;

    void clear() {
        proof = Proof::kNone;
        winning_move = kNoCell;
        evaluated = complete = true;
        value = 0;
        results = 1;
        count = 0;
    }
};

/// A game as the search sees it: a position that moves can be made on, and an opinion about it. The search knows
/// nothing else about the game; two players move in turn and one's gain is the other's loss. One explorer belongs to
/// one thread.
class Explorer {
public:
    virtual ~Explorer() = default;
    virtual void play(Cell move) = 0;
    virtual void undo() = 0;
    /// Of the position: equal ones have equal hashes, whatever moves led there. 0 where the game does not know it.
    virtual std::uint64_t hash() const { return 0; }
    /// What a move changes in the hash, by exclusive or: a move of whoever is to move now, or of the other side.
    virtual std::uint64_t hash_change(Cell /*move*/, bool /*by_mover*/) const { return 0; }
    /// Moves, priors and value of the current position. At the root more effort is made, within the limits given then:
    /// the answer is about to be played. But no long proofs: `prove` follows, and there are moves to choose from
    /// meanwhile.
    virtual void expand(const ThreatLimits* at_root, Expansion& result) = 0;
    /// Another look at a position that has been visited `visits` times: a winning move, or kNoCell. The effort is the
    /// explorer's choice, but never beyond the limits.
    virtual Cell prove(int /*visits*/, const ThreatLimits& /*limits*/) { return kNoCell; }
    static constexpr int kAtRoot = std::numeric_limits<int>::max();
    /// Does the mover win by force after a move that the other side is about to choose? Makes all the effort that the
    /// limits allow; what it found out before an end is not lost for the next question.
    virtual ThreatResult refute(const ThreatLimits& /*limits*/) { return {.status = ThreatResult::kNone}; }
    /// The thread begins to expand positions, or ceases to for a while (see Evaluator::set_asking).
    virtual void set_asking(bool /*asking*/) {}
    /// The same position for another thread.
    virtual std::unique_ptr<Explorer> clone(std::uint64_t seed) const = 0;
};

}  // namespace tengen
