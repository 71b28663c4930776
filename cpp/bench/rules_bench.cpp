#include "bench/rules_bench.h"

#include <vector>

#include "bench/stopwatch.h"
#include "game/board.h"
#include "game/random.h"

namespace tengen {
namespace {

/// Plays at random near the other stones, blocking fives, to a middle game of `plies` stones that nobody has won.
void play_middle_game(Board& board, Random& random, int plies) {
    while (board.ply() > 0) board.undo();
    while (board.ply() < plies) {
        const PointSet& block = board.threats(opponent(board.turn())).fives;
        const std::vector<Cell> choices = (block.any() ? block : board.candidates()).members();
        board.play(choices[random.below(static_cast<std::uint32_t>(choices.size()))]);
        if (!board.last_move_won()) continue;
        while (board.ply() > 0) board.undo();
    }
}

struct DoUndo {
    double nanoseconds;
    double with_threats_nanoseconds;
    std::uint64_t signature;
};

/// Seconds to play and take back every candidate `repeats` times; `look` is called in between.
template <class Look>
double time_do_undo(Board& board, const std::vector<Cell>& candidates, int repeats, Look&& look) {
    const Stopwatch watch;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        for (Cell cell : candidates) {
            board.play(cell);
            look();
            board.undo();
        }
    }
    return watch.seconds();
}

DoUndo bench_do_undo(Rules rules, int radius, int positions, std::uint64_t seed) {
    constexpr int kRepeats = 20;
    Board board(15, 15, rules, radius);
    Random random(seed);
    double seconds = 0, threat_seconds = 0;
    std::int64_t moves = 0;
    std::uint64_t signature = 0;
    for (int i = 0; i < positions; ++i) {
        play_middle_game(board, random, 14 + static_cast<int>(random.below(40)));
        const std::vector<Cell> candidates = board.candidates().members();
        seconds += time_do_undo(board, candidates, kRepeats, [&] { signature += board.last_move_won(); });
        threat_seconds +=
            time_do_undo(board, candidates, kRepeats, [&] { signature += board.threats(Color::kBlack).fours.any(); });
        moves += kRepeats * static_cast<std::int64_t>(candidates.size());
        signature = split_mix(signature ^ board.hash());
        for (Color color : {Color::kBlack, Color::kWhite}) {
            const Threats& threats = board.threats(color);
            for (const PointSet* set : {&threats.fives, &threats.fours, &threats.double_fours, &threats.open_threes}) {
                set->for_each([&](Cell cell) { signature = split_mix(signature + cell); });
            }
        }
    }
    const double scale = 1e9 / static_cast<double>(moves);
    return {scale * seconds, scale * threat_seconds, signature};
}

}  // namespace

RulesBench bench_rules(int positions, std::uint64_t seed) {
    RulesBench result{};
    const Rules freestyle{Rule::kFreestyle}, renju{Rule::kRenju};
    const DoUndo radius4 = bench_do_undo(freestyle, 4, positions, seed);
    const DoUndo radius5 = bench_do_undo(freestyle, 5, positions, seed);
    const DoUndo renju_moves = bench_do_undo(renju, 5, positions, seed);
    result.do_undo_radius4_ns = radius4.nanoseconds;
    result.do_undo_radius5_ns = radius5.nanoseconds;
    result.do_undo_renju_ns = renju_moves.nanoseconds;
    result.collect_threats_ns = radius5.with_threats_nanoseconds - radius5.nanoseconds;
    std::uint64_t signature = split_mix(radius4.signature ^ split_mix(renju_moves.signature));
    signature ^= radius4.signature ^ radius5.signature;  // the window's radius must not change the game

    Board board(15, 15, renju);
    Random random(seed + 1);
    double forbidden_seconds = 0, shape_seconds = 0;
    for (int i = 0; i < positions; ++i) {
        play_middle_game(board, random, 20 + static_cast<int>(random.below(40)));
        const Stopwatch forbidden_watch;
        const PointSet forbidden = board.forbidden_points();
        forbidden_seconds += forbidden_watch.seconds();
        forbidden.for_each([&](Cell cell) { signature = split_mix(signature + cell); });
        const Stopwatch shape_watch;
        std::uint64_t shapes = 0;
        for (Cell cell = 0; cell < board.cells(); ++cell) {
            for (int direction = 0; direction < kDirections; ++direction) {
                for (Color color : {Color::kBlack, Color::kWhite}) {
                    shapes = shapes * 31 + static_cast<std::uint64_t>(board.shape(cell, direction, color).shape);
                }
            }
        }
        shape_seconds += shape_watch.seconds();
        signature = split_mix(signature + shapes);
    }
    result.forbidden_points_us = 1e6 * forbidden_seconds / positions;
    result.shapes_us = 1e6 * shape_seconds / positions;
    result.signature = signature;
    result.board_bytes = sizeof(Board);
    return result;
}

}  // namespace tengen
