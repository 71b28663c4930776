#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "game/point_set.h"
#include "games/game_kind.h"

namespace tengen {

/// A searched position of a game: what there is to learn from it.
struct Sample {
    struct Visit {
        Cell move;
        std::uint16_t weight;  ///< visits, scaled so that the largest count fits
    };

    std::uint16_t ply = 0;      ///< how many stones were on the board
    float value = 0;            ///< of the search, for the mover, in [-1, 1]
    std::vector<Visit> visits;  ///< empty when there is nothing to learn about the moves (a lost position)
};

/// A finished game of self-play, or any game to learn from.
struct GameRecord {
    GameKind kind{};
    int opening_plies = 0;  ///< stones that were placed at random before the game
    int result = 0;         ///< 1 black (who moved first) won, -1 white won, 0 draw, kUnfinished
    std::vector<Cell> moves{};
    std::vector<Sample> samples{};

    /// The game was cut off: nothing is known but what the search thought.
    static constexpr int kUnfinished = 2;

    /// The game as bytes that tell their own length and check themselves, so that a file of games that was cut off at
    /// any byte is good up to the last complete game.
    ///
    ///     length u32 | crc32 u32 | rule u8 | n u8 | width u8 | height u8 | opening u16 | result i8 | samples u16 |
    ///     moves u16 | move u16 ... | { ply u16 | value i16 / 32767 | visits u16 | { move u16 | weight u16 } ... } ...
    ///
    /// For another game than Gomoku "rule | n | width | height" is replaced by 255 u8 | length u8 | name.
    void append_to(std::string& bytes) const;

    /// Reads the game at the beginning of `bytes` and removes it from there; nothing when there is no complete, sound
    /// game.
    static std::optional<GameRecord> take_from(std::span<const std::byte>& bytes);
};

}  // namespace tengen
