#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "games/game.h"
#include "mcts/game_explorer.h"
#include "selfplay/game_under_way.h"
#include "selfplay/runner_base.h"

namespace tengen {

/// Plays any Game against itself and records what was searched: what GameRunner is for Gomoku. One thread, no Python.
/// Openings are random moves, not balanced; p-opposition needs a game in which both sides want the same points, so
/// there is none here. Key method: `play_game`.
class OtherGameRunner : public RunnerBase<GameEvaluator> {
public:
    using RunnerBase::RunnerBase;

    /// Plays a game to its end: the one that is under way, or a new one. Nothing when `stop` became true before that.
    std::optional<GameRecord> play_game(GameUnderWay& under_way, const std::atomic<bool>& stop);

private:
    std::unique_ptr<Game> random_opening();
    void begin(GameUnderWay& under_way);
    std::optional<int> play_to_the_end(Game& game, GameUnderWay& under_way, int opening_plies,
                                       const std::atomic<bool>& stop);
    void set_root(const Game& game);
};

}  // namespace tengen
