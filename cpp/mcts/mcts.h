#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "mcts/explorer.h"
#include "mcts/params.h"
#include "mcts/tree.h"

namespace tengen {

class ThreadPool;

/// One move of the root as the search sees it.
struct MoveReport {
    Cell move = kNoCell;
    std::int64_t visits = 0;
    float value = 0;  ///< mean result for the mover; the proof's value if there is one
    float prior = 0;
    Proof proof = Proof::kNone;
    std::vector<Cell> line;  ///< the move and the expected continuation
};

/// What a search knows at one moment.
struct SearchReport {
    Proof proof = Proof::kNone;
    float value = 0;            ///< for the side to move
    std::int64_t playouts = 0;  ///< of the running or last search
    std::int64_t visits = 0;    ///< of the root, earlier searches included
    double seconds = 0;
    std::int64_t memory = 0;  ///< bytes of tree in use
    int depth = 0;            ///< of the deepest playout
    SearchEnd ended = SearchEnd::kRunning;
    /// Best first. Never empty once the position is expanded and its game is not over.
    std::vector<MoveReport> moves;
};

/// Monte-Carlo tree search over an Explorer's game, with any number of threads.
///
/// A playout walks down by `select`, expands one new node, and carries its value back up. The tree stays between moves
/// (`advance`). One thread at a time calls begin(), step(), set_root() and advance(); any thread may call stop(),
/// report() and best_move() meanwhile. Key method: `Mcts::Worker::playout`.
///
/// A search is begun with all its limits and then worked on in steps, which can end after any playout and change
/// nothing about the result:
///
///     expand, prove | playouts | doubt | playouts | doubt | playouts | doubt      doubt: mcts_doubt.cpp
///                  0           50 %              90 %             100 % of the playouts, or nearly of the time
class Mcts {
public:
    Mcts(std::unique_ptr<Explorer> explorer, SearchParams params);
    ~Mcts();

    /// Begins a search, computes nothing. A stop() from now on is heeded.
    void begin(SearchLimits limits);
    /// Works on the search for about so long, 0 for until its end; at least for one playout or question to a solver.
    /// True if it has ended: a limit is reached, the root is solved, or stop() was called. The root is expanded then.
    bool step(double seconds = 0);
    /// A search in one step.
    void search(SearchLimits limits) {
        begin(limits);
        step();
    }
    /// Ends the search that was begun, soon.
    void stop() { stop_requested_.store(true, std::memory_order_relaxed); }

    /// Forgets the tree and takes another position, of which `explorer` is a fresh explorer.
    void set_root(std::unique_ptr<Explorer> explorer);
    /// Plays `move` at the root and keeps what is known about the position after it. False if nothing was.
    bool advance(Cell move);

    /// Share of noise in the root's priors from the next search on.
    void set_root_noise(float share, float total_alpha) {
        params_.root_noise = share;
        params_.root_noise_total_alpha = total_alpha;
    }

    SearchReport report(int best_moves, int max_line = 20) const;
    /// What is certain about the root of the first tree; only while no search runs.
    Proof root_proof() const { return trees_.front()->root.child->proof(); }
    /// Of the root of the first tree, those kept from earlier searches too; only while no search runs.
    std::int64_t root_visits() const { return trees_.front()->root.load_counts().visits; }
    /// All moves of that root, those that were never tried too, in no order and without lines.
    std::vector<MoveReport> root_candidates() const;
    /// The most visited move that is not refuted, or the proven winning one; kNoCell if the game is over.
    Cell best_move() const;

private:
    class Worker;
    /// A move on the way from the root.
    struct Step {
        Node* node;
        Edge* incoming;  ///< statistics of `node`
        int index;       ///< of the move taken
        Edge* edge;      ///< its statistics
    };
    struct Tree {
        explicit Tree(std::int64_t bytes);
        /// Forgets everything but keeps the memory.
        void reset();

        std::unique_ptr<Arena> arena;
        Edge root;  ///< leads to the root node and carries its statistics
        /// Nodes spent on the question whether the enemy wins by force after a move of ours.
        std::unordered_map<const Node*, std::int64_t> doubted;
    };
    /// How far a search has come: a step goes on where the last one ended.
    struct Progress {
        bool prepared = false;         ///< are the roots expanded?
        int phase = 0;                 ///< of the playouts
        std::int64_t playouts = 0;     ///< at which the phase ends
        double play_until = 0;         ///< the moment at which it ends, at the latest
        bool doubting = false;         ///< has it ended?
        double doubt_until = 0;        ///< the moment at which the pause after it ends, once that has begun
        std::int64_t doubt_nodes = 0;  ///< spent in all pauses
    };

    void make_workers(std::unique_ptr<Explorer> first);
    void reset_trees();
    void compact_if_needed(Tree& tree);
    void work();
    void prepare_roots();
    void prove_root();
    void enter_phase(int phase);
    bool phase_is_over() const;
    void run_workers();
    void doubt_best_move();
    bool question_expected_line();
    bool is_worth_a_question(const Node& node) const;
    void refute(Node& node);
    void add_root_noise(Node& root, std::size_t tree);
    SearchEnd reason_to_end() const;
    SearchEnd what_settles_it() const;
    bool should_pause() const;
    bool step_is_over() const;
    bool is_stopped() const;
    const std::atomic<bool>& stop_flag() const { return limits_.stop ? *limits_.stop : stop_requested_; }
    std::int64_t claim_playouts();
    std::int64_t results() const;
    ThreatLimits solver_limits(double until) const;
    double deadline() const;
    double elapsed() const;
    Cell winning_move() const;
    std::vector<MoveReport> tried_moves(int max_line) const;
    std::vector<MoveReport> ranked_moves(int max_line) const;

    SearchParams params_;
    SearchLimits limits_;
    Progress progress_;
    double step_ends_ = 0;
    bool examined_ = false;  ///< has the root been searched for a forced win with the root's effort?
    std::unique_ptr<ThreadPool> pool_;
    std::vector<std::unique_ptr<Tree>> trees_;
    std::vector<std::unique_ptr<Worker>> workers_;
    mutable std::mutex tree_mutex_;  ///< held while trees are replaced, so that reports never see freed memory
    std::atomic<bool> stop_requested_{false}, out_of_memory_{false};
    double started_at_ = 0, ended_at_ = 0;  ///< changed under tree_mutex_
    SearchEnd end_ = SearchEnd::kStopped;   ///< the same
    std::uint64_t searches_ = 0;
    /// Of the limit. In a cache line of its own: all threads write it, and read what stands above before each playout.
    alignas(64) std::atomic<std::int64_t> playouts_claimed_{0};
};

}  // namespace tengen
