#include "bench/net_bench.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "bench/stopwatch.h"
#include "game/board.h"
#include "game/random.h"
#include "nn/line_evaluator.h"
#include "nn/softmax.h"

namespace tengen {
namespace {

/// The point of three random ones that has the most stones around it: games stay close, as real ones do.
Cell close_move(const Board& board, Random& random) {
    const std::vector<Cell> choices = board.candidates().members();
    Cell best = kNoCell;
    int most = -1;
    for (int i = 0; i < 3; ++i) {
        const Cell cell = choices[random.below(static_cast<std::uint32_t>(choices.size()))];
        const int stones = (board.geometry().neighbourhood(cell) & board.occupied()).count();
        if (stones > most) most = stones, best = cell;
    }
    return best;
}

/// A middle game of `plies` stones that nobody has won or can win at once.
std::vector<Cell> middle_game(Board board, Random& random, int plies) {
    while (board.ply() < plies) {
        const PointSet& block = board.threats(opponent(board.turn())).fives;
        board.play(block.any() ? block.first() : close_move(board, random));
        if (!board.last_move_won()) continue;
        while (board.ply() > 0) board.undo();
    }
    std::vector<Cell> moves;
    for (int ply = 0; ply < board.ply(); ++ply) moves.push_back(board.move_at(ply));
    return moves;
}

/// The shortest of some rounds: what the machine can do when nothing else disturbs it.
template <class Run>
double shortest(int rounds, Run&& run) {
    double best = 1e9;
    for (int round = 0; round < rounds; ++round) {
        const Stopwatch watch;
        run();
        best = std::min(best, watch.seconds());
    }
    return best;
}

class Bench {
public:
    Bench(std::shared_ptr<const LineNetwork> network, int rounds)
        : evaluator_(network), board_(15, 15, Rules{}, network->radius()), rounds_(rounds) {}

    void run(const std::vector<Cell>& moves) {
        while (board_.ply() > 0) board_.undo();
        logits_.resize(board_.cells());
        rebuild_seconds_ += shortest(rounds_, [&] {
            evaluate({});  // the empty board in between
            for (Cell cell : moves) board_.play(cell);
            evaluate(board_.candidates().members());
            while (board_.ply() > 0) board_.undo();
        });
        for (Cell cell : moves) board_.play(cell);
        const std::vector<Cell> candidates = board_.candidates().members();
        siblings_ += static_cast<std::int64_t>(candidates.size());
        sibling_seconds_ += shortest(rounds_, [&] { evaluate_siblings(candidates, true); });
        value_seconds_ += shortest(rounds_, [&] { evaluate_siblings(candidates, false); });
        ++positions_;
    }

    NetBench result() const {
        const double scale = 1e6 / static_cast<double>(siblings_);
        NetBench result{};
        result.candidates = static_cast<double>(moves_evaluated_) / static_cast<double>(siblings_ * rounds_);
        result.sibling_us = scale * sibling_seconds_;
        result.value_only_us = scale * value_seconds_;
        result.rebuild_us = 1e6 * rebuild_seconds_ / positions_;
        result.evaluations_per_second = static_cast<double>(siblings_) / sibling_seconds_;
        result.signature = signature_;
        return result;
    }

private:
    void evaluate(std::span<const Cell> moves) {
        const std::span<float> logits(logits_.data(), moves.size());
        const Evaluation evaluation = evaluator_.evaluate(board_, moves, logits);
        softmax(logits);
        signature_ = split_mix(signature_ ^ std::bit_cast<std::uint32_t>(evaluation.value));
        if (!logits.empty()) signature_ ^= std::bit_cast<std::uint32_t>(logits[signature_ % logits.size()]);
    }

    void evaluate_siblings(const std::vector<Cell>& candidates, bool with_moves) {
        std::array<Cell, kMaxCells> moves;
        for (Cell cell : candidates) {
            board_.play(cell);
            int count = 0;
            if (with_moves) board_.candidates().for_each([&](Cell move) { moves[count++] = move; });
            moves_evaluated_ += count;
            evaluate({moves.data(), static_cast<std::size_t>(count)});
            board_.undo();
        }
    }

    LineEvaluator evaluator_;
    Board board_;
    int rounds_;
    std::vector<float> logits_;
    int positions_ = 0;
    std::int64_t siblings_ = 0, moves_evaluated_ = 0;
    double rebuild_seconds_ = 0, sibling_seconds_ = 0, value_seconds_ = 0;
    std::uint64_t signature_ = 0;
};

}  // namespace

NetBench bench_net(std::shared_ptr<const LineNetwork> network, int positions, int rounds, std::uint64_t seed) {
    const double expand_seconds =
        shortest(3, [&] { const WindowTable table(network->weights(), LineCondition::kFreestyle); });
    Bench bench(network, rounds);
    Random random(seed);
    const Board empty(15, 15, Rules{}, network->radius());
    for (int i = 0; i < positions; ++i) {
        bench.run(middle_game(empty, random, 14 + static_cast<int>(random.below(40))));
    }
    NetBench result = bench.result();
    result.expand_ms = 1e3 * expand_seconds;
    result.table_mb = WindowCode(network->radius()).count() * 2e-6 * network->config().channels;
    return result;
}

}  // namespace tengen
