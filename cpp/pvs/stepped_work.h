#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace tengen {

/// Work that stands still between the steps of whoever wants it done, in a thread of its own unless one step is enough:
/// a recursion cannot be left in the middle and entered again.
class SteppedWork {
public:
    SteppedWork() = default;
    SteppedWork(const SteppedWork&) = delete;
    SteppedWork& operator=(const SteppedWork&) = delete;
    /// The work must have ended, or never have begun.
    ~SteppedWork();

    /// New work, which the next step begins with.
    void set(std::function<void()> work);
    /// Lets the work go on until the moment given (see clock.h), and returns when it stands still. True if it has
    /// ended; what it threw is thrown here.
    bool go_on(double until);
    /// Is there work that has begun and not ended?
    bool is_under_way() const { return thread_.joinable(); }

    /// For the work, from time to time: returns when it may go on. Looks at the clock.
    void rest_if_due();

private:
    std::function<void()> work_;
    std::thread thread_;
    std::mutex mutex_;
    std::condition_variable turn_;
    bool working_ = false;
    bool ended_ = true;
    double until_ = 0;
    std::exception_ptr error_;
};

}  // namespace tengen
