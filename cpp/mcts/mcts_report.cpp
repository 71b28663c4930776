// What a search can tell about itself, also while it runs.

#include <algorithm>
#include <cmath>

#include "mcts/mcts_worker.h"

namespace tengen {
namespace {

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

MoveReport report_of(const Edge& edge) {
    const Proof proof = edge.proof.load(std::memory_order_relaxed);
    const float value = proof != Proof::kNone ? value_of(proof) : edge.mean(0);
    return {edge.move, edge.load_counts().visits, value, edge.prior, proof, {}};
}

/// The value that a move has at least, as far as its visits say: results lie in [-1, 1], so their variance is at most
/// 1 - mean^2.
double lower_bound(const MoveReport& move, double deviations) {
    const double value = move.value;
    return value -
           deviations * std::sqrt((1 - value * value) / static_cast<double>(std::max<std::int64_t>(move.visits, 1)));
}

/// Puts the move with the best lower bound first, of those sorted by visits that were tried often enough to compare.
void bring_safest_forward(std::vector<MoveReport>& moves, double deviations) {
    constexpr std::int64_t kLeastShare = 8;  // of the most visits
    if (moves.empty() || deviations <= 0 || moves.front().proof != Proof::kNone) return;
    const auto end = std::ranges::find_if(moves, [&](const MoveReport& move) {
        return move.proof != Proof::kNone || move.visits * kLeastShare < moves.front().visits;
    });
    const auto safest = std::max_element(moves.begin(), end, [&](const MoveReport& a, const MoveReport& b) {
        return lower_bound(a, deviations) < lower_bound(b, deviations);
    });
    std::rotate(moves.begin(), safest, safest + 1);
}

/// A solver may have found a move that was never tried.
void set_winning(std::vector<MoveReport>& moves, Cell winning) {
    if (winning == kNoCell) return;
    auto found = std::ranges::find(moves, winning, &MoveReport::move);
    if (found == moves.end()) found = moves.insert(found, MoveReport{winning, 0, 1, 1, Proof::kWin, {winning}});
    found->proof = Proof::kWin;
    found->value = 1;
}

}  // namespace

bool MoveReport::is_better(const MoveReport& a, const MoveReport& b) {
    auto rank = [](const MoveReport& m) { return m.proof == Proof::kWin ? 2 : m.proof == Proof::kLoss ? 0 : 1; };
    if (rank(a) != rank(b)) return rank(a) > rank(b);
    if (a.visits != b.visits) return a.visits > b.visits;
    return a.prior > b.prior;
}

/// The root's moves, best first. Where no tried move is any good an untried one can only be better, so they are listed
/// too.
std::vector<MoveReport> Mcts::ranked_moves(int max_line) const {
    const Node& root = *tree_.root.child;
    if (!root.is_expanded()) return {};
    std::vector<MoveReport> moves;
    root.for_each_edge(root.opened(), [&](int, const Edge& edge) {
        moves.push_back(report_of(edge));
        if (max_line > 0) moves.back().line = line_from(edge, max_line);
    });
    const Proof proof = root.proof();
    if (std::ranges::all_of(moves, [](const MoveReport& move) { return move.proof == Proof::kLoss; })) {
        const Proof each = proof == Proof::kLoss ? Proof::kLoss : Proof::kNone;
        for (const auto& [move, prior] : root.untried())
            moves.push_back({move, 0, value_of(each), prior, each, {move}});
    }
    if (proof == Proof::kWin) set_winning(moves, root.winning_move());
    // Symmetric moves are equal: they keep their order, whatever a library's sort does with such.
    std::ranges::stable_sort(moves, MoveReport::is_better);
    bring_safest_forward(moves, params_.lcb_deviations);
    return moves;
}

std::vector<MoveReport> Mcts::root_candidates() const {
    const Node& root = *tree_.root.child;
    std::vector<MoveReport> moves;
    if (!root.is_expanded()) return moves;
    moves.reserve(root.candidates());
    root.for_each_edge(root.opened(), [&](int, const Edge& edge) { moves.push_back(report_of(edge)); });
    for (const auto& [move, prior] : root.untried()) moves.push_back({move, 0, 0, prior, Proof::kNone, {}});
    return moves;
}

SearchReport Mcts::report(int best_moves, int max_line) const {
    std::lock_guard lock(tree_mutex_);
    SearchReport report{.proof = root_proof(),
                        .value = 0 - tree_.root.mean(0),
                        .playouts = results(),
                        .visits = root_visits(),
                        .seconds = elapsed(),
                        .memory = tree_.used(),
                        .ended = end_,
                        .moves = ranked_moves(max_line)};
    for (const auto& worker : workers_) report.depth = std::max(report.depth, worker->deepest());
    if (report.proof != Proof::kNone) report.value = value_of(report.proof);
    if (static_cast<int>(report.moves.size()) > best_moves) report.moves.resize(best_moves);
    return report;
}

Cell Mcts::best_move() const {
    std::lock_guard lock(tree_mutex_);
    const std::vector<MoveReport> moves = ranked_moves(0);
    return moves.empty() ? kNoCell : moves.front().move;
}

}  // namespace tengen
