#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "game/board.h"
#include "game/random.h"
#include "search/evaluator.h"
#include "search/gomoku_explorer.h"
#include "search/mcts.h"
#include "selfplay/game_record.h"
#include "selfplay/params.h"

namespace tengen {

/// Plays games of a network against itself and records what was searched. One thread, no Python.
/// Key method: `play_game`.
class GameRunner {
public:
    using Evaluator = tengen::Evaluator;

    GameRunner(std::shared_ptr<const Evaluator> evaluator, SelfPlayParams params, SearchParams search,
               KnowledgeParams knowledge, std::uint64_t seed);

    /// The network of the next games.
    void set_evaluator(std::shared_ptr<const Evaluator> evaluator) { evaluator_ = std::move(evaluator); }
    void set_params(const SelfPlayParams& params) { params_ = params; }

    /// One game; nothing when `stop` became true before its end.
    std::optional<GameRecord> play_game(const std::atomic<bool>& stop);

    std::int64_t playouts() const { return playouts_; }
    /// Moves of p-opposition since the beginning.
    std::int64_t opposition_moves() const { return opposition_moves_; }

private:
    const GameKind& pick_kind();
    Board random_opening(const GameKind& kind);
    Board scattered_stones(const GameKind& kind);
    float quick_value(const Board& board);
    bool is_too_long(const Board& board) const;
    void search(int playouts, bool with_noise);
    Cell choose_move(const Board& board, const SearchReport& report, int moves_played);
    std::optional<Cell> opponents_point(const Board& board);
    Mcts& mcts_at(const Board& board);

    std::shared_ptr<const Evaluator> evaluator_;
    SelfPlayParams params_;
    SearchParams search_params_;
    KnowledgeParams knowledge_;
    Random random_;
    std::unique_ptr<Mcts> mcts_;
    const std::atomic<bool>* stop_ = nullptr;  ///< of the game under way
    std::int64_t playouts_ = 0, opposition_moves_ = 0;
};

}  // namespace tengen
