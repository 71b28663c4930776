#pragma once

#include <atomic>
#include <future>
#include <memory>

#include "eval/evaluator.h"
#include "mcts/gomoku_explorer.h"
#include "mcts/tree_search.h"

namespace tengen {

/// Ends a search when it becomes true. The search may outlive whoever asked for it, so it holds the flag too.
using StopFlag = std::shared_ptr<const std::atomic<bool>>;

/// A tree that follows a game, and a search whose caller need not wait for a busy machine. One thread uses it.
class GameSearch {
public:
    /// Throws std::invalid_argument if the evaluator does not know such boards.
    GameSearch(std::shared_ptr<const Evaluator> evaluator, const SearchParams& params, KnowledgeParams knowledge,
               const Board& board);
    ~GameSearch();

    /// Takes a position; keeps what is known if the game goes on.
    void set_position(const Board& board);
    void begin(SearchLimits limits, StopFlag stop = {});
    /// Works for some seconds, 0 for until the end. If that takes longer than `expected` by more than `patience`, it
    /// returns what is known; the work goes on, and the next call waits for it.
    SearchReport step(double seconds, double expected, double patience, int best);
    /// The same in the calling thread, where there is no other.
    void work(double seconds) { search_->step(seconds); }
    void stop() { search_->stop(); }
    SearchReport report(int best, int line) const { return search_->report(best, line); }

private:
    std::unique_ptr<Explorer> explorer_at(const Board& board) const;
    bool follow(const Board& board);
    void finish();

    std::shared_ptr<const Evaluator> evaluator_;
    KnowledgeParams knowledge_;
    std::uint64_t seed_;
    Board board_;
    std::unique_ptr<TreeSearch> search_;
    StopFlag stop_;
    std::future<void> running_;
};

}  // namespace tengen
