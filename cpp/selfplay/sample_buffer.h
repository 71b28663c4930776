#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "game/random.h"
#include "selfplay/game_record.h"

namespace tengen {

/// Training positions on one size of board, from the mover's view.
struct SampleGroup {
    int width = 0, height = 0;
    std::vector<std::uint8_t> stones;  ///< [positions, cells] 0 empty, 1 own, 2 opponent
    std::vector<std::uint8_t> rules;   ///< [positions] Rule
    std::vector<std::uint8_t> turns;   ///< [positions] colour to move
    std::vector<float> policy;         ///< [positions, cells] adds up to 1, or to 0 where there is no target
    std::vector<float> outcome;        ///< [positions, 3] win, draw, loss

    int positions() const { return static_cast<int>(rules.size()); }
};

/// The most recent games, as positions to learn from. Not thread-safe.
class SampleBuffer {
public:
    /// Keeps at most about this many positions: the oldest games go first.
    explicit SampleBuffer(std::int64_t capacity) : capacity_(capacity) {}

    void set_capacity(std::int64_t positions);
    /// Adds the games in `bytes` (see GameRecord). Returns how many bytes made up complete, sound games.
    std::size_t add(std::span<const std::byte> bytes);

    std::int64_t positions() const { return static_cast<std::int64_t>(index_.size()); }
    std::int64_t games() const { return static_cast<std::int64_t>(games_.size()); }

    /// A position and the game that it is from.
    struct Position {
        const GameRecord& game;
        const Sample& sample;
    };
    /// One position drawn at random. There must be one.
    Position draw(Random& random) const;

    /// `count` positions of Gomoku by one rule, that of the first one, drawn at random (with repetition), grouped by
    /// board size. Each rule sees windows in its own way, so a batch of one rule has half as many different ones to
    /// learn from.
    /// The value's target is `result_share` of the game's result and for the rest the search's value.
    std::vector<SampleGroup> sample(int count, float result_share, Random& random) const;
    /// Mean entropy of the policy targets of the latest `count` positions that have one: the floor of the policy's
    /// loss.
    double policy_entropy(int count) const;

private:
    struct Place {
        std::int64_t game;  ///< counted from the first game ever added
        std::int32_t sample;
    };

    const GameRecord& game(std::int64_t number) const { return games_[static_cast<std::size_t>(number - first_game_)]; }
    void drop_oldest();
    static void append(SampleGroup& group, const GameRecord& game, const Sample& sample, float result_share);

    std::int64_t capacity_;
    std::int64_t first_game_ = 0;
    std::deque<GameRecord> games_;
    std::deque<Place> index_;
};

}  // namespace tengen
