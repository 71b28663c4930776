// Levels: how each plays, and how it chooses a move.

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "levels/level.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tengen {
namespace {

/// All that it is, so that two texts differ where two levels do.
std::string text_of(const Level& level) {
    std::string text;
    Level::each_member([&](const char* name, auto member) {
        text += (text.empty() ? "Level(" : ", ") + std::string(name) + "=" + nb::repr(nb::cast(level.*member)).c_str();
    });
    return text + ")";
}

/// By the names of tengen.search.SearchParams.
nb::dict params(const LevelTurn& turn) {
    const SearchParams search = turn.search_params();
    const KnowledgeParams knowledge = turn.knowledge_params();
    nb::dict named;
    named["root_noise"] = search.root_noise;
    named["vct_nodes_answer"] = search.vct_nodes_answer;
    named["lcb_deviations"] = search.lcb_deviations;
    named["memory"] = search.memory;
    named["seed"] = search.seed;
    named["threats"] = knowledge.threats;
    named["vcf_nodes"] = knowledge.vcf_nodes;
    named["vcf_nodes_root"] = knowledge.vcf_nodes_root;
    named["vcf_nodes_defence"] = knowledge.vcf_nodes_defence;
    named["vct_nodes_root"] = knowledge.vct_nodes_root;
    named["prior_temperature"] = knowledge.prior_temperature;
    named["threat_share"] = knowledge.threat_share;
    named["misere"] = knowledge.misere;
    return named;
}

std::size_t choose(LevelTurn& turn, const std::vector<std::pair<std::int64_t, Proof>>& moves) {
    std::vector<MoveReport> report;
    for (const auto& [visits, proof] : moves) {
        MoveReport& move = report.emplace_back();
        move.visits = visits;
        move.proof = proof;
    }
    return turn.choose(report);
}

}  // namespace

void bind_levels(nb::module_& module) {
    auto level = nb::class_<Level>(module, "Level", "How one level plays; see cpp/levels/level.h.");
    Level::each_member([&](const char* name, auto member) { level.def_ro(name, member); });
    level.def("__repr__", &text_of)
        .def(
            "with_seconds",
            [](Level self, double seconds) {
                self.seconds = seconds;
                return self;
            },
            "seconds"_a, "The same level with another limit of time.");
    module.def("levels", [] { return std::vector<Level>(levels().begin(), levels().end()); });
    module.def("find_level", &find_level, "number"_a);
    nb::class_<LevelTurn>(module, "LevelTurn", "A level at one of its moves.")
        .def(nb::init<const Level&, std::uint64_t, int>(), "level"_a, "seed"_a, "ply"_a)
        .def_prop_ro("params", &params, "How it searches, by the names of tengen.search.SearchParams.")
        .def("own_evaluator", &LevelTurn::own_evaluator)
        .def("choose", &choose, "moves"_a, "The place of one of some moves, best first: their visits and proofs.")
        .def_ro_static("CANDIDATES", &LevelTurn::kCandidates, "How many moves `choose` wants to see.");
}

}  // namespace tengen
