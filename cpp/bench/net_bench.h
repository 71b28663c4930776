#pragma once

#include <cstdint>
#include <memory>

#include "nn/line_network.h"

namespace tengen {

/// What `tengen bench net` prints of a line network on a 15x15 board. Times are of this machine; the signature is the
/// same on every machine and build.
struct NetBench {
    double expand_ms;               ///< one table
    double table_mb;                ///< its size
    double candidates;              ///< moves whose logits are computed, on average
    double sibling_us;              ///< a leaf beside the last one: play, candidates, evaluate, softmax, take back
    double value_only_us;           ///< the same without candidates
    double rebuild_us;              ///< the empty board, then a whole game played and its last position evaluated
    double evaluations_per_second;  ///< of sibling leaves
    std::uint64_t signature;
};

NetBench bench_net(std::shared_ptr<const LineNetwork> network, int positions, int rounds, std::uint64_t seed);

}  // namespace tengen
