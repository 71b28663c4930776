#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "alphabeta/line.h"
#include "alphabeta/transposition.h"
#include "mcts/tree_search.h"
#include "pvs/opinion.h"
#include "pvs/stepped_work.h"

namespace tengen {

/// Principal variation search (alpha-beta) with an evaluator's values at the leaves and its priors for everything else:
/// they order the moves, and say how much of the depth each of them costs.
///
/// A tree search by visits hardly ever looks at a move with a prior of a hundredth; here every move is looked at, as
/// deep as its prior deserves, and deeper if it turns out well. A move that costs less than a ply is searched deeper
/// than the nominal depth, and forced replies cost nothing. What it calls won or lost is proven: wherever all moves
/// lose, they were all that could have helped. One thread. Key method: `search` in pvs_search.cpp.
class Pvs final : public TreeSearch {
public:
    /// The explorer must know the hash of its positions.
    Pvs(std::unique_ptr<Explorer> explorer, const SearchParams& params);
    ~Pvs() override;

    void begin(SearchLimits limits) override;
    bool step(double seconds = 0) override;
    void stop() override { stop_requested_ = true; }
    void set_root(std::unique_ptr<Explorer> explorer) override;
    bool advance(Cell move) override;
    SearchReport report(int best_moves, int max_line = 20) const override;
    Cell best_move() const override;

private:
    struct RootMove {
        Cell cell;
        float prior;
        int score;               ///< of the last depth at which it was the best, or an upper bound
        std::int64_t nodes = 0;  ///< spent on it
        bool refuted = false;    ///< by the solver
        std::vector<Cell> line;
    };

    // The root (pvs.cpp).
    void abandon();
    void work();
    void expand_root();
    bool prove_root();
    void deepen();
    bool iterate(int depth);
    int search_root_move(const RootMove& move, int depth, int best, Line& line);
    void set_first(std::size_t index, int score, const Line& line);
    bool doubt();
    ThreatLimits solver_limits(double until) const;
    Proof proof_of(int score) const;

    // The tree (pvs_search.cpp).
    const Opinion& opinion();
    int search(int depth, int alpha, int beta, int ply, Line& line);
    int search_moves(Opinion opinion, int depth, int alpha, int beta, int ply, Cell hash_move, Line& line);
    int search_child(Cell move, int cheap, int depth, int alpha, int beta, int ply, bool first, Line& line);
    bool out_of_budget();

    SearchParams params_;
    std::unique_ptr<Explorer> explorer_;
    OpinionCache opinions_;
    TranspositionTable table_;
    Expansion expansion_;
    SteppedWork work_;

    SearchLimits limits_;
    std::atomic<bool> stop_requested_ = false;
    bool stopped_ = false;
    double deadline_ = 0;
    std::int64_t nodes_ = 0;
    int deepest_ = 0;

    /// What a report tells; any thread may ask for one.
    mutable std::mutex mutex_;
    std::vector<RootMove> root_;  ///< the best first
    Proof root_proof_ = Proof::kNone;
    bool root_is_complete_ = false;
    float root_value_ = 0;
    std::int64_t told_nodes_ = 0;
    int told_depth_ = 0;
    SearchEnd end_ = SearchEnd::kStopped;
    double started_at_ = 0, ended_at_ = 0;
};

}  // namespace tengen
