#include "mcts/mcts_worker.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

#include "mcts/clock.h"

namespace tengen {
namespace {

/// Visits at which a position is looked at again for a forced win, with more effort each time.
constexpr bool deserves_another_proof(std::int64_t visits) {
    return visits == 24 || visits == 400 || visits == 6000;
}

}  // namespace

bool Mcts::Worker::playout() {
    path_.clear();
    weight_ = 1;
    Edge* incoming = &search_.tree_.root;
    float value;
    if (!descend(incoming, value)) {
        abandon();
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
            if (!expand(node)) return false;
            if (!expansion_.evaluated) continue;  // a forced move: its position is what counts
            value = expansion_.value;
            weight_ = expansion_.results;
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
        Edge* edge = index < opened ? &node.edge(index) : open(node, index);
        if (!edge) {
            if (node.opened() == opened) return false;  // no other thread opened it: memory has run out
            continue;
        }
        edge->start_visit();
        path_.push_back({&node, incoming, index, edge});
        incoming = edge;
        if (edge->child->is_shared() && catches_up(*edge, value)) return true;
    }
}

Edge* Mcts::Worker::open(Node& node, int index) {
    const bool by_mover = (path_.size() - placed_.size()) % 2 == 0;
    const std::uint64_t key =
        node.key() ? node.key() ^ explorer_->hash_change(node.candidate_move(index), by_mover) : 0;
    return node.open(index, key, *search_.tree_.positions, memory_);
}

/// Is more known about the position that an edge leads to than came by this edge? Then the mean of that is the result
/// of the visit, and costs nothing.
bool Mcts::Worker::catches_up(const Edge& edge, float& value) {
    const Node& node = *edge.child;
    if (!node.is_expanded() || node.proof() != Proof::kNone) return false;
    const Node::Results known = node.results();
    if (edge.load_counts().visits >= known.visits) return false;
    value = static_cast<float>(std::clamp(known.sum / static_cast<double>(known.visits), -1.0, 1.0));
    return true;
}

/// Finds out about a position that this thread has claimed. False when memory has run out.
bool Mcts::Worker::expand(Node& node) {
    try {
        place_path();
        const ThreatLimits at_root = path_.empty() ? search_.solver_limits(kNever) : ThreatLimits();
        explorer_->expand(path_.empty() ? &at_root : nullptr, expansion_);
        add_noise();
        if (node.expand(expansion_, memory_)) return true;
    } catch (...) {
        node.release_claim();  // others may be waiting for it
        throw;
    }
    node.release_claim();
    return false;
}

/// To the priors of what was just expanded, if it wants some there.
void Mcts::Worker::add_noise() {
    const SearchParams& params = search_.params_;
    if (params.noise_at != NoiseAt::kExpansions || params.root_noise <= 0 || expansion_.count < 2) return;
    search_.mix_noise(std::span(expansion_.priors).first(expansion_.count), random_);
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
    const Cell move = explorer_->prove(static_cast<int>(visits), search_.solver_limits(kNever));
    if (move == kNoCell) return false;
    node.set_proof(Proof::kWin, move);
    return true;
}

void Mcts::Worker::back_up(Edge* incoming, float value) {
    assert(value >= -1 && value <= 1);  // and a number
    // `value` is for the mover of the position that `incoming` leads to; an edge counts for the one who moved.
    count(*incoming, -value);
    for (auto step = path_.rbegin(); step != path_.rend(); ++step) {
        value = -value;
        if (search_.params_.proofs) value = settle(*step, value);
        count(*step->incoming, -value);
    }
}

/// Takes note of what is certain after a step; returns the value of the position before it, certain or as it was.
float Mcts::Worker::settle(const Step& step, float value) {
    if (const Proof proof = step.edge->child->proof(); proof != Proof::kNone) {
        if (step.node->settle(step.index, invert(proof), *step.incoming)) value = value_of(invert(proof));
        // A refuted move does not make its position lost as long as there are others, but the visit that found the
        // refutation is counted so: the position is worse than it was believed to be.
    }
    if (const Proof proof = step.node->proof(); proof != Proof::kNone) value = value_of(proof);
    return value;
}

/// Adds the playout's result to an edge.
void Mcts::Worker::count(Edge& edge, float value) {
    const double sum = static_cast<double>(value) * static_cast<double>(weight_);
    edge.add(weight_, sum, &edge == &search_.tree_.root ? 0 : -1);
}

/// Ends a playout that found no memory, and with it the others'.
void Mcts::Worker::abandon() {
    for (const Step& step : path_) step.edge->abandon_visit();
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
    const double virtual_loss = search_.params_.loss_under_way();
    double best_score = -std::numeric_limits<double>::infinity();
    int best = -1;
    node.for_each_edge(opened, [&](int i, const Edge& edge) {
        if (edge.proof.load(std::memory_order_relaxed) == Proof::kLoss) return;
        const auto [n, pending] = edge.load_counts();
        const double tries = static_cast<double>(std::max<std::int64_t>(n + (virtual_loss > 0 ? 0 : pending), 1));
        const double score = edge.mean(0) + search_.params_.c_puct * std::sqrt(log_visits / tries) -
                             virtual_loss * static_cast<double>(pending);
        if (score > best_score) best_score = score, best = i;
    });
    return best;
}

int Mcts::Worker::select_puct(const Node& node, const Edge& incoming, bool root, int opened) {
    const SearchParams& params = search_.params_;
    // Loaded one by one, as atomics must be, then scored in a loop that the compiler vectorises.
    std::array<float, kMaxCells> visits, sums, priors, tries, losses;
    std::array<std::int16_t, kMaxCells> indices;
    const float virtual_loss = params.loss_under_way();
    int open = 0;
    float visited_prior = 0;
    node.for_each_edge(opened, [&](int i, const Edge& edge) {
        visited_prior += edge.prior;
        if (edge.proof.load(std::memory_order_relaxed) == Proof::kLoss) return;
        const auto [n, under_way] = edge.load_counts();
        const float pending = static_cast<float>(under_way);
        visits[open] = static_cast<float>(n);
        sums[open] = static_cast<float>(edge.load_value_sum());
        tries[open] = static_cast<float>(n) + (virtual_loss > 0 ? 0 : pending);
        losses[open] = virtual_loss * pending;
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
        scores[i] = mean + exploration * priors[i] / (1 + tries[i]) - losses[i];
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

void Mcts::Worker::run() {
    // Every thread is always under way at the root: it is counted there once, not with every playout.
    search_.tree_.root.start_visit();
    explorer_->set_asking(true);
    try {
        while (!search_.should_pause() && has_claim() && playout()) {
            claimed_ -= weight_;
            if (search_.step_is_over()) break;
        }
    } catch (...) {
        abandon();
        leave();
        throw;
    }
    leave();
}

void Mcts::Worker::leave() {
    explorer_->set_asking(false);
    search_.tree_.root.abandon_visit();
    withdraw();
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

}  // namespace tengen
