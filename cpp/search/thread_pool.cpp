#include "search/thread_pool.h"

namespace tengen {

ThreadPool::ThreadPool(int size) {
    for (int index = 1; index < size; ++index) threads_.emplace_back([this, index] { serve(index); });
}

ThreadPool::~ThreadPool() {
    {
        std::lock_guard lock(mutex_);
        closing_ = true;
    }
    work_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::run(const std::function<void(int)>& task) {
    {
        std::lock_guard lock(mutex_);
        task_ = &task;
        busy_ = static_cast<int>(threads_.size());
        ++round_;
    }
    work_.notify_all();
    task(0);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return busy_ == 0; });
}

void ThreadPool::serve(int index) {
    long seen = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
        work_.wait(lock, [&] { return closing_ || round_ != seen; });
        if (closing_) return;
        seen = round_;
        const auto* task = task_;
        lock.unlock();
        (*task)(index);
        lock.lock();
        if (--busy_ == 0) done_.notify_one();
    }
}

}  // namespace tengen
