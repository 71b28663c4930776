#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace tengen {

/// Threads that wait for work. `run(task)` calls task(0) here and task(1) ... task(size - 1) on the others, returns
/// when all are done, and throws what the first of them threw. Waiting threads look out for a moment before they sleep:
/// to wake up takes longer than many a task.
class ThreadPool {
public:
    explicit ThreadPool(int size);
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    void run(const std::function<void(int)>& task);

private:
    void serve(const std::stop_token& closing, int index);
    void call(const std::function<void(int)>& task, int index);

    std::mutex mutex_;
    std::condition_variable_any work_, done_;
    const std::function<void(int)>* task_ = nullptr;
    std::exception_ptr error_;  ///< the first of a round
    std::atomic<long> round_{0};
    std::atomic<int> busy_{0};
    std::vector<std::jthread> threads_;  ///< last, so that they end first: also when not all of them could be started
};

}  // namespace tengen
