#include "proof/answers.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "proof/oracle.h"
#include "proof/referee.h"

namespace tengen {
namespace {

constexpr int kTableBits = 18;
/// A few replies take the solver more nodes than when the proof was found: it had seen positions like them, or saw the
/// board in another orientation and met its lines of fours in another order.
constexpr int kAttempts = 3, kPatience = 4;

/// Writes the lengths of a node and all below it; the attacker is to move.
int measure(Board& board, Color attacker, const ThreatTree& tree, int node, std::vector<int>& lengths) {
    if (lengths[node]) return lengths[node];
    const Cell move = tree.nodes[node].move;
    int length = 1;
    board.set_turn(attacker);
    if (!board.threats(attacker).fives.contains(move)) {
        board.play(move);
        length = 2;  // unless there is a reply, the next move makes five
        for (const auto& [reply, next] : tree.replies_of(node)) {
            if (reply != kNoCell) board.play(reply);
            length = std::max(length, 1 + measure(board, attacker, tree, next, lengths));
            if (reply != kNoCell) board.undo();
            board.set_turn(opponent(attacker));
        }
        board.undo();
    }
    return lengths[node] = length;
}

class Answering {
public:
    Answering(Board& board, std::vector<Cell> replies, const Evaluator& evaluator, std::int64_t max_nodes)
        : board_(board),
          winner_(opponent(board.turn())),
          open_(std::move(replies)),
          max_nodes_(max_nodes),
          oracle_(evaluator, true, kTableBits),
          referee_(board.width(), board.height(), board.rules()) {
        referee_.set_up(board);
    }

    std::vector<ThreatAnswer> all() {
        board_.set_turn(winner_);
        add(oracle_.ask(board_, max_nodes_).value_or(ThreatTree{}));
        board_.set_turn(opponent(winner_));
        for (int attempt = 0; attempt < kAttempts && !open_.empty(); ++attempt) answer_each();
        return std::move(answers_);
    }

private:
    /// Asks about one reply after the other; those without an answer stay.
    void answer_each() {
        const std::vector<Cell> replies = open_;
        for (Cell reply : replies) {
            if (std::ranges::find(open_, reply) == open_.end()) continue;
            board_.play(reply);
            const std::optional<ThreatTree> tree = oracle_.ask(board_, max_nodes_, patience_);
            board_.undo();
            if (tree) add(*tree);
        }
        max_nodes_ *= kPatience;
        patience_ *= kPatience;
    }

    void add(const ThreatTree& tree) {
        ThreatAnswer answer{.tree = tree, .lengths = std::vector<int>(tree.nodes.size()), .replies = {}};
        if (!tree.empty()) {
            const Color turn = board_.turn();
            measure(board_, winner_, tree, tree.root(), answer.lengths);
            board_.set_turn(turn);
            std::ranges::copy_if(open_, std::back_inserter(answer.replies),
                                 [&](Cell reply) { return referee_.answers(tree, reply, winner_); });
            std::erase_if(open_,
                          [&](Cell reply) { return std::ranges::find(answer.replies, reply) != answer.replies.end(); });
        }
        answers_.push_back(std::move(answer));
    }

    Board& board_;
    const Color winner_;
    std::vector<Cell> open_;
    std::int64_t max_nodes_;
    int patience_ = 1;
    ThreatOracle oracle_;
    Referee referee_;
    std::vector<ThreatAnswer> answers_;
};

}  // namespace

std::vector<ThreatAnswer> answers_by_threats(Board& board, std::vector<Cell> replies, const Evaluator& evaluator,
                                             std::int64_t max_nodes) {
    return Answering(board, std::move(replies), evaluator, max_nodes).all();
}

}  // namespace tengen
