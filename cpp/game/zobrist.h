#pragma once

#include <array>
#include <cstdint>

#include "game/point_set.h"
#include "game/random.h"
#include "game/rules.h"

namespace tengen {

/// Zobrist keys: the hash of a position is the exclusive or of its stones' keys, so a move changes it in one step.
struct ZobristKeys {
    std::array<std::array<std::uint64_t, kMaxCells>, 2> stones;
    std::uint64_t white_to_move;

    constexpr ZobristKeys() : stones(), white_to_move(split_mix(0)) {
        for (int color = 0; color < 2; ++color) {
            for (int cell = 0; cell < kMaxCells; ++cell) stones[color][cell] = split_mix(1 + 2 * cell + color);
        }
    }
};

inline constexpr ZobristKeys kZobrist;

}  // namespace tengen
