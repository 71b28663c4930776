#include "pvs/pvs.h"

#include <algorithm>
#include <cmath>

#include "alphabeta/score.h"
#include "mcts/clock.h"
#include "pvs/depth.h"

namespace tengen {
namespace {

using namespace pvs;
using namespace score;

/// Of the time, at most for proofs before the search.
constexpr double kTimeForRoot = 0.25;
/// Of the time, for the question whether the move to be played loses to threats.
constexpr double kTimeForDoubt = 0.1;
constexpr int kTableMegabytes = 16;

}  // namespace

Pvs::Pvs(std::unique_ptr<Explorer> explorer, const SearchParams& params)
    : params_(params),
      explorer_(std::move(explorer)),
      opinions_(std::min<std::int64_t>(params.memory, std::int64_t{64} << 20)),
      table_(kTableMegabytes) {}

Pvs::~Pvs() {
    abandon();
}

/// Ends the work under way, whatever comes of it.
void Pvs::abandon() {
    stop_requested_ = true;
    try {
        if (work_.is_under_way()) work_.go_on(kNever);
    } catch (...) {  // who asked for it has gone
    }
}

void Pvs::set_root(std::unique_ptr<Explorer> explorer) {
    abandon();
    const std::lock_guard lock(mutex_);
    explorer_ = std::move(explorer);
    root_.clear();
    root_proof_ = Proof::kNone;
    end_ = SearchEnd::kStopped;
}

bool Pvs::advance(Cell move) {
    abandon();
    const std::lock_guard lock(mutex_);
    explorer_->play(move);
    root_.clear();
    root_proof_ = Proof::kNone;
    end_ = SearchEnd::kStopped;
    return true;  // what is known about positions stays in the tables
}

void Pvs::begin(SearchLimits limits) {
    abandon();
    const std::lock_guard lock(mutex_);
    limits_ = limits;
    stop_requested_ = stopped_ = false;
    nodes_ = told_nodes_ = 0;
    deepest_ = told_depth_ = 0;
    started_at_ = now();
    end_ = SearchEnd::kRunning;
    table_.next_search();
    work_.set([this] { work(); });
}

bool Pvs::step(double seconds) {
    if (end_ != SearchEnd::kRunning) return true;
    if (!work_.go_on(seconds > 0 ? now() + seconds : kNever)) return false;
    const std::lock_guard lock(mutex_);
    told_nodes_ = nodes_;
    told_depth_ = deepest_;
    const bool by_playouts = limits_.playouts > 0 && nodes_ >= limits_.playouts;
    if (end_ == SearchEnd::kRunning) {
        const bool by_stop = stop_requested_ || (limits_.stop && *limits_.stop);
        end_ = by_stop ? SearchEnd::kStopped : by_playouts ? SearchEnd::kPlayouts : SearchEnd::kTime;
    }
    ended_at_ = now();
    return true;
}

void Pvs::work() {
    deadline_ = limits_.seconds > 0 ? started_at_ + limits_.seconds : kNever;
    explorer_->set_asking(true);
    expand_root();
    const bool decided = root_proof_ != Proof::kNone || prove_root();
    const bool only_move = !decided && root_.size() == 1 && limits_.only_move_ends;
    if (!decided && !only_move) deepen();
    explorer_->set_asking(false);
    const std::lock_guard lock(mutex_);
    if (root_proof_ != Proof::kNone) end_ = SearchEnd::kSolved;
    if (only_move) end_ = SearchEnd::kOnlyMove;
}

void Pvs::expand_root() {
    const ThreatLimits limits = solver_limits(started_at_ + kTimeForRoot * limits_.seconds);
    explorer_->expand(&limits, expansion_);
    const std::lock_guard lock(mutex_);
    root_.clear();
    for (int i = 0; i < expansion_.count; ++i) {
        root_.push_back({expansion_.moves[i], expansion_.priors[i], -kInfinity, 0, false, {expansion_.moves[i]}});
    }
    std::ranges::stable_sort(root_, [](const RootMove& a, const RootMove& b) { return a.prior > b.prior; });
    root_proof_ = expansion_.proof;
    root_value_ = expansion_.value;
    root_is_complete_ = expansion_.complete;
    if (const Cell move = expansion_.winning_move; move != kNoCell) {
        std::erase_if(root_, [&](const RootMove& other) { return other.cell == move; });
        root_.insert(root_.begin(), {move, 1, kWin - 1, 0, false, {move}});
    }
}

/// Is there a forced win that the solvers find?
bool Pvs::prove_root() {
    if (root_.size() < 2 || !limits_.prove) return false;
    const Cell move = explorer_->prove(Explorer::kAtRoot, solver_limits(started_at_ + kTimeForRoot * limits_.seconds));
    if (move == kNoCell) return false;
    const std::lock_guard lock(mutex_);
    std::erase_if(root_, [&](const RootMove& other) { return other.cell == move; });
    root_.insert(root_.begin(), {move, 1, kWin - 1, 0, false, {move}});
    root_proof_ = Proof::kWin;
    root_value_ = 1;
    return true;
}

ThreatLimits Pvs::solver_limits(double until) const {
    ThreatLimits limits;
    limits.stop = limits_.stop ? limits_.stop : &stop_requested_;
    if (limits_.seconds > 0) limits.max_seconds = std::max(1e-4, until - now());
    return limits;
}

/// Depth by depth. The move that is best then is doubted; if it loses, the others are searched again.
void Pvs::deepen() {
    const double end = deadline_;
    deadline_ = end - kTimeForDoubt * limits_.seconds;
    for (int depth = kPly; depth < kMaxDepth && iterate(depth); depth += kPly) {
        if (is_certain(root_.front().score)) break;
    }
    deadline_ = end;
    while (!is_certain(root_.front().score) && doubt()) {
    }
}

/// One depth, the best move so far first: what was finished when time is up counts. False if it was.
bool Pvs::iterate(int depth) {
    int best = -kInfinity;
    for (std::size_t i = 0; i < root_.size(); ++i) {
        if (root_[i].refuted) continue;
        const int cost = cost_of(Opinion::rarity_of(root_[i].prior));
        if (best > -kWinBound && depth - cost < kLeastDepth) continue;
        Line line;
        const std::int64_t before = nodes_;
        const int score = search_root_move(root_[i], depth, best, line);
        if (stopped_) return false;
        const std::lock_guard lock(mutex_);
        root_[i].nodes += nodes_ - before;
        root_[i].score = score;
        if (score <= best) continue;
        best = score;
        set_first(i, score, line);
    }
    const std::lock_guard lock(mutex_);
    root_proof_ = proof_of(best);
    return true;
}

int Pvs::search_root_move(const RootMove& move, int depth, int best, Line& line) {
    const bool first = best == -kInfinity;
    const int cheap = first ? depth - kPly : depth - cost_of(Opinion::rarity_of(move.prior));
    return search_child(move.cell, cheap, depth, best, kInfinity, 0, first, line);
}

void Pvs::set_first(std::size_t index, int score, const Line& line) {
    RootMove& move = root_[index];
    move.line.assign(1, move.cell);
    move.line.insert(move.line.end(), line.cells.begin(), line.cells.begin() + line.size);
    std::rotate(root_.begin(), root_.begin() + static_cast<std::ptrdiff_t>(index),
                root_.begin() + static_cast<std::ptrdiff_t>(index) + 1);
    root_value_ = std::clamp(static_cast<float>(score) / kScale, -1.0f, 1.0f);
}

Proof Pvs::proof_of(int score) const {
    if (score >= kWinBound) return Proof::kWin;
    return score <= -kWinBound && root_is_complete_ ? Proof::kLoss : Proof::kNone;
}

/// Asks the solver whether the enemy wins by threats after the best move. True if so; the next best is then the first.
bool Pvs::doubt() {
    const bool timed = limits_.seconds > 0;
    if (params_.vct_nodes_answer == 0 || root_.size() < 2 || stop_requested_ || (timed && now() >= deadline_)) {
        return false;
    }
    ThreatLimits limits = solver_limits(deadline_);
    limits.max_nodes = params_.vct_nodes_answer;
    if (!timed) limits.max_nodes = std::min<std::int64_t>(limits.max_nodes, 4 * nodes_);
    explorer_->play(root_.front().cell);
    const ThreatResult answer = explorer_->refute(limits);
    explorer_->undo();
    if (answer.status != ThreatResult::kWin) return false;
    const std::lock_guard lock(mutex_);
    root_.front().score = -kWin + 2;
    root_.front().refuted = true;
    const auto next = std::ranges::find_if(root_, [](const RootMove& move) { return !move.refuted; });
    if (next == root_.end()) return false;
    std::rotate(root_.begin(), next, next + 1);
    return true;
}

SearchReport Pvs::report(int best_moves, int max_line) const {
    const std::lock_guard lock(mutex_);
    SearchReport report;
    report.proof = root_proof_;
    report.value = root_value_;
    report.playouts = report.visits = told_nodes_;
    report.seconds = (end_ == SearchEnd::kRunning ? now() : ended_at_) - started_at_;
    report.memory = opinions_.bytes() + (std::int64_t{kTableMegabytes} << 20);
    report.depth = told_depth_;
    report.ended = end_;
    for (const RootMove& move : root_) {
        if (static_cast<int>(report.moves.size()) >= best_moves) break;
        MoveReport entry{.move = move.cell, .visits = move.nodes, .prior = move.prior, .line = move.line};
        entry.value = std::clamp(static_cast<float>(move.score) / kScale, -1.0f, 1.0f);
        entry.proof = move.score >= kWinBound ? Proof::kWin : Proof::kNone;
        if (move.refuted || (move.score > -kInfinity && move.score <= -kWinBound)) entry.proof = Proof::kLoss;
        if (static_cast<int>(entry.line.size()) > max_line) entry.line.resize(static_cast<std::size_t>(max_line));
        report.moves.push_back(std::move(entry));
    }
    if (report.proof != Proof::kNone) report.value = value_of(report.proof);
    return report;
}

Cell Pvs::best_move() const {
    const std::lock_guard lock(mutex_);
    return root_.empty() ? kNoCell : root_.front().cell;
}

}  // namespace tengen
