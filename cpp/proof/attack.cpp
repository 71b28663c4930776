#include "proof/attack.h"

#include <algorithm>
#include <cmath>

#include "mcts/gomoku_explorer.h"
#include "threats/rows.h"

namespace tengen {
namespace {

constexpr int kTableBits = 18, kCacheBits = 14;
/// For a win of the defender by fours.
constexpr std::int64_t kDefenderNodes = 2'000;
constexpr int kMaxCandidates = 24;
constexpr std::int64_t kTreeMemory = 192 << 20;
constexpr float kPriorTemperature = 1.35f;

/// The work of proving a position that is worth `value` to the attacker, in positions.
float cost_of(float value) {
    constexpr float kFaith = 2, kLeast = 0.05f;
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

/// What the position is worth to the attacker at first sight.
float Attack::value(Board& board) {
    std::array<Cell, kMaxCells> moves;
    std::array<float, kMaxCells> logits;
    std::size_t count = 0;
    board.candidates().for_each([&](Cell cell) { moves[count++] = cell; });
    const float value = oracle_.evaluator().evaluate(board, {moves.data(), count}, {logits.data(), count});
    return board.turn() == attacker_ ? value : -value;
}

float Attack::cost(Board& board) {
    return cost_of(value(board));
}

/// What a tree search thinks of the moves, most visited first.
std::vector<MoveReport> Attack::consider(const Board& board, std::int64_t playouts) {
    KnowledgeParams knowledge;
    knowledge.vct_nodes_root = 0;  // the solver has been asked
    knowledge.prior_temperature = kPriorTemperature;
    knowledge.threat_share = 0;  // a proof wants few moves, and those that threaten something are tried anyway
    auto explorer = std::make_unique<GomokuExplorer>(board, oracle_.evaluator().clone(1), knowledge);
    if (!search_) {
        SearchParams params;
        params.memory = kTreeMemory;
        params.vct_nodes_answer = 0;
        search_ = std::make_unique<Mcts>(std::move(explorer), params);
    } else {
        search_->set_root(std::move(explorer));
    }
    search_->search({.playouts = playouts, .only_move_ends = false, .prove = false});
    std::vector<MoveReport> moves = search_->root_candidates();
    // A win by fours that it sees leaves nothing to choose from.
    if (const Cell best = search_->best_move(); moves.empty() && best != kNoCell) {
        moves.push_back({best, 1, 1, 1, Proof::kWin, {}});
    }
    std::ranges::stable_sort(moves, [](const MoveReport& a, const MoveReport& b) {
        return a.visits != b.visits ? a.visits > b.visits : a.prior > b.prior;
    });
    return moves;
}

std::vector<Candidate> Attack::candidates(Board& board, std::int64_t playouts) {
    constexpr float kReplies = 4, kMost = 1e4f;
    const std::vector<MoveReport> moves = consider(board, playouts);
    const auto most = static_cast<float>(moves.empty() ? 0 : moves[0].visits);
    std::vector<Candidate> candidates;
    for (const MoveReport& move : moves) {
        if (candidates.size() == kMaxCandidates) break;
        board.play(move.move);
        const float worth = move.visits ? move.value : value(board);
        board.undo();
        // A move that the search likes less needs more good luck, even if the value after it is good.
        const float doubt = std::sqrt((most + 1) / (static_cast<float>(move.visits) + 0.1f));
        candidates.push_back({move.move, kReplies * cost_of(worth) * std::min(doubt, kMost)});
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
