#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>

#include "bench/hash_bench.h"
#include "bench/net_bench.h"
#include "bench/rules_bench.h"
#include "bench/threats_bench.h"
#include "bindings.h"
#include "leaving.h"

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
    module.def("bench_rules", &bench_rules, "positions"_a, "seed"_a, nb::call_guard<WithoutGil>());

    nb::class_<HashBench>(module, "HashBench")
        .def_ro("bare_none_ns", &HashBench::bare_none_ns)
        .def_ro("bare_incremental_ns", &HashBench::bare_incremental_ns)
        .def_ro("bare_full_ns", &HashBench::bare_full_ns)
        .def_ro("board_incremental_ns", &HashBench::board_incremental_ns)
        .def_ro("board_full_ns", &HashBench::board_full_ns)
        .def_ro("moves", &HashBench::moves)
        .def_ro("differences", &HashBench::differences)
        .def_ro("signature", &HashBench::signature);
    module.def("bench_hash", &bench_hash, "positions"_a, "rounds"_a, "seed"_a, nb::call_guard<WithoutGil>());

    nb::class_<NetBench>(module, "NetBench")
        .def_ro("expand_ms", &NetBench::expand_ms)
        .def_ro("table_mb", &NetBench::table_mb)
        .def_ro("candidates", &NetBench::candidates)
        .def_ro("sibling_us", &NetBench::sibling_us)
        .def_ro("value_only_us", &NetBench::value_only_us)
        .def_ro("rebuild_us", &NetBench::rebuild_us)
        .def_ro("evaluations_per_second", &NetBench::evaluations_per_second)
        .def_ro("signature", &NetBench::signature);
    module.def("bench_net", &bench_net, "network"_a, "positions"_a, "rounds"_a, "seed"_a, nb::call_guard<WithoutGil>());
    nb::class_<ThreatsBench>(module, "ThreatsBench")
        .def_ro("vcf_million_nodes_per_second", &ThreatsBench::vcf_million_nodes_per_second)
        .def_ro("vcf_reject_us", &ThreatsBench::vcf_reject_us)
        .def_ro("vcf_expansion_ns", &ThreatsBench::vcf_expansion_ns)
        .def_ro("vcf_long_win_ms", &ThreatsBench::vcf_long_win_ms)
        .def_ro("vcf_long_win_worst_ms", &ThreatsBench::vcf_long_win_worst_ms)
        .def_ro("vct_solve_ms", &ThreatsBench::vct_solve_ms)
        .def_ro("rejected", &ThreatsBench::rejected)
        .def_ro("long_wins", &ThreatsBench::long_wins)
        .def_ro("vcf_nodes", &ThreatsBench::vcf_nodes)
        .def_ro("vct_nodes", &ThreatsBench::vct_nodes)
        .def_ro("vct_wins", &ThreatsBench::vct_wins)
        .def_ro("signature", &ThreatsBench::signature);
    module.def("bench_threats", &bench_threats, "positions"_a, "seed"_a, nb::call_guard<WithoutGil>());
}

}  // namespace tengen
