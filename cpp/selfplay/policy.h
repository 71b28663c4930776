#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "game/random.h"
#include "mcts/mcts.h"
#include "selfplay/game_record.h"

namespace tengen {

/// What a search makes of a position: how likely each move should be. It is learned from, and played by.
struct Policy {
    struct Move {
        Cell move;
        float probability;
    };

    std::vector<Move> moves;    ///< none when the position is lost: then there is nothing to learn about moves
    float value = 0;            ///< of the position, for the mover
    std::int64_t playouts = 0;  ///< that the search made; fewer than it was allowed if it found a proof

    /// A move drawn with probability proportional to probability ^ (1 / temperature). There must be one.
    Cell sample(float temperature, Random& random) const;
};

/// Moves as likely as they were visited. Those with fewer visits than `least_visits` times the most are left out.
Policy visit_policy(const SearchReport& report, float least_visits);

/// How far a policy is from the priors that it grew out of (Kullback-Leibler).
float divergence(std::span<const Policy::Move> moves, std::span<const MoveReport> priors);

/// The policy as it is recorded.
Sample to_sample(const Policy& policy, int ply);

/// Gumbel noise: the largest of some log probabilities, each with noise of its own, stands at a move drawn by them.
float gumbel_noise(Random& random);

}  // namespace tengen
