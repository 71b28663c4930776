#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "game/board.h"
#include "game/random.h"

namespace tengen {

/// Many games of one kind that are moved on together, for learners that choose a move for each of them in one batch of
/// a network. Nothing resets itself: the caller sees final positions before it starts the next games.
/// Key method: `play`. One batch belongs to one thread.
class BoardBatch {
public:
    enum class Status : std::uint8_t { kGoesOn, kWon, kDrawn, kIllegal };

    BoardBatch(int count, int width, int height, Rules rules, std::uint64_t seed);

    int count() const { return static_cast<int>(boards_.size()); }
    int cells() const { return boards_.front().cells(); }

    /// Plays a move on every board. An occupied point leaves its board as it was.
    /// `scores` become what a move is worth by the shaped reward (see `shape_score`); 0 for illegal ones.
    void play(std::span<const std::int32_t> moves, float blocking, std::span<Status> status, std::span<float> scores);
    /// Starts a new game where `wanted` is not 0, with up to `opening_stones` random stones.
    void reset(std::span<const std::uint8_t> wanted, int opening_stones);
    /// A random empty point of each board.
    void random_moves(std::span<std::int32_t> moves);

    /// The points of every board as its mover sees them, row by row: 1 own stone, -1 enemy stone, 0 empty.
    void encode(std::span<std::int8_t> stones) const;
    void plies(std::span<std::int32_t> plies) const;

    /// The shaped reward (docs/origins.md, S2) of a move at an empty point, as a logarithm: log10(score(own) + blocking
    /// * score(enemy)), where score(p) is ten to the sum, over the four directions, of the length of the row that p's
    /// stone at the point would have. 4.28 for a stone on its own with `blocking` 0.9, and one more for every stone it
    /// joins or cuts off.
    static float shape_score(const Board& board, Cell cell, float blocking);

private:
    Cell random_empty(const Board& board);

    std::vector<Board> boards_;
    Random random_;
};

}  // namespace tengen
