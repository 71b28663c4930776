// The line network: arrays of float32 by name in, logits and win/draw/loss out.

#include "nn/line_network.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <vector>

#include "bindings.h"
#include "leaving.h"
#include "nn/line_evaluator.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tengen {
namespace {

using FloatArray = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;

NamedArrays to_arrays(const std::map<std::string, FloatArray>& arrays) {
    NamedArrays copy;
    for (const auto& [name, array] : arrays) copy[name].assign(array.data(), array.data() + array.size());
    return copy;
}

std::pair<Evaluation, std::vector<float>> evaluate(LineEvaluator& self, const Board& board,
                                                   const std::vector<Cell>& moves) {
    std::vector<float> logits(moves.size());
    const Evaluation evaluation = self.evaluate(board, moves, logits);
    return {evaluation, std::move(logits)};
}

}  // namespace

void bind_line_network(nb::module_& module) {
    nb::class_<Evaluation>(module, "Evaluation", "What a network thinks of a position, for the side to move.")
        .def_ro("value", &Evaluation::value)
        .def_ro("win", &Evaluation::win)
        .def_ro("draw", &Evaluation::draw)
        .def_ro("loss", &Evaluation::loss);

    nb::class_<LineNetwork>(module, "LineNetwork")
        .def(
            "__init__",
            [](LineNetwork* self, int radius, int channels, int hidden,
               const std::map<std::string, FloatArray>& arrays) {
                new (self) LineNetwork(LineConfig{radius, channels, hidden}, to_arrays(arrays));
            },
            "radius"_a, "channels"_a, "hidden"_a, "arrays"_a)
        .def("prepare", &LineNetwork::prepare, "rule"_a, nb::call_guard<WithoutGil>(),
             "Expands the tables that a game under this rule needs; otherwise the first evaluation does.")
        .def_prop_ro("radius", &LineNetwork::radius)
        .def_prop_ro("channels", [](const LineNetwork& self) { return self.config().channels; });

    nb::class_<LineEvaluator>(module, "LineEvaluator")
        .def(nb::init<std::shared_ptr<const LineNetwork>>(), "network"_a)
        .def("evaluate", &evaluate, "board"_a, "moves"_a, nb::call_guard<WithoutGil>(),
             "The evaluation, and the policy's logit of each move.");
}

}  // namespace tengen
