// Proofs: cells are integers, as for Board. `tengen.proof` keeps them in folders and certificates.

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.h"
#include "interrupt.h"
#include "params.h"
#include "proof/answers.h"
#include "proof/checker.h"
#include "proof/prover.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tengen {
namespace {

ProofParams proof_params(const nb::object& from) {
    ProofParams params;
    read(from, "position_nodes", params.position_nodes);
    read(from, "pass_nodes", params.pass_nodes);
    read(from, "reply_nodes", params.reply_nodes);
    read(from, "playouts", params.playouts);
    read(from, "guided", params.guided);
    return params;
}

std::unique_ptr<Prover> make_prover(const Board& root, Cell only_move, const Evaluator& evaluator,
                                    const nb::object& params, int threads) {
    require_no_objection(evaluator.objection(root));
    return std::make_unique<Prover>(root, only_move, evaluator, proof_params(params), threads);
}

/// Runs for some seconds, or until Ctrl-C, and returns what was learnt.
std::vector<ProofEvent> run(Prover& prover, double seconds) {
    std::atomic<bool> stop = false;
    auto task = [&] {
        prover.run(seconds, stop);
        return 0;
    };
    run_interruptibly(task, [&] { stop = true; });
    return prover.take_events();
}

// What goes to other machines and comes from them, as tuples of Python.

using PositionState = std::tuple<std::array<std::vector<Cell>, 2>, std::uint64_t>;

PositionState state(const ProofPosition& position) {
    return {position.stones, position.key};
}

ProofPosition position_of(const PositionState& state) {
    ProofPosition position(std::get<0>(state));
    position.key = std::get<1>(state);
    return position;
}

using EventState =
    std::tuple<int, PositionState, Cell, std::vector<Cell>, std::int64_t, std::vector<Cell>, std::vector<float>>;

EventState event_state(const ProofEvent& event) {
    return {event.kind, state(event.position), event.move, event.replies, event.effort, event.moves, event.costs};
}

void set_event(ProofEvent& event, const EventState& state) {
    const auto& [kind, position, move, replies, effort, moves, costs] = state;
    const auto known = static_cast<ProofEvent::Kind>(kind);
    new (&event) ProofEvent{known, position_of(position), move, replies, effort, moves, costs};
}

using QuestionState = std::tuple<PositionState, Cell, Cell, std::vector<Cell>, bool, std::int64_t, std::int64_t>;

QuestionState question_state(const Prover::Question& asked) {
    return {state(asked.position), asked.move,   asked.reply,   asked.other_replies,
            asked.quiet,           asked.effort, asked.playouts};
}

void set_question(Prover::Question& asked, const QuestionState& state) {
    const auto& [position, move, reply, others, quiet, effort, playouts] = state;
    new (&asked) Prover::Question{position_of(position), move, reply, others, quiet, effort, playouts};
}

std::unique_ptr<Checker> make_checker(const Board& setup, const Evaluator& evaluator, std::int64_t max_nodes) {
    require_no_objection(evaluator.objection(setup));
    return std::make_unique<Checker>(setup, setup.turn(), evaluator, max_nodes);
}

std::optional<Checker::Fault> check(Checker& checker, const Board& root, Cell only_move) {
    std::atomic<bool> stop = false;
    return run_interruptibly([&] { return checker.check(root, only_move, stop); }, [&] { stop = true; });
}

/// The solver's proof: for each node its move, and reply and node for each reply.
using TreeNode = std::pair<Cell, std::vector<std::pair<Cell, int>>>;

std::vector<TreeNode> nodes_of(const ThreatTree& tree) {
    std::vector<TreeNode> nodes;
    for (int node = 0; node <= tree.root(); ++node) {
        nodes.emplace_back(tree.nodes[node].move, std::vector<std::pair<Cell, int>>());
        for (const auto& [reply, next] : tree.replies_of(node)) nodes.back().second.emplace_back(reply, next);
    }
    return nodes;
}

/// A tree, the lengths of its nodes, and the replies that lose to it.
using Answered = std::tuple<std::vector<TreeNode>, std::vector<int>, std::vector<Cell>>;

std::vector<Answered> threat_answers(const Board& board, const std::vector<Cell>& replies, const Evaluator& evaluator,
                                     std::int64_t max_nodes) {
    require_no_objection(evaluator.objection(board));
    WithoutGil release;
    Board copy = board.with_radius(evaluator.window_radius());
    std::vector<Answered> found;
    for (const ThreatAnswer& answer : answers_by_threats(copy, replies, evaluator, max_nodes)) {
        found.emplace_back(nodes_of(answer.tree), answer.lengths, answer.replies);
    }
    return found;
}

std::vector<TreeNode> threat_tree(const Board& board, const Evaluator& evaluator, std::int64_t max_nodes) {
    require_no_objection(evaluator.objection(board));
    WithoutGil release;
    ThreatOracle oracle(evaluator, true, 18);
    Board copy = board.with_radius(evaluator.window_radius());
    const std::optional<ThreatTree> tree = oracle.ask(copy, max_nodes);
    return tree ? nodes_of(*tree) : std::vector<TreeNode>();
}

void bind_checker(nb::module_& module) {
    nb::enum_<Checker::Fault::Kind>(module, "FaultKind")
        .value("no_move", Checker::Fault::kNoMove)
        .value("five", Checker::Fault::kFive)
        .value("no_answer", Checker::Fault::kNoAnswer);
    nb::class_<Checker::Fault>(module, "ProofFault")
        .def_ro("kind", &Checker::Fault::kind)
        .def_ro("position", &Checker::Fault::position)
        .def_ro("move", &Checker::Fault::move)
        .def_ro("reply", &Checker::Fault::reply);
    nb::class_<Checker>(module, "ProofChecker")
        .def(nb::new_(&make_checker), "root"_a, "evaluator"_a, "max_nodes"_a)
        .def("add", &Checker::add, "position"_a, "move"_a)
        .def("check", &check, "root"_a, "only_move"_a)
        .def_prop_ro("positions", &Checker::positions)
        .def_prop_ro("reached", &Checker::reached)
        .def_prop_ro("replies", &Checker::replies)
        .def_prop_ro("by_threats", &Checker::by_threats)
        .def_prop_ro("trees", &Checker::trees)
        .def_prop_ro("tree_positions", &Checker::tree_positions)
        .def_prop_ro("tree_replies", &Checker::tree_replies)
        .def_prop_ro("solver_nodes", &Checker::solver_nodes);
    module.def("threat_tree", &threat_tree, "board"_a, "evaluator"_a, "max_nodes"_a,
               "A win by threats of the side to move, the root last; a reply of -1 stands for all without their own.");
    module.def("threat_answers", &threat_answers, "board"_a, "replies"_a, "evaluator"_a, "max_nodes"_a,
               "How the side that has just moved answers replies by threats: trees, the most moves from each of their "
               "nodes, the replies that lose to them. First what it threatens if the other side passes, if anything.");
}

}  // namespace

