#pragma once

#include <cstdint>

namespace tengen {

/// What `tengen bench rules` prints. Times are of this machine; the signature is the same on every machine.
struct RulesBench {
    double do_undo_radius4_ns;  ///< freestyle, one stone placed and taken back, windows and threats kept
    double do_undo_radius5_ns;  ///< the same with the wider window
    double do_undo_renju_ns;
    double collect_threats_ns;   ///< all threat sets of both colours after a move
    double forbidden_points_us;  ///< all of black's forbidden points of a renju middle game
    double shapes_us;            ///< every shape of both colours on the whole board
    std::uint64_t signature;
    std::uint32_t board_bytes;
};

RulesBench bench_rules(int positions, std::uint64_t seed);

}  // namespace tengen
