#include <nanobind/nanobind.h>

#include "bench/rules_bench.h"
#include "bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tengen {

void bind_bench(nb::module_& module) {
    nb::class_<RulesBench>(module, "RulesBench")
        .def_ro("do_undo_radius4_ns", &RulesBench::do_undo_radius4_ns)
        .def_ro("do_undo_radius5_ns", &RulesBench::do_undo_radius5_ns)
        .def_ro("do_undo_renju_ns", &RulesBench::do_undo_renju_ns)
        .def_ro("collect_threats_ns", &RulesBench::collect_threats_ns)
        .def_ro("forbidden_points_us", &RulesBench::forbidden_points_us)
        .def_ro("shapes_us", &RulesBench::shapes_us)
        .def_ro("signature", &RulesBench::signature)
        .def_ro("board_bytes", &RulesBench::board_bytes);
    module.def("bench_rules", &bench_rules, "positions"_a, "seed"_a, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace tengen
