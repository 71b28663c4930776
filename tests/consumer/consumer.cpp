// Four in a row, open at one end: a search with the installed library finds the fifth.

#include <tengen/eval/expert_evaluator.h>
#include <tengen/mcts/gomoku_explorer.h>
#include <tengen/mcts/mcts.h>

#include <cstdio>

int main() {
    using namespace tengen;
    Board board(15, 15, {});
    for (const Cell cell : {0, 30, 1, 31, 2, 32, 3, 60}) board.play(cell);
    Mcts search(std::make_unique<GomokuExplorer>(board, std::make_unique<ExpertEvaluator>(), KnowledgeParams{}), {});
    search.search({.playouts = 100});
    const bool found = search.best_move() == 4 && search.root_proof() == Proof::kWin;
    std::puts(found ? "ok" : "the fifth stone was not found");
    return found ? 0 : 1;
}
