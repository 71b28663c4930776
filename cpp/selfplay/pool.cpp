#include "selfplay/pool.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <utility>

#include "mcts/clock.h"

#if defined(__linux__)
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace tengen {
namespace {

constexpr std::int64_t kWithoutEnd = std::numeric_limits<std::int64_t>::max();

/// Lets whoever learns from the games go first where cores are few: what it learns makes every later game better, and
/// beside as many players as there are cores it would get two thirds of one and fall behind.
void yield_to_the_learner() {
#if defined(__linux__)
    constexpr int kNicer = 5;
    const auto thread = static_cast<id_t>(gettid());
    setpriority(PRIO_PROCESS, thread, getpriority(PRIO_PROCESS, thread) + kNicer);
#endif
}

}  // namespace

SelfPlayPool::SelfPlayPool(std::shared_ptr<const Evaluator> evaluator, SelfPlayParams params, SearchParams search,
                           KnowledgeParams knowledge, int threads, std::uint64_t seed, std::vector<GameRecord> begun,
                           std::int64_t number)
    : evaluator_(std::move(evaluator)),
      params_(std::move(params)),
      search_(search),
      knowledge_(knowledge),
      network_(number) {
    games_to_begin_ = params_.round_games > 0 ? std::max(threads, params_.round_games) : kWithoutEnd;
    begun.resize(std::min(begun.size(), static_cast<std::size_t>(threads)));
    for (GameRecord& game : begun) under_way_.push_back(std::make_unique<GameUnderWay>(std::move(game)));
    while (under_way_.size() < static_cast<std::size_t>(threads))
        under_way_.push_back(std::make_unique<GameUnderWay>());
    try {
        for (int i = 0; i < threads; ++i) {
            threads_.emplace_back([this, seed, i] { play_games(*under_way_[i], split_mix(seed) + i); });
        }
    } catch (...) {  // the system has no more threads: those that run must end before the members they use
        stop();
        throw;
    }
}

SelfPlayPool::~SelfPlayPool() {
    stop();
}

void SelfPlayPool::stop() {
    stop_ = true;
    set_paused(false);
    finished_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
}

std::shared_ptr<const Evaluator> SelfPlayPool::evaluator() const {
    std::lock_guard lock(mutex_);
    return evaluator_;
}

void SelfPlayPool::set_evaluator(std::shared_ptr<const Evaluator> evaluator, std::int64_t number) {
    std::lock_guard lock(mutex_);
    network_ = number;
    evaluator_.swap(evaluator);  // the old one dies after the lock: it may take Python's
}

void SelfPlayPool::set_params(const SelfPlayParams& params) {
    std::lock_guard lock(mutex_);
    params_ = params;
}

void SelfPlayPool::next_round() {
    {
        std::lock_guard lock(mutex_);
        if (params_.round_games > 0) games_to_begin_ += params_.round_games;
    }
    resumed_.notify_all();
}

void SelfPlayPool::set_paused(bool paused) {
    {
        std::lock_guard lock(mutex_);
        paused_ = paused;
    }
    resumed_.notify_all();
}

std::string SelfPlayPool::take_games(double seconds) {
    std::unique_lock lock(mutex_);
    finished_.wait_for(lock, std::chrono::duration<double>(seconds),
                       [&] { return !games_.empty() || failure_ || stop_; });
    if (games_.empty() && failure_) std::rethrow_exception(failure_);
    oldest_of_taken_ = games_.empty() ? 0 : oldest_of_games_;
    return std::exchange(games_, {});
}

std::int64_t SelfPlayPool::oldest_network() const {
    std::lock_guard lock(mutex_);
    return oldest_of_taken_;
}

SelfPlayCounts SelfPlayPool::counts() const {
    std::lock_guard lock(mutex_);
    return counts_;
}

std::string SelfPlayPool::games_under_way() const {
    std::string games;
    for (const auto& under_way : under_way_) {
        if (const auto game = under_way->copy()) game->append_to(games);
    }
    return games;
}

void SelfPlayPool::play_games(GameUnderWay& under_way, std::uint64_t seed) {
    yield_to_the_learner();
    try {
        play_until_stopped(under_way, seed);
    } catch (...) {
        std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        finished_.notify_one();
    }
}

void SelfPlayPool::play_until_stopped(GameUnderWay& under_way, std::uint64_t seed) {
    std::optional<GameRunner> runner;  // outlives the lock, as every evaluator must: the last to hold a network takes
                                       // Python's lock to let it die
    std::unique_lock lock(mutex_);
    runner.emplace(evaluator_, params_, search_, knowledge_, seed);
    std::int64_t playouts = 0, opposition = 0;
    while (!stop_) {
        resumed_.wait(lock, [&] { return may_begin(); });
        if (games_to_begin_ != kWithoutEnd) --games_to_begin_;
        auto evaluator = evaluator_;
        const std::int64_t network = network_;
        const SelfPlayParams params = params_;
        lock.unlock();
        runner->set_evaluator(std::move(evaluator));
        runner->set_params(params);
        const double began = now();
        const std::optional<GameRecord> game = runner->play_game(under_way, stop_);
        lock.lock();
        if (!game) continue;
        counts_.seconds += now() - began;
        hand_over(*game, network, *runner, playouts, opposition);
    }
}

/// With the mutex held.
void SelfPlayPool::hand_over(const GameRecord& game, std::int64_t network, const GameRunner& runner,
                             std::int64_t& playouts, std::int64_t& opposition) {
    oldest_of_games_ = games_.empty() ? network : std::min(oldest_of_games_, network);
    game.append_to(games_);
    counts_.games += 1;
    counts_.moves += static_cast<std::int64_t>(game.moves.size()) - game.opening_plies;
    counts_.samples += static_cast<std::int64_t>(game.samples.size());
    counts_.playouts += runner.playouts() - std::exchange(playouts, runner.playouts());
    counts_.opposition_moves += runner.opposition_moves() - std::exchange(opposition, runner.opposition_moves());
    switch (game.result) {
        case 1: ++counts_.black_wins; break;
        case -1: ++counts_.white_wins; break;
        case 0: ++counts_.draws; break;
        default: ++counts_.unfinished;
    }
    finished_.notify_one();
}

}  // namespace tengen
