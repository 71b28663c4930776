#include "mcts/mcts.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include "game/random.h"
#include "mcts/thread_pool.h"

namespace tengen {
namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Visits at which a position is looked at again for a forced win, with more effort each time.
constexpr bool deserves_another_proof(std::int64_t visits) {
    return visits == 24 || visits == 400 || visits == 6000;
}

}  // namespace

Mcts::Tree::Tree(std::int64_t bytes) : arena(std::make_unique<Arena>(bytes)) {
    reset();
}

void Mcts::Tree::reset() {
    arena->reset();
    examined = false;
    doubted.clear();
    Arena::Cursor memory(*arena);
    root.reset(new (memory.allocate(sizeof(Node))) Node, 0, 0);
}

/// One thread's hands in a tree: its own copy of the game, its place in the arena, and the path of its playout. It
/// counts for itself, in cache lines of its own: a counter that all threads write would cost more than a short playout.
class alignas(64) Mcts::Worker {
public:
    Worker(Mcts& search, std::unique_ptr<Explorer> explorer) : search_(search), explorer_(std::move(explorer)) {}

    void enter(Tree& tree) {
        tree_ = &tree;
        memory_.emplace(*tree.arena);
    }
    /// After the tree's arena was replaced.
    void reenter() {
        if (tree_) enter(*tree_);
    }
    Explorer& explorer() { return *explorer_; }

    /// Playouts until the search should stop.
    void run();
    /// One playout: false when memory ran out before it was complete.
    bool playout();
    /// Takes back all but the first `kept` moves that are on the board.
    void withdraw(std::size_t kept = 0);

    /// Results of the running or last search, and its longest path.
    std::int64_t results() const { return results_.load(std::memory_order_relaxed); }
    int deepest() const { return deepest_.load(std::memory_order_relaxed); }
    void start_counting() { claimed_ = results_ = deepest_ = 0; }

private:
    bool has_claim();
    int select(const Node& node, const Edge& incoming, bool root);
    int select_puct(const Node& node, const Edge& incoming, bool root, int opened);
    int select_uct(const Node& node, const Edge& incoming, int opened);
    bool descend(Edge*& incoming, float& value);
    void back_up(Edge* incoming, float value);
    void count(Edge& edge, float value);
    void abandon(Edge* incoming);
    float evaluate_as_team(float own_value);
    bool try_to_prove(Node& node, const Edge& incoming);
    void place_path();

    Mcts& search_;
    std::unique_ptr<Explorer> explorer_;
    Tree* tree_ = nullptr;
    std::optional<Arena::Cursor> memory_;
    std::vector<Step> path_;
    std::vector<Cell> placed_;  ///< moves from the root that the explorer has played
    Expansion expansion_;
    std::int64_t weight_ = 1;   ///< how many results the current playout brings
    std::int64_t claimed_ = 0;  ///< results that this thread may still bring
    std::atomic<std::int64_t> results_{0};
    std::atomic<int> deepest_{0};
};

bool Mcts::Worker::playout() {
    path_.clear();
    weight_ = 1;
    Edge* incoming = &tree_->root;
    float value;
    if (!descend(incoming, value)) {
        abandon(incoming);
        return false;
    }
    if (const int depth = static_cast<int>(path_.size()); depth > deepest()) {
        deepest_.store(depth, std::memory_order_relaxed);
    }
    back_up(incoming, value);
    results_.store(results() + weight_, std::memory_order_relaxed);  // only this thread writes it
    return true;
}

/// Walks down to a position whose value is known, or becomes known by expanding it. `value` is for its mover.
bool Mcts::Worker::descend(Edge*& incoming, float& value) {
    for (;;) {
        Node& node = *incoming->child;
        if (const Proof proof = node.proof(); proof != Proof::kNone) {
            value = value_of(proof);
            return true;
        }
        if (!node.is_expanded()) {
            if (!node.claim_expansion()) {
                explorer_->set_asking(false);
                node.wait_until_expanded();
                explorer_->set_asking(true);
                continue;
            }
            place_path();
            explorer_->expand(path_.empty(), expansion_);
            if (!node.expand(expansion_, *memory_)) {
                node.release_claim();
                return false;
            }
            if (!expansion_.evaluated) continue;  // a forced move: its position is what counts
            value = expansion_.value;
            if (search_.params_.parallelism == Parallelism::kLeaf && expansion_.proof == Proof::kNone) {
                value = evaluate_as_team(value);
            }
            return true;
        }
        if (node.is_exhausted()) {
            value = -1;
            return true;
        }
        if (try_to_prove(node, *incoming)) continue;
        const int opened = node.opened();
        const Cell wanted = path_.empty() ? search_.limits_.root_move : kNoCell;
        const int index = wanted == kNoCell ? select(node, *incoming, path_.empty()) : node.index_to_try(wanted);
        if (index < 0) continue;  // another thread has just settled the last move
        Edge* edge = index < opened ? &node.edge(index) : node.open(index, *memory_);
        if (!edge) {
            if (node.opened() == opened) return false;  // no other thread opened it: memory has run out
            continue;
        }
        edge->start_visit();
        path_.push_back({&node, incoming, index, edge});
        incoming = edge;
    }
}

