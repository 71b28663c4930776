#pragma once

#include <atomic>

#include "game/random.h"
#include "mcts/mcts.h"
#include "selfplay/policy.h"

namespace tengen {

/// Gumbel AlphaZero (Danihelka et al., "Policy improvement by planning with Gumbel", 2022): a few moves are drawn from
/// the priors without replacement, and sequential halving shares the playouts out among them. What comes out is better
/// than the priors even after few playouts, where visit counts would mostly repeat them.
///
/// A move's score is log prior + noise + scale * (50 + most visits of a move) * value.
///
/// @param most_moves How many moves are drawn.
/// @param value_scale See above.
/// @return The moves with the softmax of their scores without noise; untried ones count as the mean of the tried ones.
Policy gumbel_search(Mcts& mcts, int playouts, int most_moves, float value_scale, Random& random,
                     const std::atomic<bool>* stop);

}  // namespace tengen
