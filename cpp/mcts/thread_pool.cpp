#include "mcts/thread_pool.h"

namespace tengen {
namespace {

/// Looks for `ready` for some microseconds. True as soon as it is. (No pause instruction between the looks: a virtual
/// machine takes many of them as a sign that its processor may be given away.)
template <class Ready>
bool look_out(Ready&& ready) {
    for (int i = 0; i < 20000; ++i) {
        if (ready()) return true;
    }
    return false;
}

}  // namespace

ThreadPool::ThreadPool(int size) {
    try {
        for (int index = 1; index < size; ++index) threads_.emplace_back([this, index] { serve(index); });
    } catch (...) {  // the system has no more threads
        close();
        throw;
    }
}

ThreadPool::~ThreadPool() {
    close();
}

void ThreadPool::close() {
    {
        std::lock_guard lock(mutex_);
        closing_ = true;
    }
    work_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::run(const std::function<void(int)>& task) {
    if (threads_.empty()) return task(0);
    {
        std::lock_guard lock(mutex_);
        task_ = &task;
        error_ = nullptr;
        busy_ = static_cast<int>(threads_.size());
        ++round_;
    }
    work_.notify_all();
    call(task, 0);
    auto finished = [&] { return busy_.load(std::memory_order_acquire) == 0; };
    const bool seen = look_out(finished);
    std::unique_lock lock(mutex_);
    if (!seen) done_.wait(lock, finished);
    if (error_) std::rethrow_exception(error_);
}

void ThreadPool::serve(int index) {
    long seen = 0;
    auto called = [&] { return round_.load(std::memory_order_acquire) != seen || closing_; };
    for (;;) {
        if (!look_out(called)) {
            std::unique_lock lock(mutex_);
            work_.wait(lock, called);
        }
        if (closing_) return;
        seen = round_;
        call(*task_, index);
        if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            std::lock_guard lock(mutex_);  // so that the wake-up cannot fall between the test and the sleep of `run`
            done_.notify_one();
        }
    }
}

void ThreadPool::call(const std::function<void(int)>& task, int index) {
    try {
        task(index);
    } catch (...) {
        std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
    }
}

}  // namespace tengen