/// Plays the moves of the path, as far as they are not on the board already: playouts have most of them in common, and
/// those that end in a known result need no board at all.
void Mcts::Worker::place_path() {
    std::size_t common = 0;
    const std::size_t most = std::min(placed_.size(), path_.size());
    while (common < most && placed_[common] == path_[common].edge->move) ++common;
    withdraw(common);
    for (; common < path_.size(); ++common) {
        explorer_->play(path_[common].edge->move);
        placed_.push_back(path_[common].edge->move);
    }
}

void Mcts::Worker::withdraw(std::size_t kept) {
    for (; placed_.size() > kept; placed_.pop_back()) explorer_->undo();
}

bool Mcts::Worker::try_to_prove(Node& node, const Edge& incoming) {
    const std::int64_t visits = incoming.load_counts().visits;
    if (!deserves_another_proof(visits)) return false;
    place_path();
    const Cell move = explorer_->prove(static_cast<int>(visits));
    if (move == kNoCell) return false;
    node.set_proof(Proof::kWin, move);
    return true;
}

void Mcts::Worker::back_up(Edge* incoming, float value) {
    // `value` is for the mover of the position that `incoming` leads to; an edge counts for the one who moved.
    count(*incoming, -value);
    for (auto step = path_.rbegin(); step != path_.rend(); ++step) {
        value = -value;
        if (const Proof proof = step->edge->child->proof(); proof != Proof::kNone) {
            if (step->node->settle(step->index, invert(proof), *step->incoming)) value = value_of(invert(proof));
            // A refuted move does not make its position lost as long as there are others, but the visit that found the
            // refutation is counted so: the position is worse than it was believed to be.
        }
        if (const Proof proof = step->node->proof(); proof != Proof::kNone) value = value_of(proof);
        count(*step->incoming, -value);
    }
}

/// Adds the playout's result to an edge.
void Mcts::Worker::count(Edge& edge, float value) {
    const double sum = static_cast<double>(value) * static_cast<double>(weight_);
    edge.add(weight_, sum, &edge == &tree_->root ? 0 : -1);
}

void Mcts::Worker::abandon(Edge* incoming) {
    if (!path_.empty()) incoming->abandon_visit();
    for (auto step = path_.rbegin(); step != path_.rend(); ++step) {
        if (step->incoming != &tree_->root) step->incoming->abandon_visit();
    }
    search_.out_of_memory_.store(true, std::memory_order_relaxed);
}

int Mcts::Worker::select(const Node& node, const Edge& incoming, bool root) {
    const int opened = node.opened();
    if (opened == 0) return 0;
    return search_.params_.selection == Selection::kUct ? select_uct(node, incoming, opened)
                                                        : select_puct(node, incoming, root, opened);
}

int Mcts::Worker::select_uct(const Node& node, const Edge& incoming, int opened) {
    if (opened < node.candidates()) return opened;
    const auto [visits, under_way] = incoming.load_counts();
    const double log_visits = std::log(static_cast<double>(std::max<std::int64_t>(visits + under_way, 1)));
    double best_score = -std::numeric_limits<double>::infinity();
    int best = -1;
    node.for_each_edge(opened, [&](int i, const Edge& edge) {
        if (edge.proof.load(std::memory_order_relaxed) == Proof::kLoss) return;
        const auto [n, pending] = edge.load_counts();
        const double tries = static_cast<double>(std::max<std::int64_t>(n + pending, 1));
        const double score = edge.mean(0) + search_.params_.c_puct * std::sqrt(log_visits / tries);
        if (score > best_score) best_score = score, best = i;
    });
    return best;
}

