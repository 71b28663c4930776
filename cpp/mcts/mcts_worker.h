#pragma once

#include "mcts/mcts.h"

namespace tengen {

/// One thread's hands in a tree: its own copy of the game, its place in the arena, and the path of its playout. It
/// counts for itself, in cache lines of its own: a counter that all threads write would cost more than a short playout.
class alignas(64) Mcts::Worker {
public:
    Worker(Mcts& search, std::unique_ptr<Explorer> explorer, std::uint64_t seed)
        : search_(search), explorer_(std::move(explorer)), random_(seed), memory_(*search.tree_.arena) {}

    /// After the tree's memory was taken back or replaced.
    void enter_tree() { memory_ = Arena::Cursor(*search_.tree_.arena); }
    Explorer& explorer() { return *explorer_; }

    /// Playouts until the search should pause.
    void run();
    /// One playout: false when memory ran out before it was complete.
    bool playout();
    /// Takes back all but the first `kept` moves that are on the board.
    void withdraw(std::size_t kept = 0);

    /// Results of the running or last search, and its longest path.
    std::int64_t results() const { return results_.load(std::memory_order_relaxed); }
    int deepest() const { return deepest_.load(std::memory_order_relaxed); }
    void start_counting() { claimed_ = results_ = deepest_ = 0; }
    bool has_claims_left() const { return claimed_ > 0; }

private:
    bool has_claim();
    int select(const Node& node, const Edge& incoming, bool root);
    int select_puct(const Node& node, const Edge& incoming, bool root, int opened);
    int select_uct(const Node& node, const Edge& incoming, int opened);
    bool descend(Edge*& incoming, float& value);
    Edge* open(Node& node, int index);
    static bool catches_up(const Edge& edge, float& value);
    void back_up(Edge* incoming, float value);
    float settle(const Step& step, float value);
    void count(Edge& edge, float value);
    void abandon();
    void leave();
    bool expand(Node& node);
    void add_noise();
    bool try_to_prove(Node& node, const Edge& incoming);
    void place_path();

    Mcts& search_;
    std::unique_ptr<Explorer> explorer_;
    Random random_;  ///< of noise
    Arena::Cursor memory_;
    std::vector<Step> path_;
    std::vector<Cell> placed_;  ///< moves from the root that the explorer has played
    Expansion expansion_;
    std::int64_t weight_ = 1;   ///< how many results the current playout brings
    std::int64_t claimed_ = 0;  ///< results that this thread may still bring
    std::atomic<std::int64_t> results_{0};
    std::atomic<int> deepest_{0};
};

}  // namespace tengen