void bind_proof(nb::module_& module) {
    nb::enum_<ProofEvent::Kind>(module, "ProofEventKind")
        .value("won", ProofEvent::kWon)
        .value("tried", ProofEvent::kTried)
        .value("opened", ProofEvent::kOpened)
        .value("pondered", ProofEvent::kPondered)
        .value("quiet", ProofEvent::kQuiet)
        .value("refuted", ProofEvent::kRefuted);
    nb::class_<ProofPosition>(module, "ProofPosition", "Stones up to symmetry.")
        .def(nb::init<std::array<std::vector<Cell>, 2>>(), "stones"_a)
        .def_ro("stones", &ProofPosition::stones)
        .def_ro("key", &ProofPosition::key);
    nb::class_<ProofEvent>(module, "ProofEvent")
        .def(nb::init<>())
        .def("__getstate__", &event_state)
        .def("__setstate__", &set_event)
        .def_rw("kind", &ProofEvent::kind)
        .def_rw("position", &ProofEvent::position)
        .def_rw("move", &ProofEvent::move)
        .def_rw("replies", &ProofEvent::replies)
        .def_rw("effort", &ProofEvent::effort)
        .def_rw("moves", &ProofEvent::moves)
        .def_rw("costs", &ProofEvent::costs);
    nb::class_<Prover::Move>(module, "ProofMove")
        .def_ro("cell", &Prover::Move::cell)
        .def_ro("cost", &Prover::Move::cost)
        .def_prop_ro("opened", [](const Prover::Move& self) { return self.state == Prover::Move::kOpen; })
        .def_ro("children", &Prover::Move::children);
    nb::class_<Prover::Node>(module, "ProofNode")
        .def_ro("position", &Prover::Node::position)
        .def_ro("proven", &Prover::Node::proven)
        .def_ro("expanded", &Prover::Node::expanded)
        .def_ro("winner", &Prover::Node::winner)
        .def_ro("cost", &Prover::Node::cost)
        .def_ro("moves", &Prover::Node::moves);
    nb::class_<Prover::Question>(module, "ProofQuestion", "For whoever helps a proof from elsewhere.")
        .def("__getstate__", &question_state)
        .def("__setstate__", &set_question);
    nb::class_<Prover>(module, "Prover")
        .def(nb::new_(&make_prover), "root"_a, "only_move"_a, "evaluator"_a, "params"_a, "threads"_a)
        .def("run", &run, "seconds"_a)
        .def("take_events", &Prover::take_events)
        .def("ask", &Prover::ask)
        .def("learn", &Prover::learn, "number"_a, "answer"_a)
        .def("answer", &Prover::answer, "question"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("advise", &Prover::advise, "position"_a, "move"_a)
        .def("replay", &Prover::replay, "event"_a)
        .def_prop_ro("root", &Prover::root, nb::rv_policy::reference_internal)
        .def("node", &Prover::node, "index"_a, nb::rv_policy::reference_internal)
        .def("find", &Prover::find, "board"_a, nb::rv_policy::reference_internal)
        .def("proof_of", &Prover::proof_of, "node"_a, nb::rv_policy::reference_internal)
        .def_prop_ro("positions", &Prover::positions)
        .def_prop_ro("proven", &Prover::proven)
        .def_prop_ro("solver_nodes", &Prover::solver_nodes);
    bind_checker(module);
}

}  // namespace tengen