int Mcts::Worker::select_puct(const Node& node, const Edge& incoming, bool root, int opened) {
    const SearchParams& params = search_.params_;
    // Loaded one by one, as atomics must be, then scored in a loop that the compiler vectorises.
    std::array<float, kMaxCells> visits, sums, priors, tries;
    std::array<std::int16_t, kMaxCells> indices;
    const bool virtual_loss = params.in_flight == InFlight::kVirtualLoss;
    int open = 0;
    float visited_prior = 0;
    node.for_each_edge(opened, [&](int i, const Edge& edge) {
        visited_prior += edge.prior;
        if (edge.proof.load(std::memory_order_relaxed) == Proof::kLoss) return;
        const auto [n, under_way] = edge.load_counts();
        const float pending = static_cast<float>(under_way);
        visits[open] = static_cast<float>(n) + (virtual_loss ? pending : 0);
        sums[open] = static_cast<float>(edge.load_value_sum()) - (virtual_loss ? pending : 0);
        tries[open] = static_cast<float>(n) + pending;
        priors[open] = edge.prior;
        indices[open++] = static_cast<std::int16_t>(i);
    });
    const auto [total, total_under_way] = incoming.load_counts();
    const float all = static_cast<float>(total + total_under_way);
    const float reduction = root ? params.fpu_reduction_root : params.fpu_reduction;
    const float unvisited_value = std::max(-1.0f, -incoming.mean(0) - reduction * std::sqrt(visited_prior));
    const float c = params.c_puct + (params.c_puct_log > 0 ? params.c_puct_log * std::log((all + 500) / 500) : 0);
    const float exploration = c * std::sqrt(std::max(all, 1.0f));
    std::array<float, kMaxCells> scores;
    for (int i = 0; i < open; ++i) {
        const float mean = visits[i] > 0 ? sums[i] / visits[i] : unvisited_value;
        scores[i] = mean + exploration * priors[i] / (1 + tries[i]);
    }
    float best_score = -std::numeric_limits<float>::infinity();
    int best = -1;
    for (int i = 0; i < open; ++i) {
        if (scores[i] > best_score) best_score = scores[i], best = indices[i];
    }
    if (opened < node.candidates() && unvisited_value + exploration * node.candidate_prior(opened) > best_score) {
        return opened;
    }
    return best;
}

/// Leaf parallelism: every other worker evaluates the same position too.
float Mcts::Worker::evaluate_as_team(float own_value) {
    std::vector<float> values(search_.workers_.size(), own_value);
    for (auto& worker : search_.workers_) worker->explorer_->set_asking(worker.get() != this);
    search_.pool_->run([&](int index) {
        if (index == 0) return;
        Worker& worker = *search_.workers_[index];
        for (const Step& step : path_) worker.explorer_->play(step.edge->move);
        worker.explorer_->expand(false, worker.expansion_);
        worker.explorer_->set_asking(false);
        values[index] = worker.expansion_.value;
        for (std::size_t i = 0; i < path_.size(); ++i) worker.explorer_->undo();
    });
    explorer_->set_asking(true);
    weight_ = static_cast<std::int64_t>(values.size());
    double sum = 0;
    for (float value : values) sum += value;
    return static_cast<float>(sum / static_cast<double>(weight_));
}

void Mcts::Worker::run() {
    // Every thread is always under way at the root: it is counted there once, not with every playout.
    tree_->root.start_visit();
    explorer_->set_asking(true);
    while (!search_.should_stop() && has_claim() && playout()) claimed_ -= weight_;
    explorer_->set_asking(false);
    tree_->root.abandon_visit();
}

/// May this thread make another playout? A playout that brought several results has used up as many claims.
bool Mcts::Worker::has_claim() {
    while (claimed_ <= 0) {
        const std::int64_t share = search_.claim_playouts();
        if (share <= 0) return false;
        claimed_ += share;
    }
    return true;
}

Mcts::Mcts(std::unique_ptr<Explorer> explorer, SearchParams params) : params_(params) {
    pool_ = std::make_unique<ThreadPool>(params_.threads);
    set_root(std::move(explorer));
}

Mcts::~Mcts() = default;

void Mcts::set_root(std::unique_ptr<Explorer> explorer) {
    std::lock_guard lock(tree_mutex_);
    make_workers(std::move(explorer));
    reset_trees();
}

void Mcts::make_workers(std::unique_ptr<Explorer> first) {
    workers_.clear();
    for (int index = 1; index < params_.threads; ++index) {
        workers_.push_back(std::make_unique<Worker>(*this, first->clone(split_mix(params_.seed) + index)));
    }
    workers_.insert(workers_.begin(), std::make_unique<Worker>(*this, std::move(first)));
}

void Mcts::reset_trees() {
    const int count = params_.parallelism == Parallelism::kRoot ? params_.threads : 1;
    for (auto& tree : trees_) tree->reset();
    while (static_cast<int>(trees_.size()) < count) trees_.push_back(std::make_unique<Tree>(params_.memory / count));
    for (int i = 0; i < params_.threads; ++i) workers_[i]->enter(*trees_[count == 1 ? 0 : i]);
}

