#pragma once

#include <cstdint>

namespace tengen {

/// What `tengen bench alphabeta` prints for one depth and width. Times are of this machine; nodes and the signature are
/// the same on every machine.
struct AlphaBetaBench {
    double milliseconds;  ///< of CPU time a move, on average over the positions
    double worst_milliseconds;
    double nodes;  ///< a move, on average
    double nodes_per_second;
    std::uint64_t signature;  ///< of moves, scores and node counts
};

/// Searches `positions` freestyle middle games on 15x15, which shallow searches with random openings have reached.
AlphaBetaBench bench_alpha_beta(int depth, int width, int vct_plies, int positions, std::uint64_t seed);

}  // namespace tengen
