#include "games/game_kind.h"

#include "game/board.h"
#include "games/registry.h"

namespace tengen {

std::unique_ptr<Game> GameKind::start() const {
    if (!is_gomoku()) return make_game(other);
    return std::make_unique<Board>(width, height, rules);
}

}  // namespace tengen
