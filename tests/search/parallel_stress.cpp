// Threads in one tree, under the thread sanitizer (`make tsan`): every kind of parallelism, with reports, stops,
// advances and an exhausted memory budget in between. Ends with "ok"; any race makes the sanitizer fail the run.

#include <cstdio>
#include <cstdlib>
#include <thread>

#include "mcts/gomoku_explorer.h"
#include "mcts/mcts.h"

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

void play_some_moves(Parallelism parallelism, InFlight in_flight, std::int64_t memory) {
    SearchParams params;
    params.parallelism = parallelism;
    params.in_flight = in_flight;
    params.threads = 4;
    params.memory = memory;
    Board board(15, 15, Rules{});
    board.play(112);
    board.play(113);
    Mcts mcts(explorer_at(board), params);
    for (int move = 0; move < 6 && !board.last_move_won(); ++move) {
        std::thread observer([&] {
            for (int i = 0; i < 20; ++i) {
                const SearchReport report = mcts.report(5);
                check(report.value >= -1.001f && report.value <= 1.001f, "value in range");
                std::this_thread::yield();
            }
            if (move % 3 == 2) mcts.stop();
        });
        mcts.search({3000, 0});
        observer.join();
        const SearchReport report = mcts.report(500);
        std::int64_t visits = 0;
        for (const MoveReport& entry : report.moves) visits += entry.proof == Proof::kLoss ? 0 : entry.visits;
        check(visits <= report.visits, "no visit is counted twice");
        const Cell best = mcts.best_move();
        check(best != kNoCell && board.is_empty(best), "a legal move");
        board.play(best);
        mcts.advance(best);
    }
}

}  // namespace

int main() {
    for (std::int64_t memory : {std::int64_t{64} << 20, std::int64_t{1} << 20}) {
        play_some_moves(Parallelism::kTree, InFlight::kUnobserved, memory);
        play_some_moves(Parallelism::kTree, InFlight::kVirtualLoss, memory);
        play_some_moves(Parallelism::kRoot, InFlight::kUnobserved, memory);
        play_some_moves(Parallelism::kLeaf, InFlight::kUnobserved, memory);
    }
    std::puts("ok");
}
