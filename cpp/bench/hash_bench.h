#pragma once

#include <cstdint>

namespace tengen {

/// A Zobrist hash that follows every move against one that is computed anew from all points of the board.
///
/// Nanoseconds for a stone that is placed, hashed and taken back, in middle games on 15x15. "Bare" is an array of
/// points that knows nothing else; "board" is `Board`, which keeps windows and threats as well.
struct HashBench {
    double bare_none_ns;  ///< no hash at all
    double bare_incremental_ns;
    double bare_full_ns;
    double board_incremental_ns;
    double board_full_ns;      ///< all points; the board's own hash, which cannot be turned off, is kept as well
    std::int64_t moves;        ///< in each round
    std::int64_t differences;  ///< hashes that were not the same both ways: must be 0
    std::uint64_t signature;
};

/// The fastest of `rounds` counts for each position, so that other programs disturb little.
HashBench bench_hash(int positions, int rounds, std::uint64_t seed);

}  // namespace tengen
