#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <list>
#include <memory>

namespace tengen {

/// Work in the core that the end of Python has to wait for.
///
/// When Python ends, threads may still be here: daemon threads that search, the queue's thread, self-play. A thread
/// that then asks for the GIL is ended by Python where it stands (before 3.14), which C++ does not survive. So all that
/// works without the GIL is kept in a list. Before Python begins to end, `leave` stops it and waits until it has ended;
/// whoever would go back to Python after that sleeps until the process is gone.
class UnderWay {
public:
    /// How `stop` ends it.
    enum Stop { kSoon, kBeforeItReturns };

    /// `stop` is called from another thread, or at once if Python is leaving already.
    explicit UnderWay(std::function<void()> stop = {}, Stop how = kSoon);
    ~UnderWay();
    UnderWay(const UnderWay&) = delete;
    UnderWay& operator=(const UnderWay&) = delete;

    struct Entry;

private:
    std::list<std::shared_ptr<Entry>>::iterator place_;
};

/// Lets go of the GIL while it lasts.
class WithoutGil {
public:
    WithoutGil() : state_(PyEval_SaveThread()) {}
    ~WithoutGil();

private:
    UnderWay under_way_;  ///< first: until the GIL is held again
    PyThreadState* state_;
};

/// How many forks lie between this process and the first one.
int forks();

/// Shares an object with threads, or that they work on. In a forked child it is never deleted: its threads are not
/// there, and it would wait for them for ever. It is deleted without the GIL, which its threads may need to end.
template <class Object>
std::shared_ptr<Object> share_with_threads(Object* object) {
    return std::shared_ptr<Object>(object, [home = forks()](Object* held) {
        if (forks() != home) return;
        WithoutGil release;
        delete held;
    });
}

}  // namespace tengen
