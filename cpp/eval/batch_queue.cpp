#include "eval/batch_queue.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <exception>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

namespace tengen {
namespace {

bool all_finite(std::span<const float> numbers) {
    return std::ranges::all_of(numbers, [](float number) { return std::isfinite(number); });
}

}  // namespace

BatchQueue::BatchQueue(Shape shape, int max_batch, Evaluate evaluate, Seconds patience)
    : shape_(shape), max_batch_(max_batch), evaluate_(std::move(evaluate)), patience_(patience) {
    if (shape.planes < 1 || shape.height < 1 || shape.width < 1 || shape.moves < 1) {
        throw std::invalid_argument("a network needs at least one plane, one point and one move");
    }
    if (max_batch < 1) throw std::invalid_argument("a batch must have room for one position");
    server_ = std::thread([this] { serve(); });
}

BatchQueue::~BatchQueue() {
    {
        std::lock_guard lock(mutex_);
        closing_ = true;
    }
    arrived_.notify_all();
    server_.join();
}

void BatchQueue::check() {
    std::lock_guard lock(mutex_);
    if (!error_.empty()) throw std::runtime_error(std::exchange(error_, {}));
}

void BatchQueue::set_asking(bool asking) {
    std::lock_guard lock(mutex_);
    asking_ += asking ? 1 : -1;
    assert(asking_ >= 0);
    if (!waiting_.empty() && is_complete()) arrived_.notify_one();
}

/// With the mutex held: can nobody add to the batch?
bool BatchQueue::is_complete() const {
    return static_cast<int>(waiting_.size()) >= std::clamp(asking_, 1, max_batch_);
}

void BatchQueue::evaluate(const float* planes, float* logits, float* value) {
    std::future<void> done;
    {
        std::lock_guard lock(mutex_);
        waiting_.push_back({planes, logits, value, {}});
        done = waiting_.back().done.get_future();
        // The server wants to know of the first, to be patient from then on, and of the last.
        if (waiting_.size() == 1 || is_complete()) arrived_.notify_one();
    }
    done.wait();
}

void BatchQueue::serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
        arrived_.wait(lock, [&] { return closing_ || !waiting_.empty(); });
        if (waiting_.empty()) return;
        if (!arrived_.wait_for(lock, patience_, [&] { return is_complete(); })) ++timeouts_;
        const auto count = static_cast<std::ptrdiff_t>(std::min(waiting_.size(), static_cast<std::size_t>(max_batch_)));
        std::vector<Request> batch(std::make_move_iterator(waiting_.begin()),
                                   std::make_move_iterator(waiting_.begin() + count));
        waiting_.erase(waiting_.begin(), waiting_.begin() + count);
        lock.unlock();
        run(batch);
        lock.lock();
    }
}

void BatchQueue::run(std::span<Request> batch) {
    const std::size_t inputs = shape_.inputs(), moves = static_cast<std::size_t>(shape_.moves);
    planes_.resize(batch.size() * inputs);
    logits_.assign(batch.size() * moves, 0);
    values_.assign(batch.size(), 0);
    for (std::size_t i = 0; i < batch.size(); ++i) std::copy_n(batch[i].planes, inputs, &planes_[i * inputs]);
    try {
        evaluate_(static_cast<int>(batch.size()), planes_.data(), logits_.data(), values_.data());
        if (!all_finite(logits_) || !all_finite(values_)) {
            throw std::runtime_error("the network's answer is not made of finite numbers: it may have diverged");
        }
    } catch (const std::exception& failure) {
        // Before the lock: to describe an exception of Python's takes the GIL, whose holder may wait for the lock.
        const std::string message = failure.what();
        std::ranges::fill(logits_, 0.0f);
        std::ranges::fill(values_, 0.0f);
        std::lock_guard lock(mutex_);
        if (error_.empty()) error_ = message;
    }
    batches_ += 1;
    positions_ += static_cast<std::int64_t>(batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
        std::copy_n(&logits_[i * moves], moves, batch[i].logits);
        *batch[i].value = values_[i];
        batch[i].done.set_value();
    }
}

}  // namespace tengen
