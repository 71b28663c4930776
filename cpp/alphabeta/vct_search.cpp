#include "alphabeta/vct_search.h"

namespace tengen {

std::vector<Cell> VctSearch::solve(Vct& solver, Board& board, const ThreatLimits& limits) {
    const Threats& own = board.threats(board.turn());
    if (own.fours.empty() && own.open_threes.empty()) return {};
    solver.clear();
    const ThreatResult result = solver.solve(board, limits);
    if (result.status != ThreatResult::kWin) return {};
    std::vector<Cell> line = solver.line(board);
    return line.empty() ? std::vector<Cell>{result.move} : line;
}

std::vector<Cell> VctSearch::at_root(Board& board, ThreatLimits limits) {
    limits.max_nodes = kRootNodes;
    if (!root_) root_ = std::make_unique<Vct>(16);
    return solve(*root_, board, limits);
}

int VctSearch::at_leaf(Board& board, int plies) {
    return static_cast<int>(solve(leaf_, board, {.max_nodes = kLeafNodes, .max_depth = plies}).size());
}

}  // namespace tengen
