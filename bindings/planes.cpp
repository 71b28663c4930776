// Input planes of the convolutional networks. `tengen.nets.planes` names the specs and makes the arrays.

#include "game/planes.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <stdexcept>

#include "bindings.h"
#include "game/board.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tengen {
namespace {

using PlaneArray = nb::ndarray<nb::numpy, float, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

void encode(const Board& board, const PlaneSpec& spec, PlaneArray out, int symmetry) {
    if (symmetry < 0 || symmetry >= kSymmetries) throw std::invalid_argument("a symmetry is a number from 0 to 7");
    const bool swapped = (symmetry & 4) != 0;
    const auto height = static_cast<std::size_t>(swapped ? board.width() : board.height());
    const auto width = static_cast<std::size_t>(swapped ? board.height() : board.width());
    const auto planes = static_cast<std::size_t>(spec.planes());
    if (out.shape(0) != planes || out.shape(1) != height || out.shape(2) != width) {
        throw std::invalid_argument("the output must have the shape [planes, height, width] of the spec and the board");
    }
    encode_planes(board, spec, out.data(), symmetry);
}

}  // namespace

void bind_planes(nb::module_& module) {
    nb::class_<PlaneSpec>(module, "PlaneSpec")
        .def(
            "__init__",
            [](PlaneSpec* self, int positions, bool own_steps, bool by_color, bool last_move, bool side) {
                if (positions < 1 || positions > kMaxCells) {
                    throw std::invalid_argument("the planes must show at least one position");
                }
                const auto step = own_steps ? PlaneSpec::Step::kOwnMove : PlaneSpec::Step::kPly;
                new (self) PlaneSpec{positions, step, by_color, last_move, side};
            },
            nb::kw_only(), "positions"_a = 1, "own_steps"_a = false, "by_color"_a = false, "last_move"_a = false,
            "side"_a = false)
        .def_prop_ro("planes", &PlaneSpec::planes);
    module.def("encode_planes", &encode, "board"_a, "spec"_a, "out"_a.noconvert(), "symmetry"_a = 0,
               "Fills `out`, float32 [planes, height, width].");
}

}  // namespace tengen
