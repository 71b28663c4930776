#include "bench/hash_bench.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "bench/stopwatch.h"
#include "game/board.h"
#include "game/random.h"
#include "game/zobrist.h"

namespace tengen {
namespace {

constexpr int kSide = 15;
constexpr int kCells = kSide * kSide;
constexpr std::int8_t kEmpty = -1;
constexpr int kRepeats = 20;

using Points = std::array<std::int8_t, kCells>;  ///< the colour's index, or kEmpty

struct Position {
    Board board;
    Points points;
    std::vector<Cell> candidates;
};

/// A middle game of random moves near each other that nobody has won.
Position middle_game(Random& random) {
    Position position{.board = Board(kSide, kSide, Rules{Rule::kFreestyle}), .points = {}, .candidates = {}};
    Board& board = position.board;
    const int plies = 10 + static_cast<int>(random.below(50));
    while (board.ply() < plies) {
        const std::vector<Cell> choices = board.candidates().members();
        board.play(choices[random.below(static_cast<std::uint32_t>(choices.size()))]);
        if (board.last_move_won()) board.undo();
    }
    position.points.fill(kEmpty);
    for (int ply = 0; ply < board.ply(); ++ply) {
        position.points[board.move_at(ply)] = static_cast<std::int8_t>(index(board.color_at(ply)));
    }
    position.candidates = board.candidates().members();
    return position;
}

/// The whole hash of a position, point by point.
std::uint64_t full_hash(const Points& points, Color turn) {
    std::uint64_t hash = turn == Color::kWhite ? kZobrist.white_to_move : 0;
    for (int cell = 0; cell < kCells; ++cell) {
        if (points[cell] != kEmpty) hash ^= kZobrist.stones[points[cell]][cell];
    }
    return hash;
}

enum class Way { kNone, kIncremental, kFull };

/// Places and takes back every candidate; `sum` collects what was seen in between, so that nothing is optimised away.
template <Way kWay>
double time_bare(Position& position, std::uint64_t& sum) {
    const Color turn = position.board.turn();
    const int color = index(turn);
    std::uint64_t hash = position.board.hash();
    Points& points = position.points;
    const Stopwatch watch;
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
        for (Cell cell : position.candidates) {
            points[cell] = static_cast<std::int8_t>(color);
            // Both ends of the loop must be in memory: otherwise the compiler would leave the stone out.
            asm volatile("" : : "r"(points.data()) : "memory");
            if constexpr (kWay == Way::kIncremental) {
                hash ^= kZobrist.stones[color][cell] ^ kZobrist.white_to_move;
                sum += hash;
                hash ^= kZobrist.stones[color][cell] ^ kZobrist.white_to_move;
                asm volatile("" : "+r"(hash));
            } else if constexpr (kWay == Way::kFull) {
                sum += full_hash(points, opponent(turn));
            } else {
                sum += cell;
            }
            points[cell] = kEmpty;
        }
    }
    return watch.seconds();
}

template <bool kFull>
double time_board(Position& position, std::uint64_t& sum) {
    Board& board = position.board;
    Points& points = position.points;
    const Stopwatch watch;
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
        for (Cell cell : position.candidates) {
            if constexpr (kFull) points[cell] = static_cast<std::int8_t>(index(board.turn()));
            board.play(cell);
            sum += kFull ? full_hash(points, board.turn()) : board.hash();
            board.undo();
            if constexpr (kFull) points[cell] = kEmpty;
        }
    }
    return watch.seconds();
}

std::int64_t count_differences(Position& position) {
    std::int64_t differences = 0;
    for (Cell cell : position.candidates) {
        position.points[cell] = static_cast<std::int8_t>(index(position.board.turn()));
        position.board.play(cell);
        differences += full_hash(position.points, position.board.turn()) != position.board.hash();
        position.board.undo();
        position.points[cell] = kEmpty;
    }
    return differences;
}

}  // namespace

HashBench bench_hash(int positions, int rounds, std::uint64_t seed) {
    Random random(seed);
    std::vector<Position> games;
    HashBench result{};
    for (int i = 0; i < positions; ++i) {
        Position& position = games.emplace_back(middle_game(random));
        result.moves += kRepeats * static_cast<std::int64_t>(position.candidates.size());
        result.differences += count_differences(position);
        result.signature = split_mix(result.signature ^ position.board.hash());
    }
    std::uint64_t sum = 0;
    // The fastest round of each position counts: it is too short to be interrupted every time.
    const auto nanoseconds = [&](auto&& time) {
        double seconds = 0;
        for (Position& position : games) {
            double best = std::numeric_limits<double>::infinity();
            for (int round = 0; round < rounds; ++round) best = std::min(best, time(position, sum));
            seconds += best;
        }
        return 1e9 * seconds / static_cast<double>(result.moves);
    };
    result.bare_none_ns = nanoseconds(time_bare<Way::kNone>);
    result.bare_incremental_ns = nanoseconds(time_bare<Way::kIncremental>);
    result.bare_full_ns = nanoseconds(time_bare<Way::kFull>);
    result.board_incremental_ns = nanoseconds(time_board<false>);
    result.board_full_ns = nanoseconds(time_board<true>);
    volatile std::uint64_t sink = sum;  // the sums must have been computed
    static_cast<void>(sink);
    return result;
}

}  // namespace tengen
