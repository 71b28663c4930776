#include "mcts/make_explorer.h"

#include <stdexcept>
#include <string>
#include <utility>

#include "game/board.h"
#include "mcts/game_explorer.h"
#include "mcts/gomoku_explorer.h"
#include "mcts/misere_explorer.h"

namespace tengen {

std::unique_ptr<Explorer> make_explorer(const Game& position, std::unique_ptr<Evaluator> evaluator,
                                        const KnowledgeParams& knowledge) {
    const std::string objection = evaluator->objection(position);
    if (!objection.empty()) throw std::invalid_argument(objection);
    const Board* board = as_board(position);
    if (!board && knowledge.misere) throw std::invalid_argument("the goal of Gomoku alone can be negated");
    if (!board) return std::make_unique<GameExplorer>(position, std::move(evaluator), knowledge);
    if (!knowledge.misere) return std::make_unique<GomokuExplorer>(*board, std::move(evaluator), knowledge);
    return std::make_unique<MisereExplorer>(*board, std::move(evaluator), knowledge.prior_temperature);
}

}  // namespace tengen
