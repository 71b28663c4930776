#include "eval/batch_queue.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>

namespace tengen {
namespace {

/// How long a batch waits for more positions after its first. Less than any network needs for one.
constexpr std::chrono::milliseconds kPatience{2};

bool all_finite(std::span<const float> numbers) {
    return std::ranges::all_of(numbers, [](float number) { return std::isfinite(number); });
}

}  // namespace

BatchQueue::BatchQueue(Shape shape, int max_batch, Evaluate evaluate)
    : shape_(shape), max_batch_(max_batch), evaluate_(std::move(evaluate)) {
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

void BatchQueue::check() const {
    std::lock_guard lock(mutex_);
    if (!error_.empty()) throw std::runtime_error(error_);
}

void BatchQueue::evaluate(const float* planes, float* logits, float* value) {
    Request request{planes, logits, value};
    {
        std::lock_guard lock(mutex_);
        waiting_.push_back(&request);
    }
    arrived_.notify_one();
    request.done.wait(false, std::memory_order_acquire);
}

void BatchQueue::serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
        arrived_.wait(lock, [&] { return closing_ || !waiting_.empty(); });
        if (waiting_.empty()) return;
        const auto is_full = [&] {
            const int expected = std::clamp(clients_.load(std::memory_order_relaxed), 1, max_batch_);
            return static_cast<int>(waiting_.size()) >= expected;
        };
        arrived_.wait_for(lock, kPatience, is_full);
        const std::size_t count = std::min(waiting_.size(), static_cast<std::size_t>(max_batch_));
        const std::vector<Request*> batch(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
        waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
        lock.unlock();
        run(batch);
        lock.lock();
    }
}

void BatchQueue::run(const std::vector<Request*>& batch) {
    const std::size_t inputs = shape_.inputs(), moves = static_cast<std::size_t>(shape_.moves);
    planes_.resize(batch.size() * inputs);
    logits_.assign(batch.size() * moves, 0);
    values_.assign(batch.size(), 0);
    for (std::size_t i = 0; i < batch.size(); ++i) std::copy_n(batch[i]->planes, inputs, &planes_[i * inputs]);
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
        std::copy_n(&logits_[i * moves], moves, batch[i]->logits);
        *batch[i]->value = values_[i];
        batch[i]->done.store(true, std::memory_order_release);
        batch[i]->done.notify_one();
    }
}

BatchedEvaluator::BatchedEvaluator(std::shared_ptr<BatchQueue> queue, PlaneSpec spec, bool random_symmetry,
                                   std::uint64_t seed)
    : queue_(std::move(queue)), spec_(spec), random_symmetry_(random_symmetry), random_(seed) {
    const BatchQueue::Shape& shape = queue_->shape();
    if (shape.planes != spec.planes() || shape.moves != shape.width * shape.height) {
        throw std::invalid_argument("the queue's positions do not have the shape of these planes");
    }
    planes_.resize(shape.inputs());
    logits_.resize(static_cast<std::size_t>(shape.moves));
    queue_->add_client();
}

BatchedEvaluator::~BatchedEvaluator() {
    queue_->remove_client();
}

float BatchedEvaluator::evaluate(Board& board, std::span<const Cell> moves, std::span<float> logits) {
    const bool square = board.width() == board.height();
    const int symmetry = random_symmetry_ ? static_cast<int>(random_.below(square ? kSymmetries : 4)) : 0;
    encode_planes(board, spec_, planes_.data(), symmetry);
    float value = 0;
    queue_->evaluate(planes_.data(), logits_.data(), &value);
    for (std::size_t i = 0; i < moves.size(); ++i) logits[i] = logits_[board.geometry().transform(moves[i], symmetry)];
    return value;
}

std::string BatchedEvaluator::objection(int width, int height, Rules) const {
    const BatchQueue::Shape& shape = queue_->shape();
    if (width == shape.width && height == shape.height) return {};
    return "the network was made for boards of " + std::to_string(shape.width) + "x" + std::to_string(shape.height) +
           ", not " + std::to_string(width) + "x" + std::to_string(height);
}

std::unique_ptr<Evaluator> BatchedEvaluator::clone(std::uint64_t seed) const {
    return std::make_unique<BatchedEvaluator>(queue_, spec_, random_symmetry_, seed);
}

}  // namespace tengen