bool Mcts::advance(Cell move) {
    std::lock_guard lock(tree_mutex_);
    for (auto& worker : workers_) worker->explorer().play(move);
    bool known = true;
    for (auto& tree : trees_) {
        const Node& root = *tree->root.child;
        const int index = root.find_opened(move);
        known &= index >= 0 && root.edge(index).child->is_expanded();
        if (!known) break;
        const Edge& next = root.edge(index);
        tree->root.reset(next.child, next.load_counts().visits, next.load_value_sum());
        tree->examined = false;
        tree->doubted.clear();
        compact_if_needed(*tree);
    }
    if (!known) reset_trees();
    return known;
}

/// What became unreachable is freed only when it takes up half of the budget: copying costs more than it saves before.
void Mcts::compact_if_needed(Tree& tree) {
    if (tree.arena->used() < tree.arena->budget() / 2) return;
    auto arena = std::make_unique<Arena>(tree.arena->budget());
    Arena::Cursor memory(*arena);
    Node* root = tree.root.child->copy_to(memory);
    if (!root) return;
    tree.root.child = root;
    tree.arena = std::move(arena);
    for (auto& worker : workers_) worker->reenter();
}

double Mcts::elapsed() const {
    return (running_.load(std::memory_order_relaxed) ? now() : ended_at_.load(std::memory_order_relaxed)) -
           started_at_.load(std::memory_order_relaxed);
}

bool Mcts::should_stop() const {
    if (stop_requested_.load(std::memory_order_relaxed) || out_of_memory_.load(std::memory_order_relaxed)) return true;
    if (limits_.cancelled && limits_.cancelled->load(std::memory_order_relaxed)) return true;
    for (const auto& tree : trees_) {
        const Node& root = *tree->root.child;
        if (root.proof() != Proof::kNone) return true;
        if (limits_.only_move_ends && root.is_expanded() && root.candidates() == 1) return true;  // nothing to choose
    }
    return limits_.seconds > 0 && now() >= started_at_.load(std::memory_order_relaxed) + share_ * limits_.seconds;
}

/// A share of the playouts that are left of the limit, for one thread; 0 when none are.
std::int64_t Mcts::claim_playouts() {
    constexpr std::int64_t kMost = 16;
    if (limits_.playouts <= 0) return kMost;
    // Small shares towards the end: no thread is left with many when the others have run out.
    const auto all = static_cast<std::int64_t>(share_ * static_cast<double>(limits_.playouts));
    const std::int64_t left = all - playouts_claimed_.load(std::memory_order_relaxed);
    const std::int64_t share = std::clamp<std::int64_t>(left / (4 * params_.threads), 1, kMost);
    const std::int64_t before = playouts_claimed_.fetch_add(share, std::memory_order_relaxed);
    const std::int64_t granted = std::clamp<std::int64_t>(all - before, 0, share);
    if (granted < share) playouts_claimed_.fetch_sub(share - granted, std::memory_order_relaxed);
    return granted;
}

void Mcts::count_playouts(SearchReport& report) const {
    for (const auto& worker : workers_) {
        report.playouts += worker->results();
        report.depth = std::max(report.depth, worker->deepest());
    }
}

void Mcts::search(SearchLimits limits) {
    limits_ = limits;
    stop_requested_ = out_of_memory_ = false;
    playouts_claimed_ = 0;
    for (auto& worker : workers_) worker->start_counting();
    started_at_ = now();
    running_ = true;
    ++searches_;
    prepare_roots();
    // The best move is doubted while there are playouts left to find another one.
    for (double share : {0.5, 0.9}) {
        run_workers(share);
        doubt_best_move();
    }
    run_workers(1);
    if (limits_.seconds == 0) doubt_best_move();
    ended_at_ = now();
    running_ = false;
}

/// Playouts until a share of the limits is used up.
void Mcts::run_workers(double share) {
    share_ = share;
    if (should_stop()) return;
    switch (params_.parallelism) {
        case Parallelism::kLeaf: workers_[0]->run(); break;
        case Parallelism::kTree:
        case Parallelism::kRoot: pool_->run([&](int index) { workers_[index]->run(); }); break;
    }
    for (auto& worker : workers_) worker->withdraw();
}

