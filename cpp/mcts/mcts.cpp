#include "mcts/mcts.h"

#include <algorithm>
#include <array>
#include <limits>

#include "game/random.h"
#include "mcts/clock.h"
#include "mcts/mcts_worker.h"
#include "mcts/thread_pool.h"

namespace tengen {
namespace {

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();
/// Of the playouts: after each of them the best move is doubted, while there are others left to find another one.
constexpr std::array kPhaseEnds = {0.5, 0.9, 1.0};
/// Of the time, that is for playouts. The rest is for the doubt after the last one.
constexpr double kTimeForPlayouts = 0.97;
/// Of the time, that is at most for proofs before the first playout.
constexpr double kTimeForRoot = 0.25;
/// Of the memory, one part in so many is for the index of positions: a node takes about ten times as much as its entry.
constexpr std::int64_t kIndexShare = 8;

}  // namespace

Mcts::Tree::Tree(const SearchParams& params)
    : positions(std::make_unique<PositionIndex>(params.graph ? params.memory / kIndexShare : 0)),
      arena(std::make_unique<Arena>(params.memory - positions->budget())) {}

void Mcts::Tree::reset(std::uint64_t key) {
    arena->reset();
    positions->clear();
    garbage = 0;
    doubted.clear();
    Arena::Cursor memory(*arena);
    root.reset(new (memory.allocate(sizeof(Node))) Node(key), 0, 0);
}

Mcts::Mcts(std::unique_ptr<Explorer> explorer, SearchParams params)
    : params_(params), pool_(std::make_unique<ThreadPool>(params.threads)), tree_(params) {
    tree_.reset(key_of(*explorer));
    make_workers(std::move(explorer));
}

Mcts::~Mcts() = default;

void Mcts::set_root(std::unique_ptr<Explorer> explorer) {
    std::lock_guard lock(tree_mutex_);
    tree_.reset(key_of(*explorer));
    make_workers(std::move(explorer));
    enter_position();
}

/// Of the position, by which others find it; 0 where each order of moves has positions of its own.
std::uint64_t Mcts::key_of(const Explorer& explorer) const {
    return params_.graph ? explorer.hash() : 0;
}

void Mcts::make_workers(std::unique_ptr<Explorer> first) {
    workers_.clear();
    const std::uint64_t seed = split_mix(params_.seed + searches_);
    for (int index = 1; index < params_.threads; ++index) {
        workers_.push_back(
            std::make_unique<Worker>(*this, first->clone(split_mix(params_.seed) + index), split_mix(seed + index)));
    }
    workers_.insert(workers_.begin(), std::make_unique<Worker>(*this, std::move(first), split_mix(seed)));
}

bool Mcts::advance(Cell move) {
    std::lock_guard lock(tree_mutex_);
    for (auto& worker : workers_) worker->explorer().play(move);
    enter_position();
    const Node& root = *tree_.root.child;
    const int index = root.find_opened(move);
    const bool known = index >= 0 && root.edge(index).child->is_expanded();
    if (known) {
        follow(root.edge(index));
        // What cannot be reached any more is freed when it takes up half of the budget, or when memory runs out:
        // copying costs more than it saves before.
        if (tree_.garbage > tree_.arena->budget() / 2) compact();
    } else {
        tree_.reset(key_of(workers_.front()->explorer()));
        for (auto& worker : workers_) worker->enter_tree();
    }
    return known;
}

/// Makes the position that `next` leads to the root.
void Mcts::follow(const Edge& next) {
    const std::int64_t visits = next.load_counts().visits;
    const double kept = static_cast<double>(visits) / static_cast<double>(std::max(visits, root_visits()) + 1);
    const auto live = static_cast<double>(tree_.arena->used() - tree_.garbage);
    tree_.garbage += static_cast<std::int64_t>(live * (1 - kept));
    tree_.doubted.clear();
    tree_.root.reset(next.child, visits, next.load_value_sum());
}

/// What was begun or found out about the last position does not hold for the new one.
void Mcts::enter_position() {
    examined_ = false;
    end_ = SearchEnd::kStopped;
}

/// Copies what can still be reached into new memory.
void Mcts::compact() {
    auto arena = std::make_unique<Arena>(tree_.arena->budget());
    Arena::Cursor memory(*arena);
    auto positions = std::make_unique<PositionIndex>(tree_.positions->budget());
    Node* root = tree_.root.child->copy_to(*positions, memory);
    tree_.garbage = 0;
    if (!root) return;
    tree_.root.child = root;
    tree_.arena.swap(arena);
    tree_.positions.swap(positions);
    tree_.doubted.clear();
    for (auto& worker : workers_) worker->enter_tree();
}

/// When memory has run out: is there enough of it again?
bool Mcts::make_room() {
    constexpr int kLeastShare = 16;  // of the budget: for less it is not worth while to go on
    if (tree_.garbage == 0) return false;
    std::lock_guard lock(tree_mutex_);
    compact();
    return tree_.arena->used() < tree_.arena->budget() - tree_.arena->budget() / kLeastShare;
}

void Mcts::begin(SearchLimits limits) {
    std::lock_guard lock(tree_mutex_);
    limits_ = limits;
    progress_ = {};
    stop_requested_ = out_of_memory_ = false;
    playouts_claimed_ = 0;
    for (auto& worker : workers_) worker->start_counting();
    started_at_ = now();
    end_ = SearchEnd::kRunning;
    ++searches_;
    enter_phase(0);
}

bool Mcts::step(double seconds) {
    if (end_ != SearchEnd::kRunning) return true;
    step_ends_ = seconds > 0 ? now() + seconds : kNever;
    SearchEnd end;
    do {
        work();
        end = reason_to_end();
    } while (end == SearchEnd::kRunning && !step_is_over());
    if (end == SearchEnd::kRunning) return false;
    std::lock_guard lock(tree_mutex_);
    end_ = end;
    ended_at_ = now();
    return true;
}

/// The next piece of the search.
void Mcts::work() {
    if (!progress_.prepared) {
        prepare_root();
    } else if (progress_.doubting) {
        doubt_best_move();
    } else {
        pool_->run([&](int index) { workers_[index]->run(); });
        if (out_of_memory_ && make_room()) out_of_memory_ = false;
        progress_.doubting = phase_is_over();
    }
}

void Mcts::enter_phase(int phase) {
    constexpr std::int64_t kFirstOfEndless = 1024;  // and twice as many in each phase that follows
    progress_.phase = phase;
    progress_.doubting = false;
    progress_.doubt_until = 0;
    progress_.playouts = kUnlimited;
    progress_.play_until = kNever;
    if (limits_.playouts == 0 && limits_.seconds == 0) {
        progress_.playouts = kFirstOfEndless << std::min(phase, 40);
    } else if (phase < std::ssize(kPhaseEnds)) {
        const double share = kPhaseEnds[phase];
        if (limits_.playouts > 0) {
            progress_.playouts = static_cast<std::int64_t>(share * static_cast<double>(limits_.playouts));
        }
        if (limits_.seconds > 0) progress_.play_until = started_at_ + share * kTimeForPlayouts * limits_.seconds;
    }
}

bool Mcts::phase_is_over() const {
    if (progress_.play_until != kNever && now() >= progress_.play_until) return true;
    return playouts_claimed_.load(std::memory_order_relaxed) >= progress_.playouts &&
           std::ranges::none_of(workers_, [](const auto& worker) { return worker->has_claims_left(); });
}

double Mcts::deadline() const {
    return limits_.seconds > 0 ? started_at_ + limits_.seconds : kNever;
}

double Mcts::elapsed() const {
    return (end_ == SearchEnd::kRunning ? now() : ended_at_) - started_at_;
}

/// For a question to a solver that has until then, or less if the search has.
ThreatLimits Mcts::solver_limits(double until) const {
    constexpr double kLeast = 1e-9;  // 0 would mean no limit
    until = std::min(until, deadline());
    return {.max_seconds = until == kNever ? 0 : std::max(kLeast, until - now()), .stop = &stop_flag()};
}

bool Mcts::is_stopped() const {
    return stop_flag().load(std::memory_order_relaxed);
}

bool Mcts::step_is_over() const {
    return step_ends_ != kNever && now() >= step_ends_;
}

/// Is there nothing more to find out, or nothing to choose?
SearchEnd Mcts::what_settles_it() const {
    const Node& root = *tree_.root.child;
    if (root.proof() != Proof::kNone) return SearchEnd::kSolved;
    const bool only = limits_.only_move_ends && root.is_expanded() && root.candidates() == 1;
    return only ? SearchEnd::kOnlyMove : SearchEnd::kRunning;
}

SearchEnd Mcts::reason_to_end() const {
    if (const SearchEnd settled = what_settles_it(); settled != SearchEnd::kRunning) return settled;
    if (is_stopped()) return SearchEnd::kStopped;
    if (out_of_memory_.load(std::memory_order_relaxed)) return SearchEnd::kMemory;
    if (now() >= deadline()) return SearchEnd::kTime;
    const bool limited = limits_.playouts > 0 || limits_.seconds > 0;
    if (!limited || progress_.phase < std::ssize(kPhaseEnds)) return SearchEnd::kRunning;
    const bool all_made = limits_.playouts > 0 && results() >= limits_.playouts;
    return all_made ? SearchEnd::kPlayouts : SearchEnd::kTime;
}

/// Should the workers come back before their next playout? (That a step is over they see after one.)
bool Mcts::should_pause() const {
    if (is_stopped() || out_of_memory_.load(std::memory_order_relaxed)) return true;
    if (what_settles_it() != SearchEnd::kRunning) return true;
    return progress_.play_until != kNever && now() >= progress_.play_until;
}

/// A share of the playouts that are left of the phase, for one thread; 0 when none are.
std::int64_t Mcts::claim_playouts() {
    constexpr std::int64_t kMost = 16;
    const std::int64_t all = progress_.playouts;
    if (all == kUnlimited) return kMost;
    // Small shares towards the end: no thread is left with many when the others have run out.
    const std::int64_t left = all - playouts_claimed_.load(std::memory_order_relaxed);
    const std::int64_t share = std::clamp<std::int64_t>(left / (4 * params_.threads), 1, kMost);
    const std::int64_t before = playouts_claimed_.fetch_add(share, std::memory_order_relaxed);
    const std::int64_t granted = std::clamp<std::int64_t>(all - before, 0, share);
    if (granted < share) playouts_claimed_.fetch_sub(share - granted, std::memory_order_relaxed);
    return granted;
}

std::int64_t Mcts::results() const {
    std::int64_t sum = 0;
    for (const auto& worker : workers_) sum += worker->results();
    return sum;
}

/// Expands the root, so that there is always a move to return, and looks for a forced win with more effort.
void Mcts::prepare_root() {
    Node& root = *tree_.root.child;
    if (!root.is_expanded()) {
        Worker& worker = *workers_.front();
        worker.playout();
        playouts_claimed_ += worker.results();
        worker.withdraw();
    }
    if (limits_.prove && !examined_ && root.proof() == Proof::kNone && !is_stopped()) prove_root();
    if (params_.noise_at == NoiseAt::kRoot) add_root_noise();
    progress_.prepared = true;
}

void Mcts::prove_root() {
    const double until = limits_.seconds > 0 ? started_at_ + kTimeForRoot * limits_.seconds : kNever;
    const Cell move = workers_.front()->explorer().prove(Explorer::kAtRoot, solver_limits(until));
    if (move != kNoCell) tree_.root.child->set_proof(Proof::kWin, move);
    examined_ = !is_stopped() && now() < until;
}

void Mcts::add_root_noise() {
    Node& root = *tree_.root.child;
    if (params_.root_noise <= 0 || root.candidates() < 2) return;
    Random random(split_mix(params_.seed + 0x51ed * searches_));
    std::vector<float> priors(root.candidates());
    for (int i = 0; i < root.candidates(); ++i) priors[i] = root.candidate_prior(i);
    mix_noise(priors, random);
    root.set_priors(priors);
}

/// Dirichlet noise, for its share.
void Mcts::mix_noise(std::span<float> priors, Random& random) const {
    const auto count = static_cast<float>(priors.size());
    std::vector<float> noise(priors.size());
    float sum = 0;
    for (float& x : noise) sum += x = random.gamma(params_.root_noise_total_alpha / count);
    for (std::size_t i = 0; i < priors.size(); ++i) {
        const float share = sum > 0 ? noise[i] / sum : 1.0f / count;
        priors[i] = (1 - params_.root_noise) * priors[i] + params_.root_noise * share;
    }
}

}  // namespace tengen
