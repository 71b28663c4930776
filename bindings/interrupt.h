#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <limits>

#include "leaving.h"

namespace tengen {

/// Ends a search from another thread.
struct StopFlag {
    std::atomic<bool> value = false;
};

/// Waits for a task without holding the GIL, and lets Ctrl-C through: the signal calls `stop`, and is raised in Python
/// when the task has ended. Only Python's main thread handles signals, so elsewhere this just waits. Returns false if
/// the task has not ended after some seconds.
template <class Result, class Stop>
bool wait_interruptibly(const std::future<Result>& running, Stop&& stop,
                        double seconds = std::numeric_limits<double>::infinity()) {
    using Clock = std::chrono::steady_clock;
    constexpr double kLookSeconds = 0.05;
    const auto started = Clock::now();
    bool interrupted = false;
    {
        WithoutGil release;
        for (;;) {
            const double left = seconds - std::chrono::duration<double>(Clock::now() - started).count();
            const double pause = interrupted ? kLookSeconds : std::clamp(left, 0.0, kLookSeconds);
            if (running.wait_for(std::chrono::duration<double>(pause)) == std::future_status::ready) break;
            if (interrupted) continue;
            if (left <= pause) return false;
            nanobind::gil_scoped_acquire acquire;
            if (PyErr_CheckSignals() == 0) continue;
            interrupted = true;
            stop();
        }
    }
    if (interrupted) nanobind::raise_python_error();
    return true;
}

/// Starts a task in a thread of its own. The end of Python stops it.
template <class Task, class Stop>
auto start(Task task, Stop stop) {
    return std::async(std::launch::async, [task, stop] {
        const UnderWay under_way(stop);
        return task();
    });
}

/// Runs a task to its end in the same manner. Returns what it does.
template <class Task, class Stop>
auto run_interruptibly(Task task, Stop stop) {
    auto running = start(task, stop);
    wait_interruptibly(running, stop);
    return running.get();
}

}  // namespace tengen
