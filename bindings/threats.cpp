// The threat solvers: cells are integers, as for Board. `tengen.threats` makes moves of them and checks the limits.

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <memory>
#include <vector>

#include "bindings.h"
#include "eval/evaluator.h"
#include "interrupt.h"
#include "params.h"
#include "threats/vcf.h"
#include "threats/vct.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tengen {
namespace {

struct ThreatSolution {
    ThreatResult result;
    std::vector<Cell> line;
};

/// Moves stones on the board while it runs and takes them back: no other thread may use the board meanwhile.
template <class Solver, class... Guide>
ThreatSolution solve(Solver& solver, Board& board, std::int64_t max_nodes, double max_seconds, int max_depth,
                     StopFlag* stop_flag, Guide... guide) {
    StopFlag own_flag;
    std::atomic<bool>& stop = (stop_flag ? *stop_flag : own_flag).value;
    auto task = [&] {
        const ThreatLimits limits{max_nodes, max_seconds, max_depth, &stop};
        ThreatSolution solution{solver.solve(board, limits, guide...), {}};
        if (solution.result.status == ThreatResult::kWin) solution.line = solver.line(board);
        return solution;
    };
    return run_interruptibly(task, [&] { stop = true; });
}

/// The evaluator guides the search for threats if it can.
ThreatSolution solve_guided(Vct& solver, const Board& board, std::int64_t max_nodes, double max_seconds, int max_depth,
                            StopFlag* stop_flag, const Evaluator* evaluator) {
    if (evaluator) require_no_objection(evaluator->objection(board));
    const std::unique_ptr<Evaluator> own = evaluator ? evaluator->clone(1) : nullptr;
    Board copy = own ? board.with_radius(own->window_radius()) : board;
    const ThreatGuide guide = own ? own->guide() : ThreatGuide();
    return solve(solver, copy, max_nodes, max_seconds, max_depth, stop_flag, guide);
}

/// The points that may answer what the side that is not to move threatens to win with by fours; empty if nothing.
std::vector<Cell> defences(Vcf& vcf, Board& board, std::int64_t max_nodes) {
    WithoutGil release;
    const ThreatResult threat = vcf.solve_for(board, opponent(board.turn()), max_nodes);
    return threat.status == ThreatResult::kWin ? vcf.defences(board).members() : std::vector<Cell>();
}

}  // namespace

void bind_threats(nb::module_& module) {
    nb::enum_<ThreatResult::Status>(module, "ThreatStatus")
        .value("win", ThreatResult::kWin)
        .value("none", ThreatResult::kNone)
        .value("unknown", ThreatResult::kUnknown);
    nb::class_<ThreatSolution>(module, "ThreatSolution")
        .def_prop_ro("status", [](const ThreatSolution& self) { return self.result.status; })
        .def_prop_ro("nodes", [](const ThreatSolution& self) { return self.result.nodes; })
        .def_ro("line", &ThreatSolution::line);
    nb::class_<Vcf>(module, "Vcf")
        .def(nb::init<int>(), "log2_cache_entries"_a = 16)
        .def("solve", &solve<Vcf>, "board"_a, "max_nodes"_a, "max_seconds"_a, "max_depth"_a, "stop"_a.none())
        .def("defences", &defences, "board"_a, "max_nodes"_a)
        .def("clear", &Vcf::clear);
    nb::class_<Vct>(module, "Vct")
        .def(nb::init<int>(), "log2_table_entries"_a = 16)
        .def("solve", &solve_guided, "board"_a, "max_nodes"_a, "max_seconds"_a, "max_depth"_a, "stop"_a.none(),
             "guide"_a.none() = nb::none())
        .def("clear", &Vct::clear);
}

}  // namespace tengen
