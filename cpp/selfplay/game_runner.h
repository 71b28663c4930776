#pragma once

#include <atomic>
#include <optional>

#include "eval/evaluator.h"
#include "game/board.h"
#include "selfplay/game_under_way.h"
#include "selfplay/runner_base.h"

namespace tengen {

/// Plays games of a network against itself and records what was searched. One thread, no Python.
/// Key method: `play_game`.
class GameRunner : public RunnerBase<Evaluator> {
public:
    using RunnerBase::RunnerBase;

    /// Plays a game to its end: the one that is under way, or a new one. Nothing when `stop` became true before that.
    std::optional<GameRecord> play_game(GameUnderWay& game, const std::atomic<bool>& stop);

private:
    void begin(GameUnderWay& game);
    std::optional<int> play_to_the_end(Board& board, GameUnderWay& game, int opening_plies);
    const GameKind& pick_kind();
    Board random_opening(const GameKind& kind);
    Board scattered_stones(const GameKind& kind);
    Cell first_stone(const Geometry& geometry);
    Cell draw(const PointSet& points);
    float quick_value(const Board& board);
    bool is_too_long(const Board& board) const;
    Cell choose_move(const Board& board, const SearchReport& report, const Policy& policy, int moves_played);
    bool believes_it_loses(const Board& board);
    std::optional<Cell> opponents_point(const Board& board);
    Mcts& mcts_at(const Board& board);

    const std::atomic<bool>* stop_ = nullptr;  ///< of the game under way
};

}  // namespace tengen
