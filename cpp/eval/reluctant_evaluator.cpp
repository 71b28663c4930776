#include "eval/reluctant_evaluator.h"

#include <algorithm>

namespace tengen {
namespace {

/// What it means to put a stone into a row of n points that holds k enemy stones and no own one (it can no longer
/// become the enemy's five), or k own stones and no enemy one (it comes closer to an own five).
constexpr std::array<float, 6> kBlock = {0.25f, 0.5f, 1.0f, 2.0f, 4.0f, 4.0f};
constexpr std::array<float, 6> kBuild = {0.0f, 0.05f, 0.2f, 1.0f, 4.0f, 4.0f};
/// Too little to weigh on the choice, enough to decide between equal moves.
constexpr float kChance = 0.05f;

}  // namespace

ReluctantEvaluator::ReluctantEvaluator(std::uint64_t seed) : random_(seed) {}

std::unique_ptr<Evaluator> ReluctantEvaluator::clone(std::uint64_t seed) const {
    return std::make_unique<ReluctantEvaluator>(seed);
}

float ReluctantEvaluator::judge(Board& board, std::span<const Cell> moves, std::span<float> logits) {
    score_moves(board, moves, logits);
    return play_reluctantly(board);
}

/// Adds up, for each point, the rows of n points through it.
void ReluctantEvaluator::score_moves(const Board& board, std::span<const Cell> moves, std::span<float> logits) {
    const Geometry& geometry = board.geometry();
    const PointSet& own = board.stones(board.turn());
    const PointSet& enemy = board.stones(opponent(board.turn()));
    const int n = board.rules().n;
    std::fill_n(scores_.begin(), board.cells(), 0.0f);
    for (int direction = 0; direction < kDirections; ++direction) {
        const int stride = geometry.stride(direction);
        for (Cell start = 0; start < board.cells(); ++start) {
            const int end_x = geometry.x(start) + (n - 1) * kDirectionX[direction];
            const int end_y = geometry.y(start) + (n - 1) * kDirectionY[direction];
            if (!geometry.on_board(end_x, end_y)) continue;
            int owned = 0, held = 0;
            for (int k = 0; k < n; ++k) {
                owned += own.contains(static_cast<Cell>(start + k * stride));
                held += enemy.contains(static_cast<Cell>(start + k * stride));
            }
            if (owned > 0 && held > 0) continue;
            const float score =
                (owned == 0 ? kBlock[std::min(held, 5)] : 0) + (held == 0 ? kBuild[std::min(owned, 5)] : 0);
            for (int k = 0; k < n; ++k) scores_[start + k * stride] += score;
        }
    }
    for (std::size_t i = 0; i < moves.size(); ++i) logits[i] = scores_[moves[i]] + kChance * random_.uniform();
}

/// 1 if the side to move is the first that has nothing left but moves that make five.
float ReluctantEvaluator::play_reluctantly(Board& board) {
    const Color mover = board.turn();
    const int start = board.ply();
    std::array<Cell, kMaxCells> empties;
    int count = 0;
    board.empties().for_each([&](Cell cell) { empties[count++] = cell; });
    float value = 0;
    while (count > 0) {
        int pick = static_cast<int>(random_.below(static_cast<std::uint32_t>(count)));
        int tries = 0;
        for (; tries < count && board.wins_at(empties[pick], board.turn()); ++tries)
            pick = pick + 1 < count ? pick + 1 : 0;
        if (tries == count) {
            value = board.turn() == mover ? 1 : -1;
            break;
        }
        board.play(empties[pick]);
        empties[pick] = empties[--count];
    }
    while (board.ply() > start) board.undo();
    return value;
}

}  // namespace tengen
