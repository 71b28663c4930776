#pragma once

#include <memory>

#include "eval/evaluator.h"
#include "game/game.h"
#include "mcts/explorer.h"
#include "mcts/params.h"

namespace tengen {

/// What a search sees of a position: Gomoku's boards with the knowledge of threats, any other game by its rules alone.
/// Throws std::invalid_argument where there is no such explorer, or the evaluator objects.
std::unique_ptr<Explorer> make_explorer(const Game& position, std::unique_ptr<Evaluator> evaluator,
                                        const KnowledgeParams& knowledge);

}  // namespace tengen
