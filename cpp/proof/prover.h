#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "proof/attack.h"
#include "proof/position.h"

namespace tengen {

/// One thing that a proof has learnt. The events of a proof, in their order, are all there is to keep of it.
struct ProofEvent {
    enum Kind : std::uint8_t {
        kWon,       ///< `move` wins by threats
        kTried,     ///< no win by threats was found in `effort` nodes
        kPondered,  ///< a tree search of `effort` playouts looked at it again, since the proof was stuck there
        kOpened,    ///< what `move` threatens, if anything, answers all replies but `replies`
        kQuiet,     ///< `move` seems to threaten nothing
        kRefuted,   ///< the defender wins after `move`
    };
    Kind kind = kTried;
    ProofPosition position;
    Cell move = kNoCell;
    std::vector<Cell> replies = {};
    std::int64_t effort = 0;
    /// Of a position that was pondered, or tried with all effort: the promising ones ...
    std::vector<Cell> moves = {};
    std::vector<float> costs = {};  ///< ... and guesses at the work of proving that they win
};

/// Proves that one side wins, by a best-first search over positions up to symmetry with that side to move (AO*:
/// Martelli and Montanari 1973; proof-number search is its cousin, but nothing is ever disproven here).
///
/// A position is proven by threats, or by a move whose every reply is answered by threats or leads to a proven
/// position. Each position has a guess at the work that is left: that of its best move, which is the sum over its open
/// replies. The search follows the cheapest move and the dearest reply, so that a move that does not win is found out
/// soon; when its costs have grown beyond another's, that one's turn comes. So there is no fixed number of candidates.
/// Where much work has not proven a position, a longer tree search is asked for moves: it sees what short ones do not.
///
/// What is proven is proven: only the order of things depends on guesses, and every tree of threats has been verified
/// by a Referee. Threads share the positions and work on different ones. Key method: `run`.
class Prover {
public:
    /// The side to move at `root` wins, or, if `only_move` is a cell, wins with that move.
    Prover(const Board& root, Cell only_move, const Evaluator& evaluator, const ProofParams& params, int threads);

    /// Works until the proof is done, nothing is left to try, some seconds are over or `stop` is set.
    void run(double seconds, const std::atomic<bool>& stop);
    /// What was learnt since the last call.
    std::vector<ProofEvent> take_events();
    /// A move that won in a position like this one: it is tried first here. Before `run` and `replay`.
    void advise(const ProofPosition& position, Cell move);
    /// Learns what an earlier proof with the same root did. The position may be in any orientation.
    void replay(ProofEvent event);

    /// What whoever does a task needs to know for it: it can work without the lock, and on another machine.
    struct Question {
        ProofPosition position;
        Cell move = kNoCell;
        Cell reply = kNoCell;
        std::vector<Cell> other_replies = {};  ///< that are not proven either
        bool quiet = false;                    ///< is the move to be opened even if it threatens nothing?
        std::int64_t effort = 0;               ///< for threats
        std::int64_t playouts = 0;             ///< of a tree search that ponders the position; 0 for none
    };
    /// The most promising question, for somebody elsewhere, with the number by which `learn` knows it. Until it is
    /// answered nobody else gets it. None when all that is promising is worked on.
    std::optional<std::pair<int, Question>> ask();
    /// Learns the answer to a question that was asked, as if a thread had found it. One that comes again is ignored.
    void learn(int number, std::vector<ProofEvent> answer);
    /// Answers a question of a prover elsewhere, which has the same params.
    std::vector<ProofEvent> answer(const Question& question);

    struct Move {
        Cell cell = kNoCell;
        float cost = 0;
        enum State : std::uint8_t { kUnopened, kOpen, kRefuted } state = kUnopened;
        bool quiet = false;  ///< it seems to threaten nothing: when its turn comes again all replies are open
        bool busy = false;
        std::vector<int> children = {};  ///< the nodes after the replies that were left open, each once
        std::vector<Cell> replies = {};  ///< that lead to them
    };
    struct Node {
        ProofPosition position;
        bool proven = false;
        bool tried = false;     ///< has the solver had a first look?
        bool expanded = false;  ///< are there moves?
        bool busy = false;
        Cell winner = kNoCell;  ///< of a proven position
        float cost = 0;
        bool pondering = false;
        int ponders = 0;  ///< how often it was pondered
        int work = 0;     ///< tasks at it and below it since this run of the program began
        std::vector<Move> moves = {};
        std::vector<std::pair<int, int>> parents = {};  ///< node and index of its move
    };

    /// The node of a position, or null. Not while `run` runs.
    const Node* find(const Board& board) const;
    const Node& node(int index) const { return nodes_[index]; }
    const Node& root() const { return nodes_.front(); }
    /// The proven positions that a proof of `node` consists of, without those won by threats.
    std::vector<const Node*> proof_of(const Node& node) const;

    std::int64_t positions() const { return static_cast<std::int64_t>(nodes_.size()); }
    std::int64_t proven() const { return proven_; }
    std::int64_t solver_nodes() const;

private:
    /// What a thread does next: look at the replies to a move, or look for threats at the position after one of them.
    struct Task {
        int node = -1;
        int move = -1;        ///< of the node; -1: look for threats at the node itself
        int reply = -1;       ///< to the move; -1: look at all replies
        bool ponder = false;  ///< look at the node again with a longer tree search instead
    };
    /// An event with what follows from it.
    struct Learnt {
        ProofEvent event;
        Cell advised = kNoCell;  ///< a move that is tried before those of the event
        std::vector<std::pair<ProofPosition, float>> children;
        std::vector<Cell> replies;  ///< that lead to them
    };

    void work(Attack& attack, const std::atomic<bool>& stop);
    Task next_task();
    Task select(const Task& at, std::vector<int>& path) const;
    Task select_reply(int node, int move, std::vector<int>& path) const;
    Question question(const Task& task) const;
    int node_of(const Task& task) const;
    bool is_advised(const ProofPosition& position, Cell move) const;
    void set_busy(const Task& task, bool busy);
    std::vector<Learnt> find_out(Attack& attack, const Question& question) const;
    std::vector<ProofEvent> explore(Attack& attack, const Question& question) const;
    ProofEvent open_move(Attack& attack, Board& board, const Question& question) const;
    std::vector<ProofEvent> look_for_threats(Attack& attack, Board& board, const Question& question) const;
    ProofEvent ponder(Attack& attack, Board& board, const Question& question) const;
    Learnt complete(Attack& attack, ProofEvent event) const;
    void take(const Task& task, std::vector<Learnt> learnt);
    void apply(const Learnt& learnt);
    void open(int node, int move, const Learnt& learnt);
    void take_ponder(Node& node, const ProofEvent& event);
    int add(const ProofPosition& position, float cost);
    void prove(int node, Cell move);
    void update_ancestors(int node);
    void update(Node& node);

    const Color attacker_;
    const ProofParams params_;
    Cell only_move_ = kNoCell;  ///< at the root, in the orientation of its node
    std::vector<std::unique_ptr<Attack>> attacks_;
    std::mutex mutex_;
    std::condition_variable changed_;
    int at_work_ = 0;
    std::deque<Node> nodes_;  ///< never move
    std::unordered_map<std::uint64_t, int> index_;
    std::unordered_map<std::uint64_t, Cell> advice_;
    std::vector<ProofEvent> events_;
    std::unordered_map<int, Task> asked_;  ///< by the numbers of the questions
    int questions_ = 0;
    std::int64_t proven_ = 0;
};

}  // namespace tengen
