#pragma once

#include <memory>

#include "game/game.h"
#include "game/random.h"
#include "games/game_kind.h"
#include "selfplay/params.h"

namespace tengen {

/// A game after a few random moves, which may already be decided. In Gomoku the stones lie near each other around a
/// point that is usually central and sometimes anywhere, or loosely all over the board; in other games any move will
/// do.
std::unique_ptr<Game> random_opening(const GameKind& kind, const SelfPlayParams& params, Random& random);

/// Is it over, or wins somebody of Gomoku at once, or with a four that cannot be stopped? Such an opening is no game.
bool is_decided(const Game& game);

}  // namespace tengen
