// The engine for Gomocup managers: its parts, so that tests can talk to them, and the whole on two file descriptors.

#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <csignal>
#include <cstdlib>

#include "bindings.h"
#include "leaving.h"
#include "mcts/clock.h"
#include "protocol/host.h"
#include "protocol/swap2.h"
#include "protocol/text.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tengen {
namespace {

/// The exit code that a shell expects after Ctrl-C.
constexpr int kInterrupted = 130;

/// A Python function that many threads may copy and let go: only its calls hold the GIL.
std::shared_ptr<nb::callable> shared(const nb::callable& function) {
    return {new nb::callable(function), [](nb::callable* held) {
                nb::gil_scoped_acquire acquire;
                delete held;
            }};
}

MakeEvaluator evaluator_function(const nb::callable& make) {
    return [make = shared(make)](Rule rule, int side) {
        nb::gil_scoped_acquire acquire;
        const nb::object made = (*make)(rule, side);
        return nb::cast<const Evaluator&>(made).clone(0);
    };
}

const char* kind_name(const Question& question) {
    switch (question.kind) {
        case Question::Kind::kPrepare: return "prepare";
        case Question::Kind::kMove: return "move";
        default: return "swap2";
    }
}

std::vector<nb::bytes> as_bytes(const std::vector<std::string>& lines) {
    std::vector<nb::bytes> result;
    for (const std::string& line : lines) result.emplace_back(line.data(), line.size());
    return result;
}

bool serve_engine(int source, int target, const nb::callable& make_evaluator, std::uint64_t seed,
                  const std::optional<Level>& level) {
    const MakeEvaluator evaluator = evaluator_function(make_evaluator);
    std::signal(SIGINT, [](int) { std::_Exit(kInterrupted); });  // Python would not hear it before the end
    WithoutGil release;
    Engine engine(now);
    Thinker thinker(evaluator, now, seed, level);
    return Host(engine, thinker, Streams::of(source, target)).run();
}

/// Swap2 with a Python function that tells the value and the best move of a position.
std::vector<Cell> swap2(const Board& board, const nb::callable& think, std::uint64_t seed) {
    Random random(seed);
    const auto report = [&](const Board& position, double share) {
        const auto [value, move] = nb::cast<std::pair<float, Cell>>(think(position, share));
        SearchReport result;
        result.value = value;
        result.moves.emplace_back().move = move;
        return result;
    };
    return answer_swap2(board, report, random);
}

void bind_settings(nb::module_& module) {
    nb::class_<EngineSettings>(module, "EngineSettings", "What INFO said.")
        .def(nb::init<>())
        .def_rw("timeout_turn", &EngineSettings::timeout_turn)
        .def_rw("timeout_match", &EngineSettings::timeout_match)
        .def_rw("time_left", &EngineSettings::time_left, nb::arg().none())
        .def_rw("max_memory", &EngineSettings::max_memory)
        .def_rw("rule", &EngineSettings::rule)
        .def_rw("max_node", &EngineSettings::max_node)
        .def_rw("hash_size", &EngineSettings::hash_size)
        .def_rw("strength", &EngineSettings::strength)
        .def("update",
             [](EngineSettings& self, std::string_view key, std::string_view value) { self.update(key, value); })
        .def_prop_ro("playouts", &EngineSettings::playouts);
    module.def("time_budget", &time_budget, "settings"_a, "own_moves"_a, "spent"_a = 0.0);
    module.def(
        "engine_tree_memory",
        [](const EngineSettings& settings, std::int64_t base) {
            return engine_search_params(settings, base).first.memory;
        },
        "settings"_a, "base"_a, "Bytes for the tree in a process that needs `base` bytes without it.");
}

void bind_engine(nb::module_& module) {
    nb::class_<Question>(module, "Question")
        .def_prop_ro("kind", &kind_name)
        .def_ro("board", &Question::board)
        .def_ro("settings", &Question::settings)
        .def_ro("deadline", &Question::deadline)
        .def_ro("best", &Question::best);
    nb::class_<Answer>(module, "Answer")
        .def(
            "__init__",
            [](Answer* self, std::vector<Cell> moves, std::vector<std::string> messages, std::string error) {
                new (self) Answer{std::move(moves), std::move(messages), std::move(error)};
            },
            "moves"_a = std::vector<Cell>(), "messages"_a = std::vector<std::string>(), "error"_a = "")
        .def_ro("moves", &Answer::moves)
        .def_ro("messages", &Answer::messages)
        .def_ro("error", &Answer::error);
    nb::class_<Engine>(module, "Engine", "The protocol as a state machine: lines in, lines out.")
        .def(nb::init<Engine::Clock>(), "now"_a)
        .def(
            "receive", [](Engine& self, std::string_view line) { return self.receive(line); }, "line"_a)
        .def("answer", &Engine::answer, "answer"_a)
        .def("preparation", &Engine::preparation)
        .def_prop_ro("question", [](const Engine& self) { return std::optional(self.question()); })  // a copy
        .def_prop_ro("hurry", &Engine::hurry)
        .def_prop_ro("ponder", [](const Engine& self) { return std::optional(self.ponder()); })
        .def_prop_ro("closed", &Engine::closed)
        .def_prop_ro("outdated", &Engine::outdated);
}

}  // namespace

void bind_protocol(nb::module_& module) {
    bind_settings(module);
    bind_engine(module);
    nb::class_<Thinker>(module, "Thinker", "Answers an engine's questions.")
        .def(nb::new_([](const nb::callable& make_evaluator, std::uint64_t seed, const std::optional<Level>& level) {
                 return share_with_threads(new Thinker(evaluator_function(make_evaluator), now, seed, level));
             }),
             "make_evaluator"_a, "seed"_a = 1, "level"_a = nb::none())
        .def(
            "think", [](Thinker& self, const Question& question) { return self.think(question, {}, {}); }, "question"_a,
            nb::call_guard<WithoutGil>())
        .def("anticipate", &Thinker::anticipate, "question"_a, nb::call_guard<WithoutGil>());
    nb::class_<LineSplitter>(module, "LineSplitter")
        .def(nb::init<>())
        .def(
            "feed",
            [](LineSplitter& self, const nb::bytes& data) {
                return as_bytes(self.feed({static_cast<const char*>(data.data()), data.size()}));
            },
            "data"_a)
        .def("flush", [](LineSplitter& self) { return as_bytes(self.flush()); });
    module.def("answer_swap2", &swap2, "board"_a, "think"_a, "seed"_a);
    module.attr("MAX_LINE") = LineSplitter::kMaxLine;
    module.attr("ENGINE_ABOUT") = Engine::about();
    module.def("serve_engine", &serve_engine, "source"_a, "target"_a, "make_evaluator"_a, "seed"_a,
               "level"_a = nb::none(),
               "Serves a manager on two file descriptors. False if the process must leave by os._exit.");
}

}  // namespace tengen
