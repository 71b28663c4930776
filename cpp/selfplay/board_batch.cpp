#include "selfplay/board_batch.h"

#include <algorithm>
#include <cmath>

namespace tengen {
namespace {

/// Stones of `color` in an unbroken row next to `cell`, in one direction and the opposite one.
int neighbours(const Board& board, Cell cell, Color color, int direction) {
    const Geometry& geometry = board.geometry();
    int length = 0;
    for (const int sign : {-1, 1}) {
        const int dx = sign * kDirectionX[direction], dy = sign * kDirectionY[direction];
        int x = geometry.x(cell) + dx, y = geometry.y(cell) + dy;
        for (; geometry.on_board(x, y) && board.has_stone(geometry.cell(x, y), color); x += dx, y += dy) ++length;
    }
    return length;
}

float exponent(const Board& board, Cell cell, Color color) {
    int sum = 0;
    for (int direction = 0; direction < kDirections; ++direction) sum += neighbours(board, cell, color, direction) + 1;
    return static_cast<float>(sum);
}

}  // namespace

BoardBatch::BoardBatch(int count, int width, int height, Rules rules, std::uint64_t seed)
    : boards_(count, Board(width, height, rules)), random_(seed) {}

float BoardBatch::shape_score(const Board& board, Cell cell, float blocking) {
    const float own = exponent(board, cell, board.turn());
    const float enemy = exponent(board, cell, opponent(board.turn()));
    // The larger power is taken out of the sum: ten to the sum of long rows is more than a float can hold apart.
    const float larger = std::max(own, enemy);
    return larger + std::log10(std::pow(10.0f, own - larger) + blocking * std::pow(10.0f, enemy - larger));
}

void BoardBatch::play(std::span<const std::int32_t> moves, float blocking, std::span<Status> status,
                      std::span<float> scores) {
    for (int i = 0; i < count(); ++i) {
        Board& board = boards_[i];
        const auto cell = static_cast<Cell>(moves[i]);
        scores[i] = 0;
        if (moves[i] < 0 || moves[i] >= board.cells() || !board.is_empty(cell)) {
            status[i] = Status::kIllegal;
            continue;
        }
        scores[i] = shape_score(board, cell, blocking);
        board.play(cell);
        status[i] = board.last_move_won() ? Status::kWon : board.is_full() ? Status::kDrawn : Status::kGoesOn;
    }
}

void BoardBatch::reset(std::span<const std::uint8_t> wanted, int opening_stones) {
    for (int i = 0; i < count(); ++i) {
        if (!wanted[i]) continue;
        Board& board = boards_[i];
        const int stones = opening_stones > 0 ? static_cast<int>(random_.below(opening_stones + 1)) : 0;
        do {
            board = Board(board.width(), board.height(), board.rules());
            while (board.ply() < std::min(stones, cells() / 4) && !board.last_move_won()) {
                board.play(random_empty(board));
            }
        } while (board.last_move_won());
    }
}

void BoardBatch::random_moves(std::span<std::int32_t> moves) {
    for (int i = 0; i < count(); ++i) moves[i] = boards_[i].is_full() ? kNoCell : random_empty(boards_[i]);
}

Cell BoardBatch::random_empty(const Board& board) {
    std::uint32_t skip = random_.below(static_cast<std::uint32_t>(board.cells() - board.ply()));
    for (Cell cell = 0;; ++cell) {
        if (board.is_empty(cell) && skip-- == 0) return cell;
    }
}

void BoardBatch::encode(std::span<std::int8_t> stones) const {
    std::ranges::fill(stones, std::int8_t{0});
    for (int i = 0; i < count(); ++i) {
        const Board& board = boards_[i];
        std::int8_t* out = stones.data() + static_cast<std::ptrdiff_t>(i) * cells();
        board.stones(board.turn()).for_each([&](Cell cell) { out[cell] = 1; });
        board.stones(opponent(board.turn())).for_each([&](Cell cell) { out[cell] = -1; });
    }
}

void BoardBatch::plies(std::span<std::int32_t> plies) const {
    for (int i = 0; i < count(); ++i) plies[i] = boards_[i].ply();
}

}  // namespace tengen
