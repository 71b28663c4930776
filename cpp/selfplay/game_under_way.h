#pragma once

#include <mutex>
#include <optional>
#include <utility>

#include "selfplay/game_record.h"

namespace tengen {

/// The game that a thread plays, as far as it is: other threads may ask for it at any moment, so that it can go on
/// after a crash. With a network that needs a minute for a move, a game is hours of work.
class GameUnderWay {
public:
    GameUnderWay() = default;
    explicit GameUnderWay(GameRecord begun) : game_(std::move(begun)) {
        // The position that was being searched is searched again.
        while (!game_->samples.empty() && game_->samples.back().ply >= game_->moves.size()) game_->samples.pop_back();
    }

    /// Nothing between two games.
    std::optional<GameRecord> copy() const {
        std::lock_guard lock(mutex_);
        return game_;
    }

    void begin(GameRecord game) {
        std::lock_guard lock(mutex_);
        game.result = GameRecord::kUnfinished;
        game_ = std::move(game);
    }
    void add(Sample sample) {
        std::lock_guard lock(mutex_);
        game_->samples.push_back(std::move(sample));
    }
    void add(Cell move) {
        std::lock_guard lock(mutex_);
        game_->moves.push_back(move);
    }
    GameRecord finish(int result) {
        std::lock_guard lock(mutex_);
        game_->result = result;
        return *std::exchange(game_, std::nullopt);
    }

private:
    mutable std::mutex mutex_;
    std::optional<GameRecord> game_;
};

}  // namespace tengen
