#pragma once

#include <cstdint>

namespace tengen {

/// What `tengen bench threats` prints. Times are of this machine; the signature is the same on every machine.
struct ThreatsBench {
    double vcf_million_nodes_per_second;  ///< of searches that visit many positions
    double vcf_reject_us;                 ///< a middle game without a VCF, to the end, mean
    double vcf_expansion_ns;              ///< at every candidate move of a middle game with 30 nodes, mean
    double vcf_long_win_ms;               ///< a win of 15 plies or more in a middle game, mean
    double vcf_long_win_worst_ms;
    double vct_solve_ms;  ///< 8 plies of threats in a middle game without a VCF, at most 20,000 nodes, mean
    int rejected;         ///< middle games behind vcf_reject_us
    int long_wins;        ///< and behind vcf_long_win_ms
    std::int64_t vcf_nodes;
    std::int64_t vct_nodes;
    int vct_wins;
    std::uint64_t signature;
};

ThreatsBench bench_threats(int positions, std::uint64_t seed);

}  // namespace tengen
