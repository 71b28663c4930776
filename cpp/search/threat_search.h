#pragma once

#include <cstdint>
#include <vector>

#include "game/board.h"

namespace tengen {

/// A search for a win by continuous threats, which extends the alpha-beta search at its root and leaves.
/// Whatever it calls a win must be one, and the answer may depend on nothing but the position and `plies`.
class ThreatSearch {
public:
    virtual ~ThreatSearch() = default;

    /// Can the side to move win within `plies` (its five included)? Returns the length of the win it found, or 0.
    /// The board is changed and restored. `line`, unless null, receives the moves of a win.
    virtual int wins(Board& board, int plies, std::vector<Cell>* line) = 0;
};

/// Continuous fours only (VCF): every attacking move threatens five, so each answer is forced.
class FourSearch : public ThreatSearch {
public:
    int wins(Board& board, int plies, std::vector<Cell>* line) override;

private:
    int attack(Board& board, int plies);
    int answer(Board& board, int plies);

    /// Where this position's failure at this depth is remembered: the same fours in another order need no second try.
    std::uint64_t& failure_slot(std::uint64_t key) { return failures_[key % failures_.size()]; }

    /// Bounds a search in a position full of fours.
    static constexpr int kMaxNodes = 20'000;
    int nodes_ = 0;
    /// Keys of failed attacks, salted with the number of the call, so that calls do not see each other's.
    std::vector<std::uint64_t> failures_ = std::vector<std::uint64_t>(4096);
    std::uint64_t calls_ = 0;
    std::uint64_t salt_ = 0;
    /// The winning line, last move first.
    std::vector<Cell> reversed_line_;
};

}  // namespace tengen
