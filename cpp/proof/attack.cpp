#include "proof/attack.h"

#include <algorithm>
#include <cmath>

#include "threats/rows.h"

namespace tengen {
namespace {

constexpr int kTableBits = 18, kCacheBits = 14;
/// For a win of the defender by fours.
constexpr std::int64_t kDefenderNodes = 2'000;
constexpr int kMaxCandidates = 24;

/// The work of proving a position that is worth `value` to the attacker, in positions.
float cost_of(float value) {
    constexpr float kFaith = 3, kLeast = 0.05f;
    return std::exp(kFaith * (1 - value)) - 1 + kLeast;
}

}  // namespace

Attack::Attack(const Board& setup, Color attacker, const Evaluator& evaluator, const ProofParams& params)
    : attacker_(attacker),
      params_(params),
      oracle_(evaluator, params.guided, kTableBits),
      empty_(setup.width(), setup.height(), setup.rules(), evaluator.window_radius()),
      referee_(setup.width(), setup.height(), setup.rules()),
      defender_(kCacheBits) {}

std::optional<ThreatTree> Attack::win(Board& board, std::int64_t max_nodes) {
    std::optional<ThreatTree> tree = oracle_.ask(board, max_nodes);
    if (!tree) return {};
    referee_.set_up(board);
    if (!referee_.wins(*tree, attacker_)) return {};
    return tree;
}

std::vector<Cell> Attack::answered(const Board& board, const ThreatTree& tree, std::span<const Cell> replies) {
    referee_.set_up(board);
    std::vector<Cell> answered;
    for (Cell reply : replies) {
        if (referee_.answers(tree, reply, attacker_)) answered.push_back(reply);
    }
    return answered;
}

float Attack::cost(Board& board) {
    std::array<Cell, kMaxCells> moves;
    std::array<float, kMaxCells> logits;
    std::size_t count = 0;
    board.candidates().for_each([&](Cell cell) { moves[count++] = cell; });
    const float value = oracle_.evaluator().evaluate(board, {moves.data(), count}, {logits.data(), count});
    return cost_of(board.turn() == attacker_ ? value : -value);
}

std::vector<Candidate> Attack::candidates(Board& board) {
    // A move that the policy likes less needs more good luck, even if the value after it is good.
    constexpr float kOpinion = 0.5f, kReplies = 4, kMost = 1e4f;
    PointSet moves = board.candidates();
    if (board.threats(opponent(attacker_)).fives.any()) moves &= board.threats(opponent(attacker_)).fives;
    const std::vector<Cell> cells = moves.members();
    std::vector<float> logits(cells.size());
    oracle_.evaluator().evaluate(board, cells, logits);
    const float best = *std::ranges::max_element(logits);
    std::vector<std::pair<float, Cell>> order;
    for (std::size_t i = 0; i < cells.size(); ++i) order.emplace_back(best - logits[i], cells[i]);
    std::ranges::sort(order);
    order.resize(std::min<std::size_t>(order.size(), kMaxCandidates));
    std::vector<Candidate> candidates;
    for (const auto& [worse, cell] : order) {
        board.play(cell);
        const float doubt = std::min(std::exp(kOpinion * worse), kMost);
        candidates.push_back({cell, kReplies * cost(board) * doubt});
        board.undo();
    }
    return candidates;
}

OpenReplies Attack::open_replies(Board& board) {
    const Color defender = opponent(attacker_);
    OpenReplies open;
    if (board.threats(defender).fives.any()) return {.refuted = true};
    if (const PointSet fives = board.threats(attacker_).fives; fives.any()) {
        if (fives.count() == 1) open.replies.push_back(fives.first());
        return open;
    }
    if (defender_.solve(board, kDefenderNodes).status == ThreatResult::kWin) return {.refuted = true};
    board.set_turn(attacker_);
    const std::optional<ThreatTree> threat = oracle_.ask(board, params_.pass_nodes);
    board.set_turn(defender);
    board.empties().for_each([&](Cell reply) { open.replies.push_back(reply); });
    if (!threat) {
        open.quiet = true;
        return open;
    }
    PointSet done;
    for (Cell reply : answered(board, *threat, open.replies)) done.add(reply);
    std::erase_if(open.replies, [&](Cell reply) { return done.contains(reply); });
    return open;
}

}  // namespace tengen