/// Playouts see an enemy's long win by threats late, a solver sees it at once: asks it about the move that would be
/// played now and the one expected after it, and about the next ones if one of these loses.
void Mcts::doubt_best_move() {
    constexpr int kMost = 16;
    constexpr double kShare = 0.1;           // of the time, for all of them
    constexpr double kNodesPerSecond = 3e5;  // of the solver, about
    if (trees_.size() > 1 || limits_.root_move != kNoCell || (limits_.playouts == 0 && limits_.seconds == 0)) return;
    std::int64_t nodes = std::numeric_limits<std::int64_t>::max();
    if (limits_.seconds > 0) nodes = static_cast<std::int64_t>(kShare * limits_.seconds * kNodesPerSecond);
    const double end = limits_.seconds > 0 ? now() + kShare * limits_.seconds : std::numeric_limits<double>::infinity();
    for (int i = 0; i < kMost && now() < end && !stop_requested_.load(std::memory_order_relaxed); ++i) {
        if (!refute_expected_line(nodes)) return;
    }
}

/// Asks about the moves of the root's mover in the line that the search expects, until one of them loses by force.
bool Mcts::refute_expected_line(std::int64_t max_nodes) {
    constexpr int kPlies = 3;
    Tree& tree = *trees_.front();
    if (tree.root.child->candidates() < 2) return false;
    Explorer& explorer = workers_.front()->explorer();
    std::vector<Step> line;
    Edge* incoming = &tree.root;
    bool refuted = false;
    for (int ply = 0; ply < kPlies && !refuted; ++ply) {
        Node& node = *incoming->child;
        if (!node.is_expanded() || node.proof() != Proof::kNone) break;
        const int index = ply == 0 ? node.find_opened(best_move()) : node.most_visited();
        if (index < 0) break;
        Edge& edge = node.edge(index);
        line.push_back({&node, incoming, index, &edge});
        explorer.play(edge.move);
        refuted = ply % 2 == 0 && refute(tree, *edge.child, max_nodes);
        incoming = &edge;
    }
    for (std::size_t i = 0; i < line.size(); ++i) explorer.undo();
    if (!refuted) return false;
    for (auto step = line.rbegin(); step != line.rend(); ++step) {
        const Proof proof = step->edge->child->proof();
        if (proof == Proof::kNone) break;
        step->node->settle(step->index, invert(proof), *step->incoming);
    }
    return true;
}

/// Finds out whether the enemy wins by force in the explorer's position, which is `node`, if that was not asked before
/// with about as much effort.
bool Mcts::refute(Tree& tree, Node& node, std::int64_t max_nodes) {
    if (!node.is_expanded() || node.proof() != Proof::kNone) return false;
    const auto earlier = std::ranges::find(tree.doubted, &node, &std::pair<const Node*, std::int64_t>::first);
    if (earlier != tree.doubted.end() && max_nodes / 4 < earlier->second) return false;
    if (earlier != tree.doubted.end()) tree.doubted.erase(earlier);
    tree.doubted.emplace_back(&node, max_nodes);
    const Cell answer = workers_.front()->explorer().refute(max_nodes, stop_requested_);
    if (answer != kNoCell) node.set_proof(Proof::kWin, answer);
    return answer != kNoCell;
}

/// Expands the roots, so that there is always a move to return, and looks for a forced win with more effort.
void Mcts::prepare_roots() {
    for (std::size_t i = 0; i < trees_.size(); ++i) {
        Worker& worker = *workers_[i];
        Node& root = *trees_[i]->root.child;
        if (!root.is_expanded()) {
            worker.playout();
            playouts_claimed_ += worker.results();
            worker.withdraw();
        }
        if (root.proof() == Proof::kNone && !trees_[i]->examined) {
            const Cell move = worker.explorer().prove(Explorer::kAtRoot);
            if (move != kNoCell) root.set_proof(Proof::kWin, move);
        }
        trees_[i]->examined = true;
        if (params_.root_noise > 0 && root.candidates() > 1) add_root_noise(root, i);
    }
}

void Mcts::add_root_noise(Node& root, std::size_t tree) {
    Random random(split_mix(params_.seed + 0x51ed * searches_) + tree);
    const float alpha = params_.root_noise_total_alpha / static_cast<float>(root.candidates());
    std::vector<float> priors(root.candidates()), noise(root.candidates());
    float sum = 0;
    for (float& x : noise) sum += x = random.gamma(alpha);
    for (int i = 0; i < root.candidates(); ++i) {
        const float share = sum > 0 ? noise[i] / sum : 1.0f / static_cast<float>(priors.size());
        priors[i] = (1 - params_.root_noise) * root.candidate_prior(i) + params_.root_noise * share;
    }
    root.set_priors(priors);
}

}  // namespace tengen
