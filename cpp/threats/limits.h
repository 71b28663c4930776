#pragma once

#include <atomic>
#include <cstdint>

#include "game/point_set.h"

namespace tengen {

/// How much a threat solver may spend.
struct ThreatLimits {
    std::int64_t max_nodes = 1'000'000;       ///< positions looked at
    double max_seconds = 0;                   ///< 0: no limit
    int max_depth = 0;                        ///< plies, 0: no limit; see Vcf and Vct for what is counted
    const std::atomic<bool>* stop = nullptr;  ///< set from another thread to end the search
    std::int64_t max_nodes_of_fours = 300;    ///< of a win by fours inside a search for threats: see Vct
};

/// What a threat solver found.
struct ThreatResult {
    enum Status : std::uint8_t {
        kWin,      ///< proven: the attacker wins by force
        kNone,     ///< there is no such win
        kUnknown,  ///< a limit ended the search
    };
    Status status = kUnknown;
    Cell move = kNoCell;     ///< the first move of the win
    std::int64_t nodes = 0;  ///< spent on this call
};

}  // namespace tengen
