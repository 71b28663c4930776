// What a search can tell about itself, also while it runs.

#include <algorithm>
#include <map>

#include "mcts/mcts_worker.h"

namespace tengen {
namespace {

/// Better moves first: proven wins, then visits, refuted moves last.
bool is_better(const MoveReport& a, const MoveReport& b) {
    auto rank = [](const MoveReport& m) { return m.proof == Proof::kWin ? 2 : m.proof == Proof::kLoss ? 0 : 1; };
    if (rank(a) != rank(b)) return rank(a) > rank(b);
    if (a.visits != b.visits) return a.visits > b.visits;
    return a.prior > b.prior;
}

/// The edge that play would follow, or null at the end of what is known.
const Edge* best_edge(const Node& node) {
    const Edge* best = nullptr;
    std::int64_t most = -1;
    for (int i = 0; i < node.opened(); ++i) {
        const Edge& edge = node.edge(i);
        if (node.proof() == Proof::kWin && edge.move == node.winning_move()) return &edge;
        const std::int64_t visits = edge.load_counts().visits;
        const bool refuted = edge.proof.load(std::memory_order_relaxed) == Proof::kLoss;
        if (!refuted && visits > most) most = visits, best = &edge;
    }
    return best;
}

std::vector<Cell> line_from(const Edge& first, int max_length) {
    std::vector<Cell> line = {first.move};
    const Node* node = first.child;
    while (static_cast<int>(line.size()) < max_length && node->is_expanded()) {
        const Edge* edge = best_edge(*node);
        if (!edge) {
            if (node->proof() == Proof::kWin && node->winning_move() != kNoCell) line.push_back(node->winning_move());
            break;
        }
        line.push_back(edge->move);
        node = edge->child;
    }
    return line;
}

}  // namespace

/// The root's moves, summed over the trees, without those that were never tried.
std::vector<MoveReport> Mcts::tried_moves(int max_line) const {
    std::map<Cell, MoveReport> merged;
    for (const auto& tree : trees_) {
        const Node& root = *tree->root.child;
        if (!root.is_expanded()) continue;
        const int opened = root.opened();
        for (int i = 0; i < opened; ++i) {
            const Edge& edge = root.edge(i);
            const std::int64_t visits = edge.load_counts().visits;
            MoveReport& report = merged.try_emplace(edge.move, MoveReport{.move = edge.move, .line = {}}).first->second;
            report.prior = edge.prior;
            report.visits += visits;
            report.value += static_cast<float>(edge.load_value_sum());
            if (const Proof proof = edge.proof.load(std::memory_order_relaxed); proof != Proof::kNone) {
                report.proof = proof;
            }
            if (max_line > 0 && report.line.empty()) report.line = line_from(edge, max_line);
        }
    }
    std::vector<MoveReport> moves;
    for (auto& [move, report] : merged) {
        if (report.visits > 0) report.value /= static_cast<float>(report.visits);
        if (report.proof != Proof::kNone) report.value = value_of(report.proof);
        moves.push_back(std::move(report));
    }
    return moves;
}

/// The root's moves, best first. Where no tried move is any good an untried one can only be better, so they are listed
/// too.
std::vector<MoveReport> Mcts::ranked_moves(int max_line) const {
    std::vector<MoveReport> moves = tried_moves(max_line);
    const Node& root = *trees_.front()->root.child;
    if (root.is_expanded() && std::ranges::all_of(moves, [](auto& move) { return move.proof == Proof::kLoss; })) {
        const Proof proof = root.proof() == Proof::kLoss ? Proof::kLoss : Proof::kNone;
        for (const auto [move, prior] : root.untried()) {
            if (std::ranges::find(moves, move, &MoveReport::move) != moves.end()) continue;  // another tree tried it
            moves.push_back({move, 0, value_of(proof), prior, proof, {move}});
        }
    }
    std::ranges::sort(moves, is_better);
    const Cell winning = winning_move();
    if (winning == kNoCell) return moves;
    auto found = std::ranges::find(moves, winning, &MoveReport::move);
    if (found == moves.end()) found = moves.insert(found, MoveReport{winning, 0, 1, 1, Proof::kWin, {winning}});
    found->proof = Proof::kWin;
    found->value = 1;
    std::rotate(moves.begin(), found, found + 1);
    return moves;
}

std::vector<MoveReport> Mcts::root_candidates() const {
    const Node& root = *trees_.front()->root.child;
    std::vector<MoveReport> moves;
    if (!root.is_expanded()) return moves;
    moves.reserve(root.candidates());
    root.for_each_edge(root.opened(), [&](int, const Edge& edge) {
        const std::int64_t visits = edge.load_counts().visits;
        const Proof proof = edge.proof.load(std::memory_order_relaxed);
        const float value = proof != Proof::kNone ? value_of(proof) : edge.mean(0);
        moves.push_back({edge.move, visits, value, edge.prior, proof, {}});
    });
    for (int i = root.opened(); i < root.candidates(); ++i) {
        moves.push_back({root.candidate_move(i), 0, 0, root.candidate_prior(i), Proof::kNone, {}});
    }
    return moves;
}

SearchReport Mcts::report(int best_moves, int max_line) const {
    std::lock_guard lock(tree_mutex_);
    SearchReport report;
    report.seconds = elapsed();
    report.ended = end_;
    report.playouts = results();
    for (const auto& worker : workers_) report.depth = std::max(report.depth, worker->deepest());
    double sum = 0;
    for (const auto& tree : trees_) {
        report.visits += tree->root.load_counts().visits;
        sum -= tree->root.load_value_sum();
        report.memory += tree->arena->used();
        if (const Proof proof = tree->root.child->proof(); proof != Proof::kNone) report.proof = proof;
    }
    report.value = report.visits ? static_cast<float>(sum / static_cast<double>(report.visits)) : 0;
    if (report.proof != Proof::kNone) report.value = value_of(report.proof);
    report.moves = ranked_moves(max_line);
    if (static_cast<int>(report.moves.size()) > best_moves) report.moves.resize(best_moves);
    return report;
}

Cell Mcts::winning_move() const {
    for (const auto& tree : trees_) {
        const Node& root = *tree->root.child;
        if (root.proof() == Proof::kWin) return root.winning_move();
    }
    return kNoCell;
}

Cell Mcts::best_move() const {
    std::lock_guard lock(tree_mutex_);
    const std::vector<MoveReport> moves = ranked_moves(0);
    return moves.empty() ? kNoCell : moves.front().move;
}

}  // namespace tengen
