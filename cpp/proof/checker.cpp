#include "proof/checker.h"

namespace tengen {
namespace {

constexpr int kTableBits = 18;

}  // namespace

Checker::Checker(const Board& setup, Color winner, const Evaluator& evaluator, std::int64_t max_nodes)
    : winner_(winner),
      max_nodes_(max_nodes),
      oracle_(evaluator, true, kTableBits),
      empty_(setup.width(), setup.height(), setup.rules(), evaluator.window_radius()),
      referee_(setup.width(), setup.height(), setup.rules()) {}

bool Checker::add(const ProofPosition& position, Cell move) {
    Board board = empty_;
    position.set_up(board);
    int symmetry;
    const ProofPosition turned = ProofPosition::of(board, &symmetry);
    return moves_.emplace(turned.stones, board.geometry().transform(move, symmetry)).second;
}

std::optional<Checker::Fault> Checker::check(const Board& root, Cell only_move, const std::atomic<bool>& stop) {
    int symmetry;
    const ProofPosition start = ProofPosition::of(root, &symmetry);
    const Cell move = only_move == kNoCell ? kNoCell : root.geometry().transform(only_move, symmetry);
    const auto entry = moves_.find(start.stones);
    if (entry == moves_.end() || (move != kNoCell && entry->second != move)) {
        Board board = empty_;
        start.set_up(board);
        if (move == kNoCell && won_by_threats(board)) return {};
        return Fault{Fault::kNoAnswer, start, move, kNoCell};
    }
    to_visit_ = {start.stones};
    reached_ = {start.stones};
    while (!to_visit_.empty() && !stop) {
        const Stones stones = to_visit_.back();
        to_visit_.pop_back();
        Board board = empty_;
        ProofPosition(stones).set_up(board);
        if (std::optional<Fault> fault = check_position(board, moves_.at(stones))) return fault;
    }
    return {};
}

bool Checker::won_by_threats(Board& board) {
    const std::optional<ThreatTree> tree = oracle_.ask(board, max_nodes_);
    referee_.set_up(board);
    return tree && referee_.wins(*tree, winner_);
}

/// Plays the winner's move and every reply to it.
std::optional<Checker::Fault> Checker::check_position(Board& board, Cell move) {
    const ProofPosition position = ProofPosition::of(board);
    referee_.set_up(board);
    if (!referee_.is_empty(move)) return Fault{Fault::kNoMove, position, move, kNoCell};
    if (referee_.makes_five(move, winner_)) return {};
    board.play(move);
    referee_.put(move, winner_);
    if (const PointSet fives = referee_.fives(opponent(winner_)); fives.any()) {
        return Fault{Fault::kFive, position, move, fives.first()};
    }
    PointSet open = board.empties();
    replies_ += open.count();
    if (const PointSet fives = referee_.fives(winner_); fives.any()) {
        if (fives.count() > 1) return {};
        open = fives;  // all other replies lose at once
    }
    const PointSet all = open;
    all.for_each([&](Cell reply) {
        board.play(reply);
        const ProofPosition next = ProofPosition::of(board);
        board.undo();
        if (!moves_.contains(next.stones)) return;
        open.remove(reply);
        if (reached_.insert(next.stones).second) to_visit_.push_back(next.stones);
    });
    by_threats_ += open.count();
    answer_by_threats(board, open);
    if (open.any()) return Fault{Fault::kNoAnswer, position, move, open.first()};
    return {};
}

/// Takes away the replies that lose to threats: those that the winner would carry out if the loser passed, then those
/// that follow each reply that is left. What is shown for one is tried on all.
void Checker::answer_by_threats(Board& board, PointSet& replies) {
    if (replies.count() > 1) {
        board.set_turn(winner_);
        if (const std::optional<ThreatTree> tree = oracle_.ask(board, max_nodes_)) cover(*tree, replies);
        board.set_turn(opponent(winner_));
    }
    while (replies.any()) {
        const Cell reply = replies.first();
        board.play(reply);
        const std::optional<ThreatTree> tree = oracle_.ask(board, max_nodes_);
        board.undo();
        if (tree) cover(*tree, replies);
        if (replies.contains(reply)) return;
    }
}

void Checker::cover(const ThreatTree& tree, PointSet& replies) {
    ++trees_;
    const PointSet before = replies;
    before.for_each([&](Cell reply) {
        if (referee_.answers(tree, reply, winner_)) replies.remove(reply);
    });
}

}  // namespace tengen
