#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "selfplay/game_runner.h"

namespace tengen {

/// Totals since the pool was started.
struct SelfPlayCounts {
    std::int64_t games = 0, moves = 0, samples = 0, playouts = 0, opposition_moves = 0;
    std::int64_t black_wins = 0, white_wins = 0, draws = 0, unfinished = 0;
    double seconds = 0;  ///< that games took, each from its beginning, or its resumption, to its end
};

/// Threads that play games without end and hand over the finished ones. The network and the parameters can be changed
/// while they play: the next game of each thread uses them.
///
/// In rounds (SelfPlayParams::round_games), as many games begin as there are threads, or games in a round if those are
/// more; then a round's number of games with every `next_round`. With no more threads than games a round, nobody plays
/// between the end of a round and the call; with more threads, so many games are under way all the time.
class SelfPlayPool {
public:
    /// The first threads go on with the games that were `begun`. `number` names the network (see `oldest_network`).
    SelfPlayPool(std::shared_ptr<const Evaluator> evaluator, SelfPlayParams params, SearchParams search,
                 KnowledgeParams knowledge, int threads, std::uint64_t seed, std::vector<GameRecord> begun = {},
                 std::int64_t number = 0);
    ~SelfPlayPool();

    std::shared_ptr<const Evaluator> evaluator() const;
    void set_evaluator(std::shared_ptr<const Evaluator> evaluator, std::int64_t number = 0);
    void set_params(const SelfPlayParams& params);

    /// The games that were finished since the last call, as bytes (see GameRecord); waits up to `seconds` for one,
    /// unless the pool is stopped. When there are none and a thread has failed: throws what it threw.
    std::string take_games(double seconds);
    /// The smallest number of a network that played one of the games that `take_games` gave last; 0 if it gave none.
    std::int64_t oldest_network() const;
    SelfPlayCounts counts() const;
    /// The games as far as they are, as bytes: for another pool to go on with. After `stop` too.
    std::string games_under_way() const;

    /// Lets another round of games begin.
    void next_round();
    /// While paused, threads finish the game they are at and wait: for an evaluation that wants the cores.
    void set_paused(bool paused);
    /// Ends all threads. Called by the destructor too.
    void stop();

private:
    void play_games(GameUnderWay& under_way, std::uint64_t seed);
    void play_until_stopped(GameUnderWay& under_way, std::uint64_t seed);
    bool may_begin() const { return stop_ || (!paused_ && games_to_begin_ > 0); }
    void hand_over(const GameRecord& game, std::int64_t network, const GameRunner& runner, std::int64_t& playouts,
                   std::int64_t& opposition);

    mutable std::mutex mutex_;
    std::condition_variable finished_, resumed_;
    std::shared_ptr<const Evaluator> evaluator_;
    SelfPlayParams params_;
    const SearchParams search_;
    const KnowledgeParams knowledge_;
    std::int64_t network_;  ///< the number of `evaluator_`
    std::string games_;
    std::int64_t oldest_of_games_ = 0, oldest_of_taken_ = 0;
    SelfPlayCounts counts_;
    std::int64_t games_to_begin_;  ///< before the next round
    std::exception_ptr failure_;   ///< of the first thread that failed
    bool paused_ = false;
    std::atomic<bool> stop_{false};
    std::vector<std::unique_ptr<GameUnderWay>> under_way_;  ///< one for each thread
    std::vector<std::thread> threads_;
};

}  // namespace tengen
