#include "games/othello.h"

#include <array>
#include <utility>

namespace tengen {
namespace {

constexpr std::array<std::pair<int, int>, 8> kDirections{
    {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};

}  // namespace

Othello::Othello(int side) : GridGame(side, side, 8) {
    const int half = side / 2;
    auto cell = [&](int x, int y) { return static_cast<Cell>(y * side + x); };
    put(cell(half, half - 1), 1);
    put(cell(half - 1, half), 1);
    put(cell(half - 1, half - 1), 2);
    put(cell(half, half), 2);
}

int Othello::enclosed(int x, int y, int dx, int dy, int side) const {
    int count = 0;
    for (int i = x + dx, j = y + dy; is_inside(i, j); i += dx, j += dy, ++count) {
        const int piece = piece_at(i, j);
        if (piece == 0) return 0;
        if (piece == side) return count;
    }
    return 0;
}

bool Othello::can_play(Cell move, int side) const {
    if (piece_at(move) != 0) return false;
    const int x = move % width(), y = move / width();
    for (const auto& [dx, dy] : kDirections) {
        if (enclosed(x, y, dx, dy, side) > 0) return true;
    }
    return false;
}

bool Othello::can_move(int side) const {
    for (int cell = 0; cell < cells(); ++cell) {
        if (can_play(static_cast<Cell>(cell), side)) return true;
    }
    return false;
}

void Othello::legal_moves(std::vector<Cell>& moves) const {
    moves.clear();
    for (int cell = 0; cell < cells(); ++cell) {
        if (can_play(static_cast<Cell>(cell), mover())) moves.push_back(static_cast<Cell>(cell));
    }
    if (moves.empty() && can_move(3 - mover())) moves.push_back(pass());
}

void Othello::apply(Cell move) {
    if (move == pass()) return;
    const int x = move % width(), y = move / width(), side = mover();
    for (const auto& [dx, dy] : kDirections) {
        for (int count = enclosed(x, y, dx, dy, side); count > 0; --count) {
            put(static_cast<Cell>((y + count * dy) * width() + x + count * dx), side);
        }
    }
    put(move, side);
}

Result Othello::result() const {
    if (can_move(mover()) || can_move(3 - mover())) return Result::kOpen;
    int lead = 0;
    for (int cell = 0; cell < cells(); ++cell) {
        const int piece = piece_at(static_cast<Cell>(cell));
        lead += piece == 1 ? 1 : piece == 2 ? -1 : 0;
    }
    return lead > 0 ? Result::kFirstWins : lead < 0 ? Result::kSecondWins : Result::kDraw;
}

}  // namespace tengen
