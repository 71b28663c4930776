#include "pvs/stepped_work.h"

#include <exception>

#include "mcts/clock.h"

namespace tengen {

SteppedWork::~SteppedWork() {
    if (thread_.joinable()) thread_.join();
}

void SteppedWork::set(std::function<void()> work) {
    work_ = std::move(work);
    ended_ = false;
    error_ = nullptr;
}

bool SteppedWork::go_on(double until) {
    if (ended_) return true;
    if (until == kNever && !thread_.joinable()) {  // in one go: nobody has to wait for a thread
        until_ = until;
        ended_ = true;
        work_();
        return true;
    }
    std::unique_lock lock(mutex_);
    working_ = true;
    until_ = until;
    if (thread_.joinable()) {
        turn_.notify_all();
    } else {
        thread_ = std::thread([this] {
            try {
                work_();
            } catch (...) {
                error_ = std::current_exception();
            }
            const std::lock_guard end(mutex_);
            ended_ = true;
            working_ = false;
            turn_.notify_all();
        });
    }
    turn_.wait(lock, [&] { return !working_; });
    if (!ended_) return false;
    lock.unlock();
    thread_.join();
    if (error_) std::rethrow_exception(error_);
    return true;
}

void SteppedWork::rest_if_due() {
    if (until_ == kNever || now() < until_) return;
    std::unique_lock lock(mutex_);
    working_ = false;
    turn_.notify_all();
    turn_.wait(lock, [&] { return working_; });
}

}  // namespace tengen
