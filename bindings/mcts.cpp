// Mcts and its evaluators.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <ctime>

#include "bindings.h"
#include "eval/batch_queue.h"
#include "eval/batched_evaluator.h"
#include "eval/evaluator.h"
#include "eval/expert_evaluator.h"
#include "eval/network_evaluator.h"
#include "eval/reluctant_evaluator.h"
#include "interrupt.h"
#include "mcts/make_explorer.h"
#include "mcts/parallelism.h"
#include "params.h"
#include "pvs/pvs.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tengen {
namespace {

/// Calls Python for a batch, holding the GIL just for that: planes [count, planes, height, width] in, logits [count,
/// moves] and values [count] out.
BatchQueue::Evaluate batch_function(const nb::callable& evaluate, const BatchQueue::Shape& shape) {
    // Shared, so that copies of the function never touch the reference count without the GIL.
    std::shared_ptr<nb::callable> callable(new nb::callable(evaluate), [](nb::callable* held) {
        nb::gil_scoped_acquire acquire;
        delete held;
    });
    const auto planes_count = static_cast<std::size_t>(shape.planes), moves = static_cast<std::size_t>(shape.moves);
    const auto w = static_cast<std::size_t>(shape.width), h = static_cast<std::size_t>(shape.height);
    return [=](int count, const float* planes, float* logits, float* values) {
        nb::gil_scoped_acquire acquire;
        const auto n = static_cast<std::size_t>(count);
        const nb::ndarray<nb::numpy, const float> input(planes, {n, planes_count, h, w}, nb::handle());
        using Output = nb::ndarray<nb::numpy, const float, nb::c_contig, nb::device::cpu>;
        const auto [policy, value] = nb::cast<std::pair<Output, Output>>((*callable)(input));
        if (policy.size() != n * moves || value.size() != n) {
            throw std::runtime_error("the network's answer does not have the shape of its batch");
        }
        std::copy_n(policy.data(), policy.size(), logits);
        std::copy_n(value.data(), value.size(), values);
    };
}

/// CPU time of the calling thread; 0 where the system does not tell.
double thread_seconds() {
#if defined(CLOCK_THREAD_CPUTIME_ID)
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
#else
    return 0;
#endif
}

/// A search with what it needs to take another position.
class Search {
public:
    Search(const Game& position, const Evaluator& evaluator, const nb::object& params)
        : seed_(nb::cast<std::uint64_t>(params.attr("seed"))),
          evaluator_(evaluator.clone(seed_)),
          knowledge_(knowledge_params(params)),
          search_(make(explorer_of(position), params)) {}

    /// Without the GIL, which its evaluator may need.
    ~Search() {
        search_->stop();
        if (running_.valid()) running_.wait();
    }

    TreeSearch& tree() { return *search_; }
    void set_root(const Game& position) {
        finish();
        search_->set_root(explorer_of(position));
    }
    bool advance(Cell move) {
        finish();
        WithoutGil release;  // it may copy the tree
        return search_->advance(move);
    }
    void begin(std::int64_t playouts, double seconds, bool only_move_ends) {
        finish();
        cpu_seconds_ = 0;
        search_->begin({.playouts = playouts, .seconds = seconds, .only_move_ends = only_move_ends});
    }
    /// Returns when the step is over; or, if there is patience and a move to tell, so many seconds after `expected`,
    /// when the step should be over. It then goes on, and the next call waits for it.
    void step(double seconds, double expected, double patience) {
        finish();
        auto stop = [this] { search_->stop(); };
        auto task = [=, this] {
            const double before = thread_seconds();
            search_->step(seconds);
            cpu_seconds_ = cpu_seconds_ + (thread_seconds() - before);  // nobody else writes it meanwhile
        };
        running_ = start(task, stop);
        const bool waits = patience <= 0 || expected <= 0;
        const double longest = waits ? std::numeric_limits<double>::infinity() : expected + patience;
        const bool in_time = wait_interruptibly(running_, stop, longest);
        if (in_time || search_->best_move() == kNoCell) finish();
    }

    /// CPU time of the thread that leads the search, over all its steps that are over.
    double cpu_seconds() const { return cpu_seconds_; }

private:
    std::unique_ptr<Explorer> explorer_of(const Game& position) const {
        return make_explorer(position, evaluator_->clone(seed_), knowledge_);
    }

    /// Waits for the end of a step.
    void finish() {
        if (!running_.valid()) return;
        wait_interruptibly(running_, [&] { search_->stop(); });
        running_.get();
        evaluator_->check();
    }

    static std::unique_ptr<TreeSearch> make(std::unique_ptr<Explorer> explorer, const nb::object& params) {
        if (nb::cast<std::string>(params.attr("search")) == "mcts") {
            return make_search(std::move(explorer), search_params(params));
        }
        if (explorer->hash() == 0) throw std::invalid_argument("search=pvs plays Gomoku alone, and to win");
        return std::make_unique<Pvs>(std::move(explorer), search_params(params));
    }

