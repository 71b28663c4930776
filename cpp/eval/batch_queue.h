#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "eval/evaluator.h"
#include "game/random.h"
#include "nn/planes.h"

namespace tengen {

/// Gathers positions from many search threads and evaluates them together: a convolutional network is many times faster
/// on a batch. The function that evaluates is called from one thread of the queue's own, one batch at a time.
class BatchQueue {
public:
    /// planes [count, planes, height, width] -> logits [count, moves], values [count]. May throw.
    using Evaluate = std::function<void(int count, const float* planes, float* logits, float* values)>;

    /// The numbers of one position.
    struct Shape {
        int planes = 0, height = 0, width = 0;
        int moves = 0;  ///< of the game: as many logits

        std::size_t inputs() const { return static_cast<std::size_t>(planes) * height * width; }
    };

    BatchQueue(Shape shape, int max_batch, Evaluate evaluate);
    ~BatchQueue();

    const Shape& shape() const { return shape_; }

    /// Evaluates one position; blocks until its batch is done. Zeros after an error.
    void evaluate(const float* planes, float* logits, float* value);

    /// A thread that may ask: the queue does not wait for a fuller batch than there are such threads.
    void add_client() { ++clients_; }
    void remove_client() { --clients_; }

    /// Throws what the evaluation threw, as std::runtime_error, if it did.
    void check() const;
    std::int64_t batches() const { return batches_; }
    std::int64_t positions() const { return positions_; }

private:
    struct Request {
        const float* planes;
        float* logits;
        float* value;
        std::atomic<bool> done{false};
    };

    void serve();
    void run(const std::vector<Request*>& batch);

    const Shape shape_;
    const int max_batch_;
    const Evaluate evaluate_;
    mutable std::mutex mutex_;
    std::condition_variable arrived_;
    std::vector<Request*> waiting_;
    std::string error_;
    bool closing_ = false;
    std::atomic<int> clients_{0};
    std::atomic<std::int64_t> batches_{0}, positions_{0};
    std::vector<float> planes_, logits_, values_;
    std::thread server_;
};

/// A network behind a BatchQueue as an evaluator. With `random_symmetry` each position is shown in one of the
/// symmetries that keep the board's shape, drawn anew for each call (S3).
class BatchedEvaluator final : public Evaluator {
public:
    BatchedEvaluator(std::shared_ptr<BatchQueue> queue, PlaneSpec spec, bool random_symmetry, std::uint64_t seed);
    ~BatchedEvaluator() override;

    float evaluate(Board& board, std::span<const Cell> moves, std::span<float> logits) override;
    std::unique_ptr<Evaluator> clone(std::uint64_t seed) const override;
    void check() const override { queue_->check(); }
    std::string objection(int width, int height, Rules rules) const override;

private:
    std::shared_ptr<BatchQueue> queue_;
    PlaneSpec spec_;
    bool random_symmetry_;
    Random random_;
    std::vector<float> planes_, logits_;
};

}  // namespace tengen
