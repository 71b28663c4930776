#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "game/board.h"

namespace tengen {

/// The stones of a position, up to the symmetries of the board: of its orientations the one with the smallest hash. The
/// side to move follows from the number of stones.
struct ProofPosition {
    std::array<std::vector<Cell>, 2> stones;  ///< by colour, ascending
    std::uint64_t key = 0;

    ProofPosition() = default;
    /// As given, and without a key.
    explicit ProofPosition(std::array<std::vector<Cell>, 2> as_given) : stones(std::move(as_given)) {}

    Color turn() const { return stones[0].size() == stones[1].size() ? Color::kBlack : Color::kWhite; }

    /// `symmetry`, if asked for, takes the board to the position.
    static ProofPosition of(const Board& board, int* symmetry = nullptr);
    /// Puts the stones on an empty board.
    void set_up(Board& board) const;
};

}  // namespace tengen
