// Mcts and its evaluators. Parameters come as any Python object with attributes of the same names
// (tengen.search.SearchParams), so that they are written down once in each language.

#include "search/mcts.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "bindings.h"
#include "interrupt.h"
#include "search/evaluator.h"
#include "search/gomoku_explorer.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tengen {
namespace {

template <class Value>
Value choice(const nb::object& from, const char* name, std::initializer_list<std::pair<const char*, Value>> values) {
    const auto given = nb::cast<std::string>(from.attr(name));
    std::string allowed;
    for (const auto& [key, value] : values) {
        if (given == key) return value;
        allowed += allowed.empty() ? key : std::string(", ") + key;
    }
    throw std::invalid_argument(std::string(name) + " must be one of " + allowed + ", not \"" + given + "\"");
}

template <class Value>
void read(const nb::object& from, const char* name, Value& to) {
    to = nb::cast<Value>(from.attr(name));
}

SearchParams search_params(const nb::object& from) {
    SearchParams params;
    params.selection = choice<Selection>(from, "selection", {{"puct", Selection::kPuct}, {"uct", Selection::kUct}});
    params.parallelism =
        choice<Parallelism>(from, "parallelism",
                            {{"tree", Parallelism::kTree}, {"root", Parallelism::kRoot}, {"leaf", Parallelism::kLeaf}});
    params.in_flight = choice<InFlight>(from, "in_flight",
                                        {{"wu-uct", InFlight::kUnobserved}, {"virtual-loss", InFlight::kVirtualLoss}});
    read(from, "c_puct", params.c_puct);
    read(from, "c_puct_log", params.c_puct_log);
    read(from, "fpu_reduction", params.fpu_reduction);
    read(from, "fpu_reduction_root", params.fpu_reduction_root);
    read(from, "root_noise", params.root_noise);
    read(from, "root_noise_total_alpha", params.root_noise_total_alpha);
    read(from, "threads", params.threads);
    read(from, "memory", params.memory);
    read(from, "seed", params.seed);
    return params;
}

KnowledgeParams knowledge_params(const nb::object& from) {
    KnowledgeParams params;
    read(from, "threats", params.threats);
    read(from, "vcf_nodes", params.vcf_nodes);
    read(from, "vcf_nodes_root", params.vcf_nodes_root);
    read(from, "prior_temperature", params.prior_temperature);
    return params;
}

/// A search with what it needs to take another position.
class GomokuSearch {
public:
    GomokuSearch(const Board& board, const Evaluator& evaluator, const nb::object& params)
        : evaluator_(evaluator.clone(nb::cast<std::uint64_t>(params.attr("seed")))),
          knowledge_(knowledge_params(params)),
          seed_(nb::cast<std::uint64_t>(params.attr("seed"))),
          mcts_(explorer(board), search_params(params)) {}

    Mcts& mcts() { return mcts_; }
    void set_root(const Board& board) { mcts_.set_root(explorer(board)); }
    void search(std::int64_t playouts, double seconds) {
        run_interruptibly([&] { mcts_.search({playouts, seconds}); }, [&] { mcts_.stop(); });
    }

private:
    std::unique_ptr<Explorer> explorer(const Board& board) const {
        return std::make_unique<GomokuExplorer>(board, evaluator_->clone(seed_), knowledge_);
    }

    std::unique_ptr<Evaluator> evaluator_;
    KnowledgeParams knowledge_;
    std::uint64_t seed_;
    Mcts mcts_;
};

}  // namespace

void bind_mcts(nb::module_& module) {
    nb::enum_<Proof>(module, "Proof")
        .value("none", Proof::kNone)
        .value("win", Proof::kWin)
        .value("loss", Proof::kLoss)
        .value("draw", Proof::kDraw);

    nb::class_<Evaluator>(module, "Evaluator");
    nb::class_<UniformEvaluator, Evaluator>(module, "UniformEvaluator").def(nb::init<>());
    nb::class_<RolloutEvaluator, Evaluator>(module, "RolloutEvaluator").def(nb::init<std::uint64_t>(), "seed"_a);

    nb::class_<MoveReport>(module, "MoveReport")
        .def_ro("move", &MoveReport::move)
        .def_ro("visits", &MoveReport::visits)
        .def_ro("value", &MoveReport::value)
        .def_ro("prior", &MoveReport::prior)
        .def_ro("proof", &MoveReport::proof)
        .def_ro("line", &MoveReport::line);
    nb::class_<SearchReport>(module, "SearchReport")
        .def_ro("proof", &SearchReport::proof)
        .def_ro("value", &SearchReport::value)
        .def_ro("playouts", &SearchReport::playouts)
        .def_ro("visits", &SearchReport::visits)
        .def_ro("seconds", &SearchReport::seconds)
        .def_ro("memory", &SearchReport::memory)
        .def_ro("depth", &SearchReport::depth)
        .def_ro("moves", &SearchReport::moves);

    nb::class_<GomokuSearch>(module, "Mcts")
        .def(nb::init<const Board&, const Evaluator&, const nb::object&>(), "board"_a, "evaluator"_a, "params"_a)
        .def("search", &GomokuSearch::search, "playouts"_a, "seconds"_a)
        .def("stop", [](GomokuSearch& self) { self.mcts().stop(); })
        .def_prop_ro("is_running", [](GomokuSearch& self) { return self.mcts().is_running(); })
        .def("set_root", &GomokuSearch::set_root, "board"_a)
        .def(
            "advance", [](GomokuSearch& self, Cell move) { return self.mcts().advance(move); }, "move"_a)
        .def(
            "report",
            [](GomokuSearch& self, int best_moves, int max_line) { return self.mcts().report(best_moves, max_line); },
            "best_moves"_a, "max_line"_a = 20)
        .def("best_move", [](GomokuSearch& self) { return self.mcts().best_move(); })
        .def(
            "sample_move",
            [](GomokuSearch& self, double temperature, std::uint64_t seed) {
                return self.mcts().sample_move(temperature, seed);
            },
            "temperature"_a, "seed"_a);
}

}  // namespace tengen
