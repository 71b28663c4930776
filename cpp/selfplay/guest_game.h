#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "selfplay/game_runner.h"
#include "selfplay/game_under_way.h"

namespace tengen {

/// A game of a network against somebody else, whose moves are only played: it begins as a game of self-play does, and
/// the network's own moves are searched, recorded and chosen as there, all of them fully.
/// Key method: `move`. One thread at a time; any thread may call `stop`.
class GuestGame {
public:
    GuestGame(std::shared_ptr<const Evaluator> evaluator, const SelfPlayParams& params, SearchParams search,
              KnowledgeParams knowledge, std::uint64_t seed)
        : runner_(std::move(evaluator), params, search, knowledge, seed) {
        runner_.take_up(under_way_, stop_);
        result_ = runner_.result();
    }

    const Game& position() const { return runner_.position(); }
    /// The game as far as it is.
    GameRecord record() const {
        GameRecord record = *under_way_.copy();
        record.result = result_.value_or(GameRecord::kUnfinished);
        return record;
    }
    bool is_over() const { return result_.has_value(); }

    /// The network's move; it may end the game instead (see GameRunner::move). The game must not be over.
    void move() { settle(runner_.move(under_way_, true)); }
    /// The guest's move, which must be legal.
    void play(Cell move) {
        runner_.play(under_way_, move);
        settle(std::nullopt);
    }
    /// Ends the search of a move, soon; the game cannot go on.
    void stop() { stop_ = true; }

private:
    void settle(std::optional<int> result) { result_ = result ? result : runner_.result(); }

    std::atomic<bool> stop_{false};
    GameUnderWay under_way_;
    GameRunner runner_;
    std::optional<int> result_;
};

}  // namespace tengen
