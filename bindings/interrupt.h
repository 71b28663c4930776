#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <future>

namespace tengen {

/// Runs `task` without holding the GIL, and lets Ctrl-C through: the signal calls `stop`, and is raised in Python when
/// the task has ended. Only Python's main thread handles signals, so elsewhere this just waits.
template <class Task, class Stop>
void run_interruptibly(Task&& task, Stop&& stop) {
    bool interrupted = false;
    {
        nanobind::gil_scoped_release release;
        std::future<void> done = std::async(std::launch::async, task);
        while (done.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
            nanobind::gil_scoped_acquire acquire;
            if (PyErr_CheckSignals() != 0) {
                interrupted = true;
                stop();
                break;
            }
        }
        done.get();
    }
    if (interrupted) throw nanobind::python_error();
}

}  // namespace tengen
