// Games. `tengen.board` and `tengen.games` check moves and give them names.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "bindings.h"
#include "games/registry.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tengen {
namespace {

using PlaneArray = nb::ndarray<nb::numpy, float, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

void encode(const Game& game, PlaneArray out, int symmetry) {
    if (symmetry < 0 || symmetry >= game.symmetries()) throw std::invalid_argument("the game has no such symmetry");
    if (out.shape(0) != static_cast<std::size_t>(game.plane_count({})) ||
        out.shape(1) != static_cast<std::size_t>(game.height()) ||
        out.shape(2) != static_cast<std::size_t>(game.width())) {
        throw std::invalid_argument("the output must have the shape [planes, height, width] of the game");
    }
    game.encode({}, out.data(), symmetry);
}

std::vector<Cell> legal_moves(const Game& game) {
    std::vector<Cell> moves;
    game.legal_moves(moves);
    return moves;
}

std::vector<Cell> moves(const Game& game) {
    std::vector<Cell> result;
    for (int ply = 0; ply < game.ply(); ++ply) result.push_back(game.move_at(ply));
    return result;
}

}  // namespace

void bind_games(nb::module_& module) {
    nb::enum_<Result>(module, "Result")
        .value("open", Result::kOpen)
        .value("first_wins", Result::kFirstWins)
        .value("second_wins", Result::kSecondWins)
        .value("draw", Result::kDraw);
    nb::class_<Game>(module, "Game", "A position of any game. Moves are not checked.")
        .def("clone", &Game::clone)
        .def_prop_ro("width", &Game::width)
        .def_prop_ro("height", &Game::height)
        .def_prop_ro("move_count", &Game::move_count)
        .def_prop_ro("plane_count", [](const Game& self) { return self.plane_count({}); })
        .def_prop_ro("symmetries", &Game::symmetries)
        .def_prop_ro("ply", &Game::ply)
        .def_prop_ro("moves", &moves)
        .def_prop_ro("legal_moves", &legal_moves)
        .def_prop_ro("result", &Game::result)
        .def("play", &Game::play, "move"_a)
        .def("undo", &Game::undo)
        .def("piece_at", &Game::piece_at, "point"_a)
        .def("move_text", &Game::move_text, "move"_a)
        .def("transform", &Game::transform, "move"_a, "symmetry"_a)
        .def("encode", &encode, "out"_a.noconvert(), "symmetry"_a = 0, "Fills `out`, float32 [planes, height, width].");
    module.def("make_game", &make_game, "name"_a);
    module.def("game_names", &game_names);
}

}  // namespace tengen
