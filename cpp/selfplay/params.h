#pragma once

#include <vector>

#include "games/game_kind.h"
#include "mcts/params.h"

namespace tengen {

/// How games are made for learning. `tengen.train.SelfPlayParams` documents the same fields for people.
struct SelfPlayParams {
    /// Each as likely as the others.
    std::vector<GameKind> kinds;

    /// Playout cap randomisation (Wu 2019): a share of moves is searched fully and recorded, the rest quickly.
    int full_playouts = 400;
    int fast_playouts = 80;
    float full_share = 0.3f;
    /// Do playouts that are kept from the last search count? They make most of the fast ones unnecessary.
    bool count_kept = false;

    /// Gumbel AlphaZero (Danihelka et al. 2022): moves among which the playouts of a full search are shared out by
    /// sequential halving; 0 for PUCT with noise. See `gumbel_search`.
    int gumbel_moves = 0;
    float gumbel_value_scale = 0.1f;

    /// Noise in the priors of full searches with PUCT.
    float root_noise = 0.25f;
    float root_noise_total_alpha = 10;
    NoiseAt noise_at = NoiseAt::kRoot;

    /// Temperature of the move choice: `early` for the first moves after the opening, then `late`.
    float early_temperature = 0.8f;
    float late_temperature = 0.2f;
    int early_moves = 8;

    /// Random stones before the game, at most; each number from 1 is as likely.
    int opening_stones = 7;
    /// Share of games that begin with an empty board, which is far from even.
    float opening_empty = 0.05f;
    /// Share of openings whose stones lie loosely all over the board, as in matches; in the others they are close.
    float opening_loose = 0.5f;
    /// An opening is accepted when a quick search values it at most this far from even; after `opening_tries` the most
    /// even one seen is taken.
    float opening_balance = 0.2f;
    int opening_tries = 12;

    /// Share of games that end as soon as the search has proven the result.
    float adjudicated_share = 0.9f;

    /// A game that fills this share of the board is broken off: what follows teaches nothing.
    float longest_game = 0.35f;

    /// Moves with fewer visits than this share of the most visited one are left out of the policy's target: they are
    /// there because of the noise.
    float least_visits = 0;

    /// Share of a position's weight that goes by how much its search surprised the network: by the divergence of the
    /// policy from the priors, against the usual one. Positions are recorded as often as they weigh: some not at all.
    /// Proven ones weigh 1.
    float surprise_share = 0;

    /// Games in a round, which begins when the last one was learned from (SelfPlayPool::next_round); 0 plays without
    /// end.
    int round_games = 0;

    /// p-opposition (docs/origins.md, S0): when the network's value of the position, without a search, is below the
    /// threshold, then with this probability the mover plays the point that would be the opponent's best.
    float opposition_threshold = -0.5f;
    float opposition_probability = 0;
};

}  // namespace tengen
