#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "game/random.h"
#include "games/game.h"
#include "search/game_explorer.h"
#include "search/mcts.h"
#include "selfplay/game_record.h"
#include "selfplay/params.h"

namespace tengen {

/// Plays any Game against itself and records what was searched: what GameRunner is for Gomoku. One thread, no Python.
/// Openings are random moves, not balanced; p-opposition needs a game in which both sides want the same points, so
/// there is none here. Key method: `play_game`.
class OtherGameRunner {
public:
    using Evaluator = GameEvaluator;

    OtherGameRunner(std::shared_ptr<const GameEvaluator> evaluator, SelfPlayParams params, SearchParams search,
                    KnowledgeParams knowledge, std::uint64_t seed);

    /// The network of the next games.
    void set_evaluator(std::shared_ptr<const GameEvaluator> evaluator) { evaluator_ = std::move(evaluator); }
    void set_params(const SelfPlayParams& params) { params_ = params; }

    /// One game; nothing when `stop` became true before its end.
    std::optional<GameRecord> play_game(const std::atomic<bool>& stop);

    std::int64_t playouts() const { return playouts_; }
    std::int64_t opposition_moves() const { return 0; }

private:
    std::unique_ptr<Game> random_opening();
    bool plays_to_the_end(Game& game, GameRecord& record, const std::atomic<bool>& stop);
    void set_root(const Game& game);

    std::shared_ptr<const GameEvaluator> evaluator_;
    SelfPlayParams params_;
    SearchParams search_params_;
    KnowledgeParams knowledge_;
    Random random_;
    std::unique_ptr<Mcts> mcts_;
    std::int64_t playouts_ = 0;
};

}  // namespace tengen
