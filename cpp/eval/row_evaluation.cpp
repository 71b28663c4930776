#include "eval/row_evaluation.h"

#include <algorithm>
#include <cmath>

namespace tengen {
namespace {

constexpr int kTenths = 10;
constexpr float kValueScale = 1000;

constexpr int kFive = 100'000;
constexpr int kFiveWithGap = 8000;
/// By the number of stones, from one to four. Factors in hundredths.
constexpr std::array<int, 4> kPoints = {2, 5, 1000, 10'000};
constexpr std::array<int, 4> kOneEndBlocked = {50, 60, 1, 25};
constexpr std::array<int, 4> kOtherToMove = {100, 100, 20, 15};
constexpr std::array<int, 4> kGap = {100, 120, 90, 40};

}  // namespace

int RowEvaluation::row_tenths(int stones, int blocked_ends, bool has_gap, bool to_move) {
    if (stones >= 5) return (has_gap ? kFiveWithGap : kFive) * kTenths;
    if (blocked_ends == 2) return 0;
    const int i = stones - 1;
    int worth = kPoints[i] * kTenths;
    if (blocked_ends == 1) worth = worth * kOneEndBlocked[i] / 100;
    if (!to_move) worth = worth * kOtherToMove[i] / 100;
    if (has_gap) worth = worth * kGap[i] / 100;
    return worth;
}

RowEvaluation::RowEvaluation(const Board& board) : geometry_(board.geometry()) {
    board.stones(board.turn()).for_each([&](Cell cell) { stones_[cell] = 1; });
    board.stones(opponent(board.turn())).for_each([&](Cell cell) { stones_[cell] = -1; });
}

/// The whole line through a cell, and where on it the cell is.
RowEvaluation::Line RowEvaluation::line_through(Cell cell, int direction, int* position) const {
    const int dx = kDirectionX[direction], dy = kDirectionY[direction];
    int x = geometry_.x(cell), y = geometry_.y(cell);
    int before = 0;
    for (; geometry_.on_board(x - dx, y - dy); ++before) x -= dx, y -= dy;
    if (position) *position = before;
    Line line;
    for (; geometry_.on_board(x, y); x += dx, y += dy) line.stones[line.length++] = stones_[geometry_.cell(x, y)];
    return line;
}

/// The rows of one side, read from the line's first point on: where a stone could belong to two rows, it belongs to the
/// first.
int RowEvaluation::line_tenths(const Line& line, std::int8_t side, bool to_move) {
    auto is = [&](int i, int stone) { return i >= 0 && i < line.length && line.stones[i] == stone; };
    auto is_open = [&](int i) { return is(i, 0); };
    int sum = 0;
    for (int i = 0; i < line.length;) {
        if (!is(i, side)) {
            ++i;
            continue;
        }
        const int first = i;
        while (is(i, side)) ++i;
        const int before_gap = i - first;
        int after_gap = 0;
        if (is_open(i) && is(i + 1, side)) {
            for (++i; is(i, side); ++i) ++after_gap;
        }
        const bool is_five = std::max(before_gap, after_gap) >= 5;
        const int blocked_ends = !is_open(first - 1) + !is_open(i);
        sum += row_tenths(before_gap + after_gap, blocked_ends, after_gap > 0 && !is_five, to_move);
    }
    return sum;
}

int RowEvaluation::score() const {
    int tenths = 0;
    for (Cell cell = 0; cell < geometry_.cells; ++cell) {
        for (int direction = 0; direction < kDirections; ++direction) {
            const int x = geometry_.x(cell) - kDirectionX[direction], y = geometry_.y(cell) - kDirectionY[direction];
            if (geometry_.on_board(x, y)) continue;  // not the first point of its line
            const Line line = line_through(cell, direction, nullptr);
            tenths += line_tenths(line, 1, true) - line_tenths(line, -1, false);
        }
    }
    return tenths / kTenths;
}

int RowEvaluation::gain(Cell move) const {
    auto worth = [](const Line& line) { return line_tenths(line, 1, false) - line_tenths(line, -1, true); };
    int tenths = 0;
    for (int direction = 0; direction < kDirections; ++direction) {
        int position;
        Line line = line_through(move, direction, &position);
        tenths -= worth(line);
        line.stones[position] = 1;
        tenths += worth(line);
    }
    return tenths / kTenths;
}

float RowEvaluation::squash(int score) {
    return std::tanh(static_cast<float>(score) / kValueScale);
}

}  // namespace tengen
