// The threads of self-play, and of searches behind the batch queue, under the thread sanitizer (`make tsan`): games,
// new networks and parameters, pauses, failures and stops in between. Ends with "ok"; any race makes the sanitizer fail
// the run.

#include <cstdio>
#include <cstdlib>
#include <new>
#include <thread>

#include "eval/batched_evaluator.h"
#include "mcts/make_explorer.h"
#include "mcts/parallelism.h"
#include "selfplay/pool.h"

using namespace tengen;

namespace {

constexpr int kSide = 7;

void check(bool condition, const char* what) {
    if (condition) return;
    std::fprintf(stderr, "failed: %s\n", what);
    std::exit(1);
}

std::shared_ptr<BatchQueue> new_queue(BatchQueue::Evaluate evaluate, double patience = 0.002) {
    const BatchQueue::Shape shape{PlaneSpec{}.planes(), kSide, kSide, kSide * kSide};
    return std::make_shared<BatchQueue>(shape, 4, std::move(evaluate), BatchQueue::Seconds(patience));
}

void no_opinion(int, const float*, float*, float*) {}

SelfPlayParams small_games() {
    SelfPlayParams params;
    params.kinds = {{.rules = {}, .width = kSide, .height = kSide}};
    params.full_playouts = 20;
    params.fast_playouts = 5;
    params.opening_tries = 2;
    return params;
}

SearchParams small_trees() {
    SearchParams params;
    params.memory = 1 << 20;
    return params;
}

void play_with_a_queue() {
    const auto queue = new_queue(no_opinion);
    const auto evaluator = std::make_shared<BatchedEvaluator>(queue, PlaneSpec{}, true, 1);
    SelfPlayPool pool(evaluator, small_games(), small_trees(), {}, 8, 1);
    std::string games;
    for (int i = 0; i < 20 || pool.counts().games < 10; ++i) {
        games += pool.take_games(0.05);
        pool.set_evaluator(std::make_shared<BatchedEvaluator>(queue, PlaneSpec{}, false, i));
        pool.set_params(small_games());
        pool.set_paused(i % 5 == 3);
        pool.games_under_way();
        evaluator->clone(i)->check();
    }
    pool.stop();
    check(!(games + pool.take_games(0)).empty(), "games were played");
    check(queue->positions() >= queue->batches(), "no batch is empty");
}

/// The queue waits for those who ask, and for nobody else.
void ask_in_turns() {
    const auto queue = new_queue(no_opinion, 60);
    std::vector<std::jthread> askers;
    for (int i = 0; i < 3; ++i) {
        askers.emplace_back([&, i] {
            std::vector<float> planes(queue->shape().inputs()), logits(kSide * kSide);
            float value;
            for (int round = 0; round < 20; ++round) {
                queue->set_asking(true);
                for (int k = 0; k <= i; ++k) queue->evaluate(planes.data(), logits.data(), &value);
                queue->set_asking(false);
            }
        });
    }
    askers.clear();
    check(queue->positions() == 20 * (1 + 2 + 3), "every position is evaluated");
    check(queue->timeouts() == 0, "no batch waits for threads that do not ask");
}

/// A search of every kind behind a queue: when it has ended nobody asks, and while it runs no batch waits for its time.
void search_with_a_queue() {
    const auto queue = new_queue(no_opinion, 60);
    Board board(kSide, kSide, Rules{});
    board.play(24);
    for (const Parallelism parallelism : {Parallelism::kTree, Parallelism::kRoot, Parallelism::kLeaf}) {
        SearchParams params = small_trees();
        params.parallelism = parallelism;
        params.threads = 3;
        auto evaluator = std::make_unique<BatchedEvaluator>(queue, PlaneSpec{}, true, 1);
        const auto search = make_search(make_explorer(board, std::move(evaluator), {}), params);
        search->search({.playouts = 200});
        search->advance(search->best_move());
        search->search({.playouts = 200});
    }
    check(queue->timeouts() == 0, "no batch waits for threads of a search that do not ask");
}

struct FailingEvaluator final : Evaluator {
    float evaluate(Game&, std::span<const Cell>, std::span<float>) override { throw std::bad_alloc(); }
    std::unique_ptr<Evaluator> clone(std::uint64_t) const override { return std::make_unique<FailingEvaluator>(); }
};

/// A thread that fails ends neither the process nor the others: who takes the games is told.
void fail() {
    SelfPlayPool pool(std::make_shared<FailingEvaluator>(), small_games(), small_trees(), {}, 3, 1);
    bool told = false;
    try {
        pool.take_games(60);
    } catch (const std::bad_alloc&) {
        told = true;
    }
    check(told, "a failure reaches who takes the games");

    const auto queue = new_queue([](int, const float*, float*, float*) { throw std::runtime_error("out of order"); });
    std::vector<float> planes(queue->shape().inputs()), logits(kSide * kSide);
    float value = 1;
    queue->evaluate(planes.data(), logits.data(), &value);
    check(value == 0, "zeros after a failure");
    int failures = 0;
    for (int i = 0; i < 2; ++i) {
        try {
            queue->check();
        } catch (const std::runtime_error&) {
            ++failures;
        }
    }
    check(failures == 1, "a failure is reported once");
}

}  // namespace

int main() {
    play_with_a_queue();
    ask_in_turns();
    search_with_a_queue();
    fail();
    std::puts("ok");
}
