// Board for JavaScript. It trusts its caller, as in the core; js/engine/position.js checks.

#include <emscripten/bind.h>

#include <stdexcept>

#include "values.h"

using emscripten::val;

namespace tengen {
namespace {

Rule rule_of(const std::string& name) {
    if (name == "freestyle") return Rule::kFreestyle;
    if (name == "standard") return Rule::kStandard;
    if (name == "renju") return Rule::kRenju;
    if (name == "caro") return Rule::kCaro;
    throw std::invalid_argument("there is no rule " + name);
}

Board* make_board(int size, const std::string& rule) {
    return new Board(size, size, Rules{rule_of(rule), 5});
}

Board* copy(const Board& board) {
    return new Board(board);
}

void play(Board& board, int cell) {
    board.play(cell);
}

int turn(const Board& board) {
    return index(board.turn());
}

bool is_empty(const Board& board, int cell) {
    return board.is_empty(cell);
}

val winning_line(const Board& board) {
    return cells(board.winning_line(board.last_move()));
}

std::string foul_at(Board& board, int cell) {
    switch (board.foul_at(cell)) {
        case Foul::kOverline: return "overline";
        case Foul::kDoubleFour: return "double four";
        case Foul::kDoubleThree: return "double three";
        default: return "";
    }
}

val forbidden_points(Board& board) {
    return cells(board.forbidden_points().members());
}

val shapes(const Board& board, int cell, int color) {
    val result = val::array();
    for (int direction = 0; direction < kDirections; ++direction) {
        const LineShape line = board.shape(cell, direction, static_cast<Color>(color));
        result.set(direction, static_cast<int>(line.shape));
    }
    return result;
}

}  // namespace

EMSCRIPTEN_BINDINGS(board) {
    emscripten::class_<Board>("Board")
        .constructor(&make_board, emscripten::allow_raw_pointers())
        .function("copy", &copy, emscripten::allow_raw_pointers())
        .function("play", &play)
        .function("undo", &Board::undo)
        .function("ply", &Board::ply)
        .function("turn", &turn)
        .function("isEmpty", &is_empty)
        .function("isFull", &Board::is_full)
        .function("hasWon", &Board::last_move_won)
        .function("winningLine", &winning_line)
        .function("foulAt", &foul_at)
        .function("forbiddenPoints", &forbidden_points)
        .function("shapes", &shapes);
}

}  // namespace tengen
