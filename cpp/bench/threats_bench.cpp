#include "bench/threats_bench.h"

#include <time.h>

#include <algorithm>
#include <vector>

#include "game/board.h"
#include "game/random.h"
#include "threats/vcf.h"
#include "threats/vct.h"

namespace tengen {
namespace {

constexpr std::int64_t kManyNodes = 200'000;

/// CPU time of this thread: what it shares the machine with matters less.
class Stopwatch {
public:
    double seconds() const { return now() - start_; }

private:
    static double now() {
        timespec time;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    }
    double start_ = now();
};

Cell random_member(const PointSet& points, Random& random) {
    int skip = static_cast<int>(random.below(static_cast<std::uint32_t>(points.count())));
    Cell chosen = kNoCell;
    points.for_each([&](Cell cell) {
        if (skip-- == 0) chosen = cell;
    });
    return chosen;
}

/// A middle game between players who see fives and open fours: they block them, and often build.
Board middle_game(Random& random, Rules rules, int plies) {
    while (true) {
        Board board(15, 15, rules);
        while (board.ply() < plies && !board.last_move_won()) {
            const Threats& own = board.threats(board.turn());
            const Threats& enemy = board.threats(opponent(board.turn()));
            PointSet choices = enemy.fives;
            if (choices.empty()) choices = enemy.double_fours;
            if (choices.empty() && random.below(3) == 0) choices = own.open_threes - own.fours;
            if (choices.empty()) choices = board.candidates();
            board.play(random_member(choices, random));
        }
        if (!board.last_move_won()) return board;
    }
}

struct Sums {
    double large_seconds = 0, reject_seconds = 0, expansion_seconds = 0, long_seconds = 0, vct_seconds = 0;
    std::int64_t large_nodes = 0, expansions = 0;
    int vct_searches = 0;
};

void bench_position(Board& board, Vcf& vcf, ThreatsBench& bench, Sums& sums) {
    vcf.clear();
    const Stopwatch watch;
    const ThreatResult result = vcf.solve(board, kManyNodes);
    const double seconds = watch.seconds();
    if (result.nodes > 500) {
        sums.large_seconds += seconds;
        sums.large_nodes += result.nodes;
    }
    bench.vcf_nodes += result.nodes;
    bench.signature = split_mix(bench.signature + 3 * result.nodes + result.status);
    if (result.status == ThreatResult::kWin) {
        const std::vector<Cell> line = vcf.line(board);
        for (Cell cell : line) bench.signature = split_mix(bench.signature + cell);
        if (line.size() < 15) return;
        ++bench.long_wins;
        sums.long_seconds += seconds;
        bench.vcf_long_win_worst_ms = std::max(bench.vcf_long_win_worst_ms, 1e3 * seconds);
    } else if (result.status == ThreatResult::kNone) {
        ++bench.rejected;
        sums.reject_seconds += seconds;
    }
}

/// As a tree search does: a move is made, and the side to move is asked for a win by fours.
void bench_expansions(Board& board, Vcf& vcf, ThreatsBench& bench, Sums& sums) {
    const PointSet candidates = board.candidates();
    const Stopwatch watch;
    candidates.for_each([&](Cell cell) {
        board.play(cell);
        const ThreatResult own = vcf.solve(board, 30);
        bench.signature = split_mix(bench.signature + own.nodes);
        board.undo();
    });
    sums.expansion_seconds += watch.seconds();
    sums.expansions += candidates.count();
}

void bench_vct(Board& board, ThreatsBench& bench, Sums& sums) {
    Vct vct;
    const Stopwatch watch;
    const ThreatResult result = vct.solve(board, {.max_nodes = 20'000, .max_depth = 8});
    sums.vct_seconds += watch.seconds();
    ++sums.vct_searches;
    bench.vct_nodes += result.nodes;
    bench.vct_wins += result.status == ThreatResult::kWin;
    bench.signature = split_mix(bench.signature + 3 * result.nodes + result.status);
}

}  // namespace

ThreatsBench bench_threats(int positions, std::uint64_t seed) {
    ThreatsBench bench{};
    Sums sums;
    Random random(seed);
    Vcf vcf, shared;
    for (int i = 0; i < positions; ++i) {
        const Rules rules{i % 2 ? Rule::kRenju : Rule::kFreestyle};
        Board board = middle_game(random, rules, 20 + static_cast<int>(random.below(50)));
        const int rejected = bench.rejected;
        bench_position(board, vcf, bench, sums);
        bench_expansions(board, shared, bench, sums);
        if (bench.rejected > rejected && i % 10 < 2) bench_vct(board, bench, sums);
    }
    bench.vcf_million_nodes_per_second = 1e-6 * static_cast<double>(sums.large_nodes) / sums.large_seconds;
    bench.vcf_reject_us = 1e6 * sums.reject_seconds / std::max(1, bench.rejected);
    bench.vcf_expansion_ns =
        1e9 * sums.expansion_seconds / static_cast<double>(std::max<std::int64_t>(1, sums.expansions));
    bench.vcf_long_win_ms = 1e3 * sums.long_seconds / std::max(1, bench.long_wins);
    bench.vct_solve_ms = 1e3 * sums.vct_seconds / std::max(1, sums.vct_searches);
    return bench;
}

}  // namespace tengen
