#pragma once

#include <atomic>
#include <optional>

#include "game/board.h"
#include "search/evaluator.h"
#include "selfplay/game_record.h"
#include "selfplay/runner_base.h"

namespace tengen {

/// Plays games of a network against itself and records what was searched. One thread, no Python.
/// Key method: `play_game`.
class GameRunner : public RunnerBase<Evaluator> {
public:
    using RunnerBase::RunnerBase;

    /// One game; nothing when `stop` became true before its end.
    std::optional<GameRecord> play_game(const std::atomic<bool>& stop);

private:
    const GameKind& pick_kind();
    Board random_opening(const GameKind& kind);
    Board scattered_stones(const GameKind& kind);
    float quick_value(const Board& board);
    bool is_too_long(const Board& board) const;
    Cell choose_move(const Board& board, const SearchReport& report, const Policy& policy, int moves_played);
    std::optional<Cell> opponents_point(const Board& board);
    Mcts& mcts_at(const Board& board);

    const std::atomic<bool>* stop_ = nullptr;  ///< of the game under way
};

}  // namespace tengen
