#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>

#include "protocol/engine.h"
#include "protocol/thinker.h"

namespace tengen {

/// Where lines come from and go to.
struct Streams {
    /// Waits for input and returns some of it; nothing at its end.
    std::function<std::string()> read;
    /// False if nobody listens any more.
    std::function<bool(std::string_view)> write;

    /// Two file descriptors.
    static Streams of(int source, int target);
};

/// An engine on its streams. Key method: `run`.
///
/// One thread reads and lets the engine act on every line as it comes; the one that called `run` thinks. So END, YXSTOP
/// and INFO are heard while a search runs. Both share the engine under one lock, which is never held during a search.
class Host {
public:
    Host(Engine& engine, Thinker& thinker, Streams streams)
        : engine_(engine), thinker_(thinker), streams_(std::move(streams)) {}

    /// Serves until END, or until the input has ended and everything is answered. True if the thread that reads has
    /// ended too. It has not if the manager left without closing the input: then the process must leave by std::_Exit.
    /// It does so by itself if after END a search does not end in time.
    bool run();

private:
    /// One stretch of thinking.
    struct Task {
        std::atomic<bool> stop = false;
        bool done = false;
    };
    using Lock = std::unique_lock<std::mutex>;

    bool step();
    void answer(const Question& question, const std::shared_ptr<Task>& task);
    void end_task(Task& task);
    bool has_work() const;
    void tell(const std::string& text);

    void read();
    void receive(std::string_view line, double arrived);
    void halt(Lock& lock, const std::shared_ptr<Task>& task, bool is_last);
    bool write(const Lines& lines);

    Engine& engine_;
    Thinker& thinker_;
    Streams streams_;
    std::mutex mutex_;
    std::condition_variable changed_, done_;
    bool ended_ = false;          ///< nothing more to read
    bool left_ = false;           ///< the manager does not listen any more
    bool gone_ = false;           ///< `run` is about to return
    bool has_read_ = false;       ///< the thread that reads is about to end
    std::shared_ptr<Task> task_;  ///< the last one
};

}  // namespace tengen
