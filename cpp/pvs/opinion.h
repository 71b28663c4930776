#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "mcts/explorer.h"

namespace tengen {

/// What an explorer said of a position, as far as an alpha-beta search remembers it: the best moves, best first.
struct Opinion {
    static constexpr int kMoves = 27;
    /// A move's prior as -log2 of it in 64ths: what the move costs of the depth is linear in that.
    struct Move {
        Cell cell;
        std::int16_t rarity;
    };

    std::uint64_t key = 0;
    float value = 0;
    Cell winning_move = kNoCell;
    Proof proof = Proof::kNone;
    std::uint8_t count : 6 = 0;
    bool evaluated : 1 = true;
    bool complete : 1 = true;  ///< do the moves include every one that could avoid a loss?
    std::array<Move, kMoves> moves;

    static Opinion of(std::uint64_t key, const Expansion& expansion);
    /// -log2 of a prior, in 64ths.
    static std::int16_t rarity_of(float prior);
};
static_assert(sizeof(Opinion) <= 128);

/// Opinions by position. Deepening comes back to most positions many times, and an opinion costs an evaluation by the
/// network and questions to a solver.
class OpinionCache {
public:
    explicit OpinionCache(std::int64_t bytes) {
        std::size_t entries = 1;
        while (2 * entries * sizeof(Opinion) <= static_cast<std::size_t>(bytes)) entries *= 2;
        entries_.resize(entries);
    }

    /// Where the opinion of this position is, or would be: the key says which.
    Opinion& place(std::uint64_t key) { return entries_[key & (entries_.size() - 1)]; }
    std::int64_t bytes() const { return static_cast<std::int64_t>(entries_.size() * sizeof(Opinion)); }

private:
    std::vector<Opinion> entries_;
};

}  // namespace tengen
