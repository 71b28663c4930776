#include "protocol/host.h"

#include <chrono>
#include <cstdlib>
#include <thread>

#include "protocol/text.h"

#if defined(_WIN32)
#include <io.h>
#else
#include <unistd.h>
#endif

namespace tengen {
namespace {

constexpr std::size_t kChunk = 1 << 16;
/// After END the process leaves within a second, whatever the main thread is doing: it has this time to end its search,
/// and then this time to end itself.
constexpr std::chrono::milliseconds kLeave(400);

}  // namespace

Streams Streams::of(int source, int target) {
    const auto read_some = [source] {
        std::string data(kChunk, '\0');
        const auto count = ::read(source, data.data(), kChunk);
        data.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
        return data;
    };
    const auto write_all = [target](std::string_view data) {
        while (!data.empty()) {
            const auto count = ::write(target, data.data(), static_cast<unsigned>(data.size()));
            if (count <= 0) return false;
            data.remove_prefix(static_cast<std::size_t>(count));
        }
        return true;
    };
    return {read_some, write_all};
}

bool Host::run() {
    std::thread reader([this] { read(); });
    while (step()) {
    }
    Lock lock(mutex_);
    gone_ = true;
    changed_.notify_all();
    const bool has_read = done_.wait_for(lock, kLeave, [this] { return has_read_; });
    lock.unlock();
    has_read ? reader.join() : reader.detach();
    return has_read;
}

/// Thinks about one question or position; false when there is nothing more to do.
bool Host::step() {
    Lock lock(mutex_);
    changed_.wait(lock, [this] { return has_work(); });
    const std::optional<Question> question = engine_.question();
    if (engine_.closed() || left_ || (!question && ended_)) return false;
    const std::optional<Board> ponder = engine_.ponder();
    std::optional<Question> preparation;
    if (!question && engine_.outdated()) preparation = engine_.preparation();
    const auto task = task_ = std::make_shared<Task>();
    if (engine_.hurry()) task->stop = true;
    lock.unlock();
    if (question) {
        answer(*question, task);
    } else if (preparation) {
        thinker_.anticipate(*preparation);
    } else if (ponder) {
        thinker_.ponder(*ponder, {task, &task->stop});
        lock.lock();
        // Solved, or out of memory: there is nothing more to find. If it was stopped, the position is another by now.
        if (!task->stop) engine_.end_pondering();
        lock.unlock();
    }
    end_task(*task);
    return true;
}

void Host::answer(const Question& question, const std::shared_ptr<Task>& task) {
    const Answer answer =
        thinker_.think(question, {task, &task->stop}, [this](const std::string& text) { tell(text); });
    end_task(*task);
    Lock lock(mutex_);
    if (!write(engine_.answer(answer))) left_ = true;
    const bool idle = !engine_.question() && !engine_.ponder();
    lock.unlock();
    if (!idle || question.kind != Question::Kind::kMove || !answer.error.empty()) return;
    Board after = question.board;
    after.play(answer.moves[0]);
    if (!is_over(after)) thinker_.settle(after);
}

void Host::end_task(Task& task) {
    std::lock_guard lock(mutex_);
    task.done = true;
    done_.notify_all();
}

bool Host::has_work() const {
    return engine_.question() || engine_.ponder() || engine_.outdated() || engine_.closed() || ended_ || left_;
}

/// Sends what the search has found so far.
void Host::tell(const std::string& text) {
    std::lock_guard lock(mutex_);
    if (!engine_.closed()) write({"MESSAGE " + text});
}

// -- the reading thread

void Host::read() {
    LineSplitter splitter;
    for (std::string data; !(data = streams_.read()).empty();) {
        const double arrived = engine_.now();
        for (const std::string& line : splitter.feed(data)) receive(line, arrived);
        std::lock_guard lock(mutex_);
        if (engine_.closed() || gone_) break;
    }
    for (const std::string& line : splitter.flush()) receive(line, engine_.now());
    Lock lock(mutex_);
    ended_ = true;
    changed_.notify_all();
    if (engine_.closed()) {
        if (!changed_.wait_for(lock, kLeave, [this] { return gone_; })) std::_Exit(0);
    } else if (!engine_.question() && task_) {
        halt(lock, task_, false);  // it may ponder
    }
    has_read_ = true;
    done_.notify_all();
}

void Host::receive(std::string_view line, double arrived) {
    Lock lock(mutex_);
    const bool pondered = engine_.ponder().has_value();
    if (!write(engine_.receive(line, arrived))) engine_.receive("END");
    const bool halts = engine_.hurry() || (pondered && !engine_.ponder());
    if (has_work()) changed_.notify_all();
    if (halts && task_) halt(lock, task_, engine_.closed());
}

/// Ends a task soon, and waits until it has ended; after END not for long.
void Host::halt(Lock& lock, const std::shared_ptr<Task>& task, bool is_last) {
    task->stop = true;
    const auto is_done = [held = task] { return held->done; };
    is_last ? void(done_.wait_for(lock, kLeave, is_done)) : done_.wait(lock, is_done);
}

bool Host::write(const Lines& lines) {
    std::string data;
    for (const std::string& line : lines) data += line + "\n";
    return streams_.write(data);
}

}  // namespace tengen
