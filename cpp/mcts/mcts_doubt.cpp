// What a search does to make sure of the move that it is about to choose: playouts see an enemy's long win by threats
// late, a solver sees it at once. It is asked about the move that would be played now and the one expected after it,
// and about the next ones if one of these loses.

#include <algorithm>

#include "mcts/clock.h"
#include "mcts/mcts_worker.h"

namespace tengen {
namespace {

/// Of the time, for one pause.
constexpr double kShareOfTime = 0.04;
/// Nodes that every search may spend, however short it is.
constexpr double kLeastNodes = 4000;
/// Nodes of one question. The solver remembers what it found out, so a position can be asked about again and again.
constexpr std::int64_t kQuestion = 4096;

}  // namespace

/// One question to the solver, or the end of the pause.
void Mcts::doubt_best_move() {
    if (progress_.doubt_until == 0) {
        progress_.doubt_until = limits_.seconds > 0 ? now() + kShareOfTime * limits_.seconds : kNever;
    }
    const bool has_time = progress_.doubt_until == kNever || now() < progress_.doubt_until;
    if (!has_time || !question_expected_line()) enter_phase(progress_.phase + 1);
}

/// Asks about the first move of the root's mover in the line that the search expects that is worth a question. False if
/// none is.
bool Mcts::question_expected_line() {
    constexpr int kPlies = 3;
    if (limits_.root_move != kNoCell || tree_.root.child->candidates() < 2) return false;
    Explorer& explorer = workers_.front()->explorer();
    std::vector<Step> line;
    Edge* incoming = &tree_.root;
    bool asked = false;
    for (int ply = 0; ply < kPlies && !asked; ++ply) {
        Node& node = *incoming->child;
        if (!node.is_expanded() || node.proof() != Proof::kNone) break;
        const int index = ply == 0 ? node.find_opened(best_move()) : node.most_visited();
        if (index < 0) break;
        Edge& edge = node.edge(index);
        line.push_back({&node, incoming, index, &edge});
        explorer.play(edge.move);
        asked = ply % 2 == 0 && is_worth_a_question(*edge.child);
        if (asked) refute(*edge.child);
        incoming = &edge;
    }
    for (std::size_t i = 0; i < line.size(); ++i) explorer.undo();
    for (auto step = line.rbegin(); step != line.rend(); ++step) {
        const Proof proof = step->edge->child->proof();
        if (proof == Proof::kNone) break;
        step->node->settle(step->index, invert(proof), *step->incoming);
    }
    return asked;
}

/// Does the position deserve more of the solver's time, and the search have it?
bool Mcts::is_worth_a_question(const Node& node) const {
    const double earned = params_.doubt_nodes_per_playout * static_cast<double>(results());
    if (static_cast<double>(progress_.doubt_nodes) >= std::max(kLeastNodes, earned)) return false;
    if (!node.is_expanded() || node.proof() != Proof::kNone) return false;
    const auto earlier = tree_.doubted.find(&node);
    return (earlier == tree_.doubted.end() ? 0 : earlier->second) < params_.vct_nodes_answer;
}

/// Finds out whether the enemy wins by force in the explorer's position, which is `node`, as far as one question goes.
void Mcts::refute(Node& node) {
    std::int64_t& spent = tree_.doubted[&node];
    ThreatLimits limits = solver_limits(progress_.doubt_until);
    limits.max_nodes = std::min(kQuestion, params_.vct_nodes_answer - spent);
    const ThreatResult answer = workers_.front()->explorer().refute(limits);
    progress_.doubt_nodes += answer.nodes;
    spent = answer.status == ThreatResult::kUnknown ? spent + limits.max_nodes : params_.vct_nodes_answer;
    if (answer.status == ThreatResult::kWin) node.set_proof(Proof::kWin, answer.move);
}

}  // namespace tengen
