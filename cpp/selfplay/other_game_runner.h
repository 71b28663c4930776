#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "games/game.h"
#include "search/game_explorer.h"
#include "selfplay/game_record.h"
#include "selfplay/runner_base.h"

namespace tengen {

/// Plays any Game against itself and records what was searched: what GameRunner is for Gomoku. One thread, no Python.
/// Openings are random moves, not balanced; p-opposition needs a game in which both sides want the same points, so
/// there is none here. Key method: `play_game`.
class OtherGameRunner : public RunnerBase<GameEvaluator> {
public:
    using RunnerBase::RunnerBase;

    /// One game; nothing when `stop` became true before its end.
    std::optional<GameRecord> play_game(const std::atomic<bool>& stop);

private:
    std::unique_ptr<Game> random_opening();
    bool plays_to_the_end(Game& game, GameRecord& record, const std::atomic<bool>& stop);
    void set_root(const Game& game);
};

}  // namespace tengen
