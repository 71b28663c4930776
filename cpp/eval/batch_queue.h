#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace tengen {

/// Gathers positions from many search threads and evaluates them together: a convolutional network is many times faster
/// on a batch. The function that evaluates is called from one thread of the queue's own, one batch at a time.
///
/// A batch goes as soon as nobody could add to it: when it is full, or when every thread that is asking waits for it.
/// So a search with one thread never waits for others, and many threads never send a few positions by accident. A
/// thread that is busy with something long (a solver, a game's end) holds the others up for `patience` at most.
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

    using Seconds = std::chrono::duration<double>;

    BatchQueue(Shape shape, int max_batch, Evaluate evaluate, Seconds patience = kPatience);
    ~BatchQueue();

    const Shape& shape() const { return shape_; }

    /// Evaluates one position; blocks until its batch is done. Zeros after an error.
    void evaluate(const float* planes, float* logits, float* value);

    /// A thread begins to ask for one position after the other, or ceases to: the queue waits for those who do. Who
    /// asks without having said so is served with the others.
    void set_asking(bool asking);

    /// Throws what evaluations threw since the last call, as std::runtime_error, if one did.
    void check();
    std::int64_t batches() const { return batches_; }
    std::int64_t positions() const { return positions_; }
    /// Batches that went because `patience` was over.
    std::int64_t timeouts() const { return timeouts_; }

private:
    /// Less than any network needs for a position.
    static constexpr Seconds kPatience{0.002};

    struct Request {
        const float* planes;
        float* logits;
        float* value;
        std::promise<void> done;  ///< and not a flag on the asker's stack, which may be gone when it is told
    };

    void serve();
    bool is_complete() const;
    void run(std::span<Request> batch);

    const Shape shape_;
    const int max_batch_;
    const Evaluate evaluate_;
    const Seconds patience_;
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::vector<Request> waiting_;
    int asking_ = 0;
    std::string error_;
    bool closing_ = false;
    std::atomic<std::int64_t> batches_{0}, positions_{0}, timeouts_{0};
    std::vector<float> planes_, logits_, values_;
    std::thread server_;
};

}  // namespace tengen