    std::uint64_t seed_;
    std::unique_ptr<Evaluator> evaluator_;
    KnowledgeParams knowledge_;
    std::unique_ptr<TreeSearch> search_;
    std::atomic<double> cpu_seconds_ = 0;
    std::future<void> running_;
};

std::tuple<float, std::vector<Cell>, std::vector<float>> judge(const Evaluator& evaluator, const Game& board) {
    Expansion result;
    make_explorer(board, evaluator.clone(0), {.threats = false})->expand(nullptr, result);
    return {result.value,
            {result.moves.begin(), result.moves.begin() + result.count},
            {result.priors.begin(), result.priors.begin() + result.count}};
}

void bind_search(nb::module_& module) {
    nb::class_<Search>(module, "Mcts")
        .def(nb::new_([](const Game& position, const Evaluator& evaluator, const nb::object& params) {
                 return share_with_threads(new Search(position, evaluator, params));
             }),
             "board"_a, "evaluator"_a, "params"_a)
        .def("begin", &Search::begin, "playouts"_a, "seconds"_a, "only_move_ends"_a)
        .def("step", &Search::step, "seconds"_a, "expected"_a, "patience"_a)
        .def("stop", [](Search& self) { self.tree().stop(); })
        .def("set_root", &Search::set_root, "board"_a)
        .def("advance", &Search::advance, "move"_a)
        .def(
            "report",
            [](Search& self, int best_moves, int max_line) { return self.tree().report(best_moves, max_line); },
            "best_moves"_a, "max_line"_a = 20)
        .def("best_move", [](Search& self) { return self.tree().best_move(); })
        .def_prop_ro("cpu_seconds", &Search::cpu_seconds);
}

}  // namespace

void bind_mcts(nb::module_& module) {
    nb::enum_<Proof>(module, "Proof")
        .value("none", Proof::kNone)
        .value("win", Proof::kWin)
        .value("loss", Proof::kLoss)
        .value("draw", Proof::kDraw);
    nb::enum_<SearchEnd>(module, "SearchEnd")
        .value("running", SearchEnd::kRunning)
        .value("solved", SearchEnd::kSolved)
        .value("only_move", SearchEnd::kOnlyMove)
        .value("playouts", SearchEnd::kPlayouts)
        .value("time", SearchEnd::kTime)
        .value("memory", SearchEnd::kMemory)
        .value("stopped", SearchEnd::kStopped);

    nb::class_<Evaluator>(module, "Evaluator")
        .def("judge", &judge, "board"_a, nb::call_guard<WithoutGil>(),
             "What it thinks without any search: the value for the mover, the moves and their priors.")
        .def("check", &Evaluator::check, "Raises what an evaluation has raised since, if one did.");
    nb::class_<UniformEvaluator, Evaluator>(module, "UniformEvaluator").def(nb::init<>());
    nb::class_<RolloutEvaluator, Evaluator>(module, "RolloutEvaluator").def(nb::init<std::uint64_t>(), "seed"_a);

    nb::class_<ReluctantEvaluator, Evaluator>(module, "ReluctantEvaluator").def(nb::init<std::uint64_t>(), "seed"_a);

    nb::class_<ExpertEvaluator, Evaluator>(module, "ExpertEvaluator").def(nb::init<>());

    nb::class_<NetworkEvaluator, Evaluator>(module, "NetworkEvaluator")
        .def(nb::init<std::shared_ptr<const LineNetwork>>(), "network"_a);

    nb::class_<BatchQueue>(module, "BatchQueue", "Evaluates positions of many search threads in batches.")
        .def(nb::new_([](nb::callable evaluate, int planes, int height, int width, int moves, int max_batch,
                         double patience) {
                 const BatchQueue::Shape shape{planes, height, width, moves};
                 return share_with_threads(
                     new BatchQueue(shape, max_batch, batch_function(evaluate, shape), BatchQueue::Seconds(patience)));
             }),
             "evaluate"_a, "planes"_a, "height"_a, "width"_a, "moves"_a, "max_batch"_a, "patience"_a = 0.002,
             "`patience`: seconds that a batch waits at most for threads that are asking too.")
        .def_prop_ro("batches", &BatchQueue::batches)
        .def_prop_ro("positions", &BatchQueue::positions)
        .def_prop_ro("timeouts", &BatchQueue::timeouts);
    nb::class_<BatchedEvaluator, Evaluator>(module, "BatchedEvaluator")
        .def(nb::init<std::shared_ptr<BatchQueue>, PlaneSpec, bool, std::uint64_t>(), "queue"_a, "spec"_a,
             "random_symmetry"_a, "seed"_a);

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
        .def_ro("ended", &SearchReport::ended)
        .def_ro("moves", &SearchReport::moves);

    bind_search(module);
}

}  // namespace tengen
