#include "protocol/swap2.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "protocol/position.h"

namespace tengen {
namespace {

/// A value below this is not told from an even position.
constexpr float kEven = 0.06f;
/// Random placements from which the most even one is taken.
constexpr int kTries = 24;

using Stones = std::vector<Cell>;

Board after(const Board& board, const Stones& stones) {
    Board result = board;
    for (const Cell cell : stones) result.play(cell);
    return result;
}

/// Stones near the centre.
Stones random_stones(const Board& board, int count, Random& random) {
    const int reach = std::max(2, std::min(board.width(), board.height()) / 5 + 1);
    Board position = board;
    Stones stones;
    for (int i = 0; i < count; ++i) {
        Stones near;
        for (const Cell cell : position.legal(position.empties()).members()) {
            const int dx = cell % board.width() - board.width() / 2, dy = cell / board.width() - board.height() / 2;
            if (std::max(std::abs(dx), std::abs(dy)) <= reach) near.push_back(cell);
        }
        stones.push_back(near[random.below(static_cast<std::uint32_t>(near.size()))]);
        position.play(stones.back());
    }
    return stones;
}

/// The placement whose value is nearest to zero, and the size of that value.
std::pair<Stones, float> most_even(const Board& board, int count, const ThinkAbout& think, double share,
                                   Random& random) {
    std::set<Stones> tries;
    for (int i = 0; i < kTries; ++i) tries.insert(random_stones(board, count, random));
    std::pair<Stones, float> best{{}, 2.0f};
    for (const Stones& stones : tries) {
        Board position = after(board, stones);
        if (is_over(position)) continue;
        const float size = std::abs(think(position, share / static_cast<double>(tries.size())).value);
        if (size < best.second) best = {stones, size};
    }
    return best;
}

}  // namespace

std::vector<Cell> answer_swap2(const Board& board, const ThinkAbout& think, Random& random) {
    if (board.ply() == 0) return most_even(board, 3, think, 1.0, random).first;
    const SearchReport found = think(board, board.ply() == 3 ? 0.5 : 1.0);
    if (board.ply() == 3 && std::abs(found.value) < kEven) {
        const auto [stones, rest] = most_even(board, 2, think, 0.5, random);
        if (rest < std::abs(found.value)) return stones;
    }
    if (found.value < 0) return {};
    return {found.moves.at(0).move};
}

}  // namespace tengen
