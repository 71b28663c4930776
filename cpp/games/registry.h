#pragma once

#include <memory>
#include <string>
#include <vector>

#include "game/game.h"

namespace tengen {

/// A new game by its name: one of game_names(), or "mnk:WxHxK" for any m,n,k game. Throws std::invalid_argument.
std::unique_ptr<Game> make_game(const std::string& name);

std::vector<std::string> game_names();

}  // namespace tengen
