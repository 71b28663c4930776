#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "game/random.h"
#include "search/gomoku_explorer.h"
#include "search/mcts.h"
#include "selfplay/params.h"

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
          random_(seed) {
        search_params_.root_noise_total_alpha = params_.root_noise_total_alpha;
    }

    /// The network of the next games.
    void set_evaluator(std::shared_ptr<const E> evaluator) { evaluator_ = std::move(evaluator); }
    void set_params(const SelfPlayParams& params) { params_ = params; }

    std::int64_t playouts() const { return playouts_; }
    /// Moves of p-opposition since the beginning.
    std::int64_t opposition_moves() const { return opposition_moves_; }

protected:
    std::shared_ptr<const E> evaluator_;
    SelfPlayParams params_;
    SearchParams search_params_;
    KnowledgeParams knowledge_;
    Random random_;
    std::unique_ptr<Mcts> mcts_;
    std::int64_t playouts_ = 0, opposition_moves_ = 0;
};

}  // namespace tengen
