#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tengen {

/// Threads that wait for work. `run(task)` calls task(0) here and task(1) ... task(size - 1) on the others, returns
/// when all are done, and throws what the first of them threw. Waiting threads look out for a moment before they sleep:
/// to wake up takes longer than many a task.
class ThreadPool {
public:
    explicit ThreadPool(int size);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    void run(const std::function<void(int)>& task);

private:
    void serve(int index);
    void call(const std::function<void(int)>& task, int index);
    void close();

    std::mutex mutex_;
    std::condition_variable work_, done_;
    const std::function<void(int)>* task_ = nullptr;
    std::exception_ptr error_;  ///< the first of a round
    std::atomic<long> round_{0};
    std::atomic<int> busy_{0};
    std::atomic<bool> closing_{false};
    // Not std::jthread: the standard libraries of macOS and of WebAssembly compilers do not have it yet.
    std::vector<std::thread> threads_;
};

}  // namespace tengen
