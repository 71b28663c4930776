#include "bench/alpha_beta_bench.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "alphabeta/alpha_beta.h"
#include "bench/stopwatch.h"
#include "game/board.h"
#include "game/random.h"

namespace tengen {
namespace {

/// Four random stones near the centre, then shallow searches against each other, up to `plies` stones or a win.
void play_middle_game(Board& board, AlphaBeta& player, Random& random, int plies) {
    while (board.ply() > 0) board.undo();
    const std::atomic<bool> stop = false;
    while (board.ply() < plies) {
        Cell move;
        if (board.ply() < 4) {
            const int x = board.width() / 2 - 2 + static_cast<int>(random.below(5));
            const int y = board.height() / 2 - 2 + static_cast<int>(random.below(5));
            move = board.geometry().cell(x, y);
            if (!board.is_empty(move)) continue;
        } else {
            move = player.search(board, stop).move;
        }
        board.play(move);
        if (!board.last_move_won()) continue;
        while (board.ply() > 0) board.undo();
    }
}

}  // namespace

AlphaBetaBench bench_alpha_beta(int depth, int width, int vct_plies, int positions, std::uint64_t seed) {
    Board board(15, 15, Rules{});
    Random random(seed);
    AlphaBeta shallow({.depth = 2, .width = 10, .hash_megabytes = 1});
    AlphaBeta player({.depth = depth, .width = width, .vct_plies = vct_plies});
    const std::atomic<bool> stop = false;
    AlphaBetaBench result{};
    double total = 0;
    std::int64_t nodes = 0;
    for (int i = 0; i < positions; ++i) {
        play_middle_game(board, shallow, random, 10 + static_cast<int>(random.below(20)));
        const CpuStopwatch watch;
        const AlphaBetaResult found = player.search(board, stop);
        const double seconds = watch.seconds();
        total += seconds;
        result.worst_milliseconds = std::max(result.worst_milliseconds, 1e3 * seconds);
        nodes += found.nodes;
        result.signature = split_mix(result.signature ^ static_cast<std::uint64_t>(found.nodes));
        result.signature = split_mix(result.signature ^ static_cast<std::uint64_t>(found.score * 512 + found.move));
    }
    result.milliseconds = 1e3 * total / positions;
    result.nodes = static_cast<double>(nodes) / positions;
    result.nodes_per_second = static_cast<double>(nodes) / total;
    return result;
}

}  // namespace tengen
