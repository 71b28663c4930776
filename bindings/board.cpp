// Board: cells are integers (y * width + x), colours 0 and 1. `tengen.board` makes moves, names and checks of them.

#include "game/board.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <vector>

#include "bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tengen {
namespace {

Color color(int index) {
    return static_cast<Color>(index);
}

std::vector<int> colors(const Board& board) {
    std::vector<int> players;
    for (int ply = 0; ply < board.ply(); ++ply) players.push_back(index(board.color_at(ply)));
    return players;
}

std::vector<int> line_shapes(const Board& board, int cell, int player) {
    std::vector<int> shapes;
    for (int direction = 0; direction < kDirections; ++direction) {
        shapes.push_back(static_cast<int>(board.shape(cell, direction, color(player)).shape));
    }
    return shapes;
}

}  // namespace

void bind_board(nb::module_& module) {
    nb::enum_<Rule>(module, "Rule")
        .value("freestyle", Rule::kFreestyle)
        .value("standard", Rule::kStandard)
        .value("renju", Rule::kRenju)
        .value("caro", Rule::kCaro);
    nb::enum_<Foul>(module, "Foul")
        .value("none", Foul::kNone)
        .value("overline", Foul::kOverline)
        .value("double_four", Foul::kDoubleFour)
        .value("double_three", Foul::kDoubleThree);

    nb::class_<Board, Game>(module, "Board", "Gomoku. Moves are not checked.")
        .def(
            "__init__",
            [](Board* self, int width, int height, Rule rule, int n_in_row, int radius) {
                new (self) Board(width, height, Rules{rule, n_in_row}, radius);
            },
            "width"_a, "height"_a, "rule"_a, "n_in_row"_a, "radius"_a = 0)
        .def("copy", [](const Board& self) { return Board(self); })
        .def_prop_ro("rule", [](const Board& self) { return self.rules().rule; })
        .def_prop_rw(
            "turn", [](const Board& self) { return index(self.turn()); },
            [](Board& self, int player) { self.set_turn(color(player)); })
        .def_prop_ro("hash", &Board::hash)
        .def_prop_ro("has_windows", &Board::has_windows)
        .def_prop_ro("colors", &colors, "The colour of each move.")
        .def_prop_ro("last_move_won", &Board::last_move_won)
        .def(
            "place", [](Board& self, Cell cell, int player) { self.place(cell, color(player)); }, "cell"_a, "color"_a)
        .def(
            "stones", [](const Board& self, int player) { return self.stones(color(player)).members(); }, "color"_a)
        .def("empties", [](const Board& self) { return self.empties().members(); })
        .def("candidates", [](const Board& self) { return self.candidates().members(); })
        .def("is_empty", &Board::is_empty, "cell"_a)
        .def(
            "has_stone", [](const Board& self, Cell cell, int player) { return self.has_stone(cell, color(player)); },
            "cell"_a, "color"_a)
        .def("is_full", &Board::is_full)
        .def("winning_line", &Board::winning_line, "cell"_a)
        .def("foul_at", &Board::foul_at, "cell"_a)
        .def("forbidden_points", [](Board& self) { return self.forbidden_points().members(); })
        .def("line_shapes", &line_shapes, "cell"_a, "color"_a, "Shapes on the four lines, in the order of DIRECTIONS.");
    module.attr("MAX_SIDE") = kMaxSide;
}

}  // namespace tengen
