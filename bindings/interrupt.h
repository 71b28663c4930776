#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <future>

namespace tengen {

/// Ends a search from another thread.
struct StopFlag {
    std::atomic<bool> value = false;
};

/// Runs `task` without holding the GIL, and lets Ctrl-C through: the signal calls `stop`, and is raised in Python when
/// the task has ended. Only Python's main thread handles signals, so elsewhere this just waits. Returns what `task`
/// does.
template <class Task, class Stop>
auto run_interruptibly(Task&& task, Stop&& stop) {
    std::future<std::invoke_result_t<Task>> running;
    bool interrupted = false;
    {
        nanobind::gil_scoped_release release;
        running = std::async(std::launch::async, std::forward<Task>(task));
        while (running.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
            nanobind::gil_scoped_acquire acquire;
            if (interrupted || PyErr_CheckSignals() == 0) continue;
            interrupted = true;
            stop();
        }
    }
    if (interrupted) nanobind::raise_python_error();
    return running.get();
}

}  // namespace tengen
