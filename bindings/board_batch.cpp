// Many boards at once, for learners that work on batches. Everything is written into arrays of the caller.

#include "selfplay/board_batch.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <stdexcept>

#include "bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tengen {
namespace {

template <class Value>
using Row = nb::ndarray<nb::numpy, Value, nb::c_contig, nb::device::cpu>;

/// The array's contents, if it has one entry (or `each`) for every board.
template <class Value>
std::span<Value> contents(const BoardBatch& batch, const Row<Value>& array, int each = 1) {
    const auto wanted = static_cast<std::size_t>(batch.count()) * each;
    if (array.size() != wanted) throw std::invalid_argument("the array does not fit the number of boards");
    return {array.data(), wanted};
}

void play(BoardBatch& self, const Row<const std::int32_t>& moves, float blocking, const Row<std::uint8_t>& status,
          const Row<float>& scores) {
    using Status = BoardBatch::Status;
    const std::span<std::uint8_t> bytes = contents(self, status);
    self.play(contents(self, moves), blocking, {reinterpret_cast<Status*>(bytes.data()), bytes.size()},
              contents(self, scores));
}

}  // namespace

void bind_board_batch(nb::module_& module) {
    nb::class_<BoardBatch>(module, "BoardBatch", "Many games that are moved on together.")
        .def(
            "__init__",
            [](BoardBatch* self, int count, int width, int height, Rule rule, int n_in_row, std::uint64_t seed) {
                if (count < 1) throw std::invalid_argument("a batch needs at least one board");
                new (self) BoardBatch(count, width, height, {rule, n_in_row}, seed);
            },
            "count"_a, "width"_a, "height"_a, "rule"_a, "n_in_row"_a, "seed"_a)
        .def_prop_ro("count", &BoardBatch::count)
        .def_prop_ro("cells", &BoardBatch::cells)
        .def("play", &play, "moves"_a.noconvert(), "blocking"_a, "status"_a.noconvert(), "scores"_a.noconvert(),
             "Status: 0 goes on, 1 the mover won, 2 the board is full, 3 illegal. Scores: S2's shaped reward, log10.")
        .def(
            "reset",
            [](BoardBatch& self, const Row<const std::uint8_t>& wanted, int opening_stones) {
                self.reset(contents(self, wanted), opening_stones);
            },
            "wanted"_a.noconvert(), "opening_stones"_a)
        .def(
            "random_moves",
            [](BoardBatch& self, const Row<std::int32_t>& moves) { self.random_moves(contents(self, moves)); },
            "moves"_a.noconvert())
        .def(
            "encode",
            [](const BoardBatch& self, const Row<std::int8_t>& stones) {
                self.encode(contents(self, stones, self.cells()));
            },
            "stones"_a.noconvert(), "int8 [count, cells]: 1 own, -1 enemy, as the mover sees it.")
        .def(
            "plies", [](const BoardBatch& self, const Row<std::int32_t>& plies) { self.plies(contents(self, plies)); },
            "plies"_a.noconvert());
}

}  // namespace tengen
