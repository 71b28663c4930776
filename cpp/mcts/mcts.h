#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "game/random.h"
#include "mcts/tree.h"
#include "mcts/tree_search.h"

namespace tengen {

class ThreadPool;

/// Monte-Carlo tree search over an Explorer's game, with any number of threads.
///
/// A playout walks down by `select`, expands one new node, and carries its value back up. All threads walk one tree,
/// which stays between moves (`advance`). Key method: `Mcts::Worker::playout`.
///
/// A search is begun with all its limits and then worked on in steps, which can end after any playout and change
/// nothing about the result:
///
///     expand, prove | playouts | doubt | playouts | doubt | playouts | doubt      doubt: mcts_doubt.cpp
///                  0           50 %              90 %             100 % of the playouts, or nearly of the time
class Mcts : public TreeSearch {
public:
    Mcts(std::unique_ptr<Explorer> explorer, SearchParams params);
    ~Mcts() override;

    void begin(SearchLimits limits) override;
    bool step(double seconds = 0) override;
    void stop() override { stop_requested_.store(true, std::memory_order_relaxed); }
    void set_root(std::unique_ptr<Explorer> explorer) override;
    bool advance(Cell move) override;
    SearchReport report(int best_moves, int max_line = 20) const override;
    Cell best_move() const override;

    /// Share of noise in the priors from the next search on.
    void set_root_noise(float share, float total_alpha, NoiseAt at) {
        params_.noise_at = at;
        params_.root_noise = share;
        params_.root_noise_total_alpha = total_alpha;
    }

    /// What is certain about the root; only while no search runs.
    Proof root_proof() const { return tree_.root.child->proof(); }
    /// Of the root, those kept from earlier searches too; only while no search runs.
    std::int64_t root_visits() const { return tree_.root.load_counts().visits; }
    /// Playouts of the running or last search.
    std::int64_t results() const;
    /// All moves of the root, those that were never tried too, in no order and without lines.
    std::vector<MoveReport> root_candidates() const;

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
        explicit Tree(const SearchParams& params);
        /// Forgets everything but keeps the memory, and begins with the position that has this hash.
        void reset(std::uint64_t key);

        std::int64_t used() const { return arena->used() + positions->used(); }

        std::unique_ptr<PositionIndex> positions;  ///< but the root
        std::unique_ptr<Arena> arena;
        Edge root;                 ///< leads to the root node and carries its statistics
        std::int64_t garbage = 0;  ///< bytes that earlier moves have left behind, about; 0 if there are none
        /// Nodes spent on the question whether the enemy wins by force after a move of ours.
        std::unordered_map<const Node*, std::int64_t> doubted;
    };
    /// How far a search has come: a step goes on where the last one ended.
    struct Progress {
        bool prepared = false;         ///< is the root expanded?
        int phase = 0;                 ///< of the playouts
        std::int64_t playouts = 0;     ///< at which the phase ends
        double play_until = 0;         ///< the moment at which it ends, at the latest
        bool doubting = false;         ///< has it ended?
        double doubt_until = 0;        ///< the moment at which the pause after it ends, once that has begun
        std::int64_t doubt_nodes = 0;  ///< spent in all pauses
    };

    std::uint64_t key_of(const Explorer& explorer) const;
    void make_workers(std::unique_ptr<Explorer> first);
    void enter_position();
    void follow(const Edge& next);
    void compact();
    bool make_room();
    void work();
    void prepare_root();
    void prove_root();
    void enter_phase(int phase);
    bool phase_is_over() const;
    void doubt_best_move();
    bool question_expected_line();
    bool is_worth_a_question(const Node& node) const;
    void refute(Node& node);
    void add_root_noise();
    void mix_noise(std::span<float> priors, Random& random) const;
    SearchEnd reason_to_end() const;
    SearchEnd what_settles_it() const;
    bool should_pause() const;
    bool step_is_over() const;
    bool is_stopped() const;
    const std::atomic<bool>& stop_flag() const { return limits_.stop ? *limits_.stop : stop_requested_; }
    std::int64_t claim_playouts();
    ThreatLimits solver_limits(double until) const;
    double deadline() const;
    double elapsed() const;
    std::vector<MoveReport> ranked_moves(int max_line) const;

    SearchParams params_;
    SearchLimits limits_;
    Progress progress_;
    double step_ends_ = 0;
    bool examined_ = false;  ///< has the root been searched for a forced win with the root's effort?
    std::unique_ptr<ThreadPool> pool_;
    Tree tree_;
    std::vector<std::unique_ptr<Worker>> workers_;
    mutable std::mutex tree_mutex_;  ///< held while the tree is replaced, so that reports never see freed memory
    std::atomic<bool> stop_requested_{false}, out_of_memory_{false};
    double started_at_ = 0, ended_at_ = 0;  ///< changed under tree_mutex_
    SearchEnd end_ = SearchEnd::kStopped;   ///< the same
    std::uint64_t searches_ = 0;
    /// Of the limit. In a cache line of its own: all threads write it, and read what stands above before each playout.
    alignas(64) std::atomic<std::int64_t> playouts_claimed_{0};
};

}  // namespace tengen
