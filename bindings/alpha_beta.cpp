// AlphaBeta: `tengen.search.alpha_beta` checks parameters and makes moves of cells.

#include "alphabeta/alpha_beta.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <atomic>

#include "bench/alpha_beta_bench.h"
#include "bindings.h"
#include "interrupt.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tengen {
namespace {

int move_score(Expert& expert, const Board& board, Cell move) {
    expert.follow(board);
    return expert.move_score(move, board.turn());
}

}  // namespace

void bind_alpha_beta(nb::module_& module) {
    nb::class_<AlphaBetaResult>(module, "AlphaBetaResult")
        .def_ro("move", &AlphaBetaResult::move)
        .def_ro("score", &AlphaBetaResult::score)
        .def_ro("depth", &AlphaBetaResult::depth)
        .def_ro("nodes", &AlphaBetaResult::nodes)
        .def_ro("line", &AlphaBetaResult::line);

    nb::enum_<AlphaBetaEvaluation>(module, "AlphaBetaEvaluation")
        .value("shapes", AlphaBetaEvaluation::kShapes)
        .value("rows", AlphaBetaEvaluation::kRows);

    nb::class_<AlphaBetaParams>(module, "AlphaBetaParams")
        .def(nb::init<>())
        .def_rw("depth", &AlphaBetaParams::depth)
        .def_rw("seconds", &AlphaBetaParams::seconds)
        .def_rw("nodes", &AlphaBetaParams::nodes)
        .def_rw("width", &AlphaBetaParams::width)
        .def_rw("hash_megabytes", &AlphaBetaParams::hash_megabytes)
        .def_rw("vct_plies", &AlphaBetaParams::vct_plies)
        .def_rw("evaluation", &AlphaBetaParams::evaluation)
        .def_rw("use_threats", &AlphaBetaParams::use_threats)
        .def_rw("use_pruning", &AlphaBetaParams::use_pruning)
        .def_rw("use_hash", &AlphaBetaParams::use_hash)
        .def_rw("seed", &AlphaBetaParams::seed);

    nb::class_<AlphaBeta>(module, "AlphaBeta")
        .def(
            "__init__", [](AlphaBeta* self, const AlphaBetaParams& params) { new (self) AlphaBeta(params); },
            "params"_a)
        .def(
            "search",
            [](AlphaBeta& self, const Board& board, StopFlag& stop) {
                return run_interruptibly([&] { return self.search(board, stop.value); }, [&] { stop.value = true; });
            },
            "board"_a, "stop"_a);
    module.attr("ALPHA_BETA_WIN") = score::kWin;
    module.attr("ALPHA_BETA_WIN_BOUND") = score::kWinBound;
    module.attr("ALPHA_BETA_MAX_DEPTH") = AlphaBeta::kMaxDepth;

    nb::class_<Expert>(module, "Expert")
        .def(nb::init<const Board&>(), "board"_a)
        .def("score", &Expert::score, "board"_a, "The evaluation for the side to move.")
        .def("value", &Expert::value, "board"_a, "The expected result for the side to move, from -1 to 1.")
        .def("move_score", &move_score, "board"_a, "move"_a, "How good a move at an empty cell looks.")
        .def_static("squash", &Expert::squash, "score"_a, "The expected result that a score stands for.");

    nb::class_<RowEvaluation>(module, "RowEvaluation", "Rows of stones by S2's table.")
        .def(nb::init<const Board&>(), "board"_a)
        .def("score", &RowEvaluation::score, "In points, for the side to move.")
        .def("gain", &RowEvaluation::gain, "move"_a, "What a stone at this empty cell adds.")
        .def_static("squash", &RowEvaluation::squash, "score"_a, "The expected result that a score stands for.")
        .def_static("row_tenths", &RowEvaluation::row_tenths, "stones"_a, "blocked_ends"_a, "has_gap"_a, "to_move"_a,
                    "The worth of one row in tenths of a point.");

    nb::class_<AlphaBetaBench>(module, "AlphaBetaBench")
        .def_ro("milliseconds", &AlphaBetaBench::milliseconds, "A move, on average.")
        .def_ro("worst_milliseconds", &AlphaBetaBench::worst_milliseconds)
        .def_ro("nodes", &AlphaBetaBench::nodes, "A move, on average.")
        .def_ro("nodes_per_second", &AlphaBetaBench::nodes_per_second)
        .def_ro("signature", &AlphaBetaBench::signature);
    module.def("bench_alpha_beta", &bench_alpha_beta, "depth"_a, "width"_a, "vct_plies"_a, "positions"_a, "seed"_a,
               nb::call_guard<WithoutGil>());
}

}  // namespace tengen
