#include "leaving.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>

#include "bindings.h"

namespace nb = nanobind;

namespace tengen {

struct UnderWay::Entry {
    Entry(std::function<void()> stop, Stop how) : stop(std::move(stop)), how(how) {}

    void end() {
        std::lock_guard lock(mutex);
        if (stop) stop();
    }
    void forget() {
        std::lock_guard lock(mutex);
        stop = nullptr;
    }

    std::mutex mutex;  ///< held during `stop`: what it stops stays until then
    std::function<void()> stop;
    const Stop how;
};

namespace {

/// Patience with work that does not end: then Python leaves all the same.
constexpr std::chrono::seconds kLongestFarewell{10};

struct Registry {
    std::mutex mutex;
    std::condition_variable ended;
    std::list<std::shared_ptr<UnderWay::Entry>> entries;
    std::atomic<bool> leaving = false;
    std::thread::id leaver;  ///< who ends Python, and may go back to it
};

bool has_ended(const std::shared_ptr<UnderWay::Entry>& entry) {
    return entry->how == UnderWay::kBeforeItReturns;  // or it would not be in the list
}

/// Never destroyed: threads that sleep for good may still look at it.
Registry& registry() {
    static Registry* const instance = new Registry;
    return *instance;
}

std::atomic<int> fork_count = 0;

/// Stops everything under way and waits for its end. Called once, while Python still works.
void leave() {
    Registry& all = registry();
    nb::gil_scoped_release release;  // others need it to come to their end
    std::list<std::shared_ptr<UnderWay::Entry>> entries;
    {
        std::lock_guard lock(all.mutex);
        all.leaver = std::this_thread::get_id();
        all.leaving = true;
        entries = all.entries;
    }
    for (const auto& entry : entries) entry->end();
    entries.clear();
    std::unique_lock lock(all.mutex);
    all.ended.wait_for(lock, kLongestFarewell, [&] { return std::ranges::all_of(all.entries, has_ended); });
}

/// In a forked child: of all threads only the one that forked is there, and any lock may be held by one that is not.
void forget_threads() {
    ++fork_count;
    new (&registry()) Registry;
}

}  // namespace

int forks() {
    return fork_count;
}

UnderWay::UnderWay(std::function<void()> stop, Stop how) {
    Registry& all = registry();
    const auto entry = std::make_shared<Entry>(std::move(stop), how);
    {
        std::lock_guard lock(all.mutex);
        place_ = all.entries.insert(all.entries.end(), entry);
    }
    if (all.leaving) entry->end();
}

UnderWay::~UnderWay() {
    (*place_)->forget();
    Registry& all = registry();
    std::lock_guard lock(all.mutex);
    all.entries.erase(place_);
    all.ended.notify_all();
}

WithoutGil::~WithoutGil() {
    const Registry& all = registry();
    if (all.leaving && all.leaver != std::this_thread::get_id()) {
        under_way_.~UnderWay();
        for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
    }
    PyEval_RestoreThread(state_);
}

void bind_leaving(nb::module_& module) {
    module.def("leave", &leave, "Stops what other threads do in the core: to be called before Python ends.");
    module.def("forks", &forks, "How many forks lie between this process and the first one.");
    module.def("forget_threads", &forget_threads, "To be called in a forked child.");
}

}  // namespace tengen
