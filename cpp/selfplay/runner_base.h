#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "game/random.h"
#include "mcts/gomoku_explorer.h"
#include "mcts/mcts.h"
#include "selfplay/gumbel.h"
#include "selfplay/params.h"
#include "selfplay/policy.h"

namespace tengen {

/// What everyone has who plays a network against itself, whatever the game: the network, the parameters, the tree.
template <class E>
class RunnerBase {
public:
    using Evaluator = E;

    RunnerBase(std::shared_ptr<const E> evaluator, SelfPlayParams params, SearchParams search,
               KnowledgeParams knowledge, std::uint64_t seed)
        : evaluator_(std::move(evaluator)),
          params_(std::move(params)),
          search_params_(search),
          knowledge_(knowledge),
          random_(seed) {}

    /// The network of the next games.
    void set_evaluator(std::shared_ptr<const E> evaluator) { evaluator_ = std::move(evaluator); }
    void set_params(const SelfPlayParams& params) { params_ = params; }

    /// Playouts since the beginning, as many as were made: a search may end early.
    std::int64_t playouts() const { return playouts_; }
    /// Moves of p-opposition since the beginning.
    std::int64_t opposition_moves() const { return opposition_moves_; }

protected:
    /// Searches the position under way, fully or quickly.
    Policy search(bool full, const std::atomic<bool>& stop) {
        int playouts = full ? params_.full_playouts : params_.fast_playouts;
        const bool by_gumbel = full && params_.gumbel_moves > 0;
        if (params_.count_kept && !by_gumbel) {
            playouts = std::max(1, playouts - static_cast<int>(mcts_->root_visits()));
        }
        Policy policy;
        if (by_gumbel) {
            policy = gumbel_search(*mcts_, playouts, params_.gumbel_moves, params_.gumbel_value_scale, random_, &stop);
        } else {
            mcts_->set_root_noise(full ? params_.root_noise : 0, params_.root_noise_total_alpha, params_.noise_at);
            mcts_->search({playouts, 0, &stop});
            policy = visit_policy(mcts_->report(kMaxCells, 0), params_.least_visits);
        }
        playouts_ += policy.playouts;
        return policy;
    }

    /// The move to play when `moves_played` have followed the opening.
    Cell draw_move(const Policy& policy, int moves_played) {
        const bool early = moves_played < params_.early_moves;
        const float temperature = early ? params_.early_temperature : params_.late_temperature;
        return policy.moves.empty() ? mcts_->best_move() : policy.sample(temperature, random_);
    }

    std::shared_ptr<const E> evaluator_;
    SelfPlayParams params_;
    SearchParams search_params_;
    KnowledgeParams knowledge_;
    Random random_;
    std::unique_ptr<Mcts> mcts_;
    std::int64_t playouts_ = 0, opposition_moves_ = 0;
};

}  // namespace tengen
