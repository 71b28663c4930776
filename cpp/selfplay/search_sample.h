#pragma once

#include "search/mcts.h"
#include "selfplay/game_record.h"

namespace tengen {

/// What there is to learn from a search. Moves with fewer visits than `least_visits` times the most are left out.
Sample search_sample(const SearchReport& report, int ply, float least_visits);

}  // namespace tengen
