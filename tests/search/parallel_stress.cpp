// Threads in one search, under the thread sanitizer (`make tsan`): every kind of parallelism, in steps, with reports,
// best moves, stops, advances, an exhausted memory budget and failures in between. Ends with "ok"; any race makes the
// sanitizer fail the run.

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "mcts/gomoku_explorer.h"
#include "mcts/mcts.h"
#include "mcts/parallelism.h"

using namespace tengen;

namespace {

void check(bool condition, const char* what) {
    if (condition) return;
    std::fprintf(stderr, "failed: %s\n", what);
    std::exit(1);
}

std::unique_ptr<Explorer> explorer_at(const Board& board) {
    return std::make_unique<GomokuExplorer>(board, std::make_unique<RolloutEvaluator>(3), KnowledgeParams{});
}

/// What other threads may do meanwhile.
void observe(TreeSearch& search, const Board& board, bool stops) {
    for (int i = 0; i < 20; ++i) {
        const Cell best = search.best_move();
        check(best == kNoCell || board.is_empty(best), "a legal move at every moment");
        const SearchReport report = search.report(5);
        check(report.value >= -1.001f && report.value <= 1.001f, "value in range");
        std::this_thread::yield();
    }
    if (stops) search.stop();
}

void play_some_moves(Parallelism parallelism, InFlight in_flight, std::int64_t memory) {
    SearchParams params;
    params.parallelism = parallelism;
    params.in_flight = in_flight;
    params.threads = 4;
    params.memory = memory;
    Board board(15, 15, Rules{});
    board.play(112);
    board.play(113);
    const std::unique_ptr<TreeSearch> search = make_search(explorer_at(board), params);
    for (int move = 0; move < 6 && !board.last_move_won(); ++move) {
        search->begin({.playouts = 3000});
        const Board before = board;
        std::thread observer([&] { observe(*search, before, move % 3 == 2); });
        const double slice = move % 2 ? 1e-3 : 0;
        while (!search->step(slice)) {
        }
        observer.join();
        const SearchReport report = search->report(500);
        std::int64_t visits = 0;
        for (const MoveReport& entry : report.moves) visits += entry.proof == Proof::kLoss ? 0 : entry.visits;
        check(visits <= report.visits, "no visit is counted twice");
        check(report.ended != SearchEnd::kRunning, "the search has ended");
        const Cell best = search->best_move();
        check(best != kNoCell && board.is_empty(best), "a legal move");
        check(best == report.moves.front().move, "the first move is the best");
        board.play(best);
        search->advance(best);
    }
}

/// An explorer of an endless game whose evaluations fail after a while.
class FailingExplorer final : public Explorer {
public:
    void play(Cell) override {}
    void undo() override {}
    void expand(const ThreatLimits*, Expansion& result) override {
        if (++expanded_ > 100) throw std::runtime_error("out of order");
        result.clear();
        result.count = 10;
        for (int i = 0; i < result.count; ++i) result.moves[i] = static_cast<Cell>(i), result.priors[i] = 0.1f;
    }
    std::unique_ptr<Explorer> clone(std::uint64_t) const override { return std::make_unique<FailingExplorer>(); }

private:
    int expanded_ = 0;
};

void fail(Parallelism parallelism) {
    SearchParams params;
    params.parallelism = parallelism;
    params.threads = 4;
    params.memory = std::int64_t{1} << 24;
    const std::unique_ptr<TreeSearch> search = make_search(std::make_unique<FailingExplorer>(), params);
    search->begin({});
    bool thrown = false;
    try {
        search->step();
    } catch (const std::runtime_error&) {
        thrown = true;
    }
    check(thrown, "the caller hears of a failure in a thread");
    search->set_root(std::make_unique<FailingExplorer>());
    search->search({.playouts = 50});
    check(search->report(1).playouts >= 50, "and can go on with another position");
}

}  // namespace

int main() {
    for (std::int64_t memory : {std::int64_t{64} << 20, std::int64_t{1} << 20}) {
        play_some_moves(Parallelism::kTree, InFlight::kUnobserved, memory);
        play_some_moves(Parallelism::kTree, InFlight::kVirtualLoss, memory);
        play_some_moves(Parallelism::kRoot, InFlight::kUnobserved, memory);
        play_some_moves(Parallelism::kLeaf, InFlight::kUnobserved, memory);
    }
    for (Parallelism parallelism : {Parallelism::kTree, Parallelism::kRoot, Parallelism::kLeaf}) fail(parallelism);
    std::puts("ok");
}
