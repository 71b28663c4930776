#pragma once

#include <memory>
#include <string>

#include "game/game.h"
#include "game/rules.h"

namespace tengen {

/// Which game is played: Gomoku by a rule on a board, or another one.
struct GameKind {
    std::string other{};  ///< the name of another game than Gomoku (see make_game); `rules` then mean nothing
    Rules rules{};
    int width = 15, height = 15;

    bool is_gomoku() const { return other.empty(); }
    /// The game before its first move. Throws std::invalid_argument if there is none of this kind.
    std::unique_ptr<Game> start() const;
};

}  // namespace tengen
