#pragma once

#include <memory>
#include <vector>

#include "game/board.h"
#include "threats/vct.h"

namespace tengen {

/// Continuous threats (VCT) as an extension of the alpha-beta search: many nodes at the root, few at each leaf. The
/// solvers forget between calls, so that an answer depends on the position alone.
class VctSearch {
public:
    /// The moves of a win of the side to move, or nothing. `limits.max_depth` is the number of plies; the number of
    /// nodes is set here.
    std::vector<Cell> at_root(Board& board, ThreatLimits limits);

    /// The length in plies of a win of the side to move that was found, or 0.
    int at_leaf(Board& board, int plies);

private:
    static constexpr int kRootNodes = 50'000;
    /// More find little more: most of the wins at leaves are short.
    static constexpr int kLeafNodes = 100;

    static std::vector<Cell> solve(Vct& solver, Board& board, const ThreatLimits& limits);

    std::unique_ptr<Vct> root_;  ///< made when it is needed: its table is large
    Vct leaf_{7};
};

}  // namespace tengen
