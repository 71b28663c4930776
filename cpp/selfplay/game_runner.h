#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "eval/evaluator.h"
#include "game/board.h"
#include "game/random.h"
#include "mcts/mcts.h"
#include "selfplay/game_under_way.h"
#include "selfplay/params.h"
#include "selfplay/policy.h"

namespace tengen {

/// Plays games of a network against itself and records what was searched. One thread, no Python.
/// Key method: `play_game`.
class GameRunner {
public:
    GameRunner(std::shared_ptr<const Evaluator> evaluator, SelfPlayParams params, SearchParams search,
               KnowledgeParams knowledge, std::uint64_t seed);

    /// The network of the next games.
    void set_evaluator(std::shared_ptr<const Evaluator> evaluator) { evaluator_ = std::move(evaluator); }
    void set_params(const SelfPlayParams& params) { params_ = params; }

    /// Plays a game to its end: the one that is under way, or a new one. Nothing when `stop` became true before that.
    std::optional<GameRecord> play_game(GameUnderWay& under_way, const std::atomic<bool>& stop);

    // The same step by step, for GuestGame.

    /// Goes on with the game that is under way, or begins a new one.
    void take_up(GameUnderWay& under_way, const std::atomic<bool>& stop);
    const Game& position() const { return *game_; }
    /// Searches the position, fully and with a record of it, or quickly, and plays a move. Nothing is played when the
    /// search ends the game, which is the result that is returned, or when `stop` became true.
    std::optional<int> move(GameUnderWay& under_way, bool full);
    /// Plays a move that somebody else has chosen.
    void play(GameUnderWay& under_way, Cell move);
    /// The result of the game for the first player (see GameRecord) if the position ends it.
    std::optional<int> result() const;

    /// Playouts since the beginning, as many as were made: a search may end early.
    std::int64_t playouts() const { return playouts_; }
    /// Moves of p-opposition since the beginning.
    std::int64_t opposition_moves() const { return opposition_moves_; }

private:
    void begin(GameUnderWay& under_way);
    std::unique_ptr<Game> balanced_opening(const GameKind& kind);
    bool is_too_long() const;
    void set_root(const Game& position);
    Policy search(bool full);
    void record(GameUnderWay& under_way, const Policy& policy, std::span<const MoveReport> candidates);
    Cell choose_move(const SearchReport& report, const Policy& policy);
    bool believes_it_loses(const Board& board);
    std::optional<Cell> opponents_point(const Board& board);

    std::shared_ptr<const Evaluator> evaluator_;
    SelfPlayParams params_;
    SearchParams search_params_;
    KnowledgeParams knowledge_;
    Random random_;
    std::unique_ptr<Mcts> mcts_;
    // Of the game under way:
    const std::atomic<bool>* stop_ = nullptr;
    std::unique_ptr<Game> game_;
    int opening_plies_ = 0;
    bool adjudicated_ = false;  ///< does it end as soon as its result is proven?
    std::int64_t playouts_ = 0, opposition_moves_ = 0;
    double surprises_ = 0, surprised_ = 0;  ///< of recent positions: their sum, and how many they are
};

}  // namespace tengen
