#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
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
    std::int64_t memory = 0;        ///< bytes of tree in use
    int depth = 0;                  ///< of the deepest playout
    std::vector<MoveReport> moves;  ///< best first
};

/// Monte-Carlo tree search over an Explorer's game, with any number of threads.
///
/// A playout walks down by `select`, expands one new node, and carries its value back up. The tree stays between moves
/// (`advance`). One thread calls search(), set_root() and advance(); any thread may call stop(), report() and
/// best_move() meanwhile. Key method: `Mcts::Worker::playout`.
class Mcts {
public:
    Mcts(std::unique_ptr<Explorer> explorer, SearchParams params);
    ~Mcts();

    /// Runs until a limit is reached, the root is solved, or stop() is called. At least one playout is made.
    void search(SearchLimits limits);
    /// Ends the running search soon. Does nothing when none is running.
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
        Edge root;              ///< leads to the root node and carries its statistics
        bool examined = false;  ///< has the root been searched for a forced win with the root's effort?
        /// Positions after moves of the root that were searched for the enemy's forced win, and with how many nodes.
        std::vector<std::pair<const Node*, std::int64_t>> doubted;
    };

    void make_workers(std::unique_ptr<Explorer> first);
    void reset_trees();
    void compact_if_needed(Tree& tree);
    void prepare_roots();
    void run_workers(double share);
    void doubt_best_move();
    bool refute_expected_line(std::int64_t max_nodes);
    bool refute(Tree& tree, Node& node, std::int64_t max_nodes);
    void add_root_noise(Node& root, std::size_t tree);
    bool should_stop() const;
    std::int64_t claim_playouts();
    double elapsed() const;
    Cell winning_move() const;
    void count_playouts(SearchReport& report) const;
    std::vector<MoveReport> root_moves(int max_line) const;

    SearchParams params_;
    SearchLimits limits_;
    double share_ = 1;  ///< of the limits, after which the workers pause
    std::unique_ptr<ThreadPool> pool_;
    std::vector<std::unique_ptr<Tree>> trees_;
    std::vector<std::unique_ptr<Worker>> workers_;
    mutable std::mutex tree_mutex_;  ///< held while trees are replaced, so that reports never see freed memory
    std::atomic<bool> stop_requested_{false}, running_{false}, out_of_memory_{false};
    std::atomic<double> started_at_{0}, ended_at_{0};
    std::uint64_t searches_ = 0;
    /// Of the limit. In a cache line of its own: all threads write it, and read what stands above before each playout.
    alignas(64) std::atomic<std::int64_t> playouts_claimed_{0};
};

}  // namespace tengen
