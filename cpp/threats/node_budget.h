#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "threats/limits.h"

namespace tengen {

/// Counts nodes down against the limits of a search. Nodes are handed out in slices, so that the clock and the stop
/// flag are looked at rarely and the common case is one decrement. Key method: `take`.
class NodeBudget {
public:
    NodeBudget() = default;
    explicit NodeBudget(const ThreatLimits& limits) : limits_(limits), reserve_(limits.max_nodes) {
        if (limits.max_seconds > 0) {
            deadline_ = Clock::now() +
                        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.max_seconds));
        }
        watches_ = limits.max_seconds > 0 || limits.stop;
    }

    /// Takes `count` nodes; false when a limit leaves fewer.
    bool take(std::int64_t count = 1) {
        while (slice_ < count) {
            if (!refill()) return false;
        }
        slice_ -= count;
        return true;
    }
    /// Nodes that may still be taken; the rest of a slice once the time is up or the search was stopped.
    std::int64_t left() const { return slice_ + reserve_; }
    std::int64_t spent() const { return granted_ - slice_; }
    /// Did the clock or the stop flag end the search?
    bool interrupted() const { return interrupted_; }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::int64_t kSlice = 1024;

    bool refill() {
        const bool stopped = limits_.stop && limits_.stop->load(std::memory_order_relaxed);
        if (stopped || (limits_.max_seconds > 0 && Clock::now() >= deadline_)) {
            interrupted_ = true;
            reserve_ = 0;
        }
        if (reserve_ == 0) return false;
        const std::int64_t grant = watches_ ? std::min(kSlice, reserve_) : reserve_;
        slice_ += grant;
        granted_ += grant;
        reserve_ -= grant;
        return true;
    }

    ThreatLimits limits_;
    std::int64_t reserve_ = 0;
    std::int64_t slice_ = 0;
    std::int64_t granted_ = 0;
    bool watches_ = false;
    bool interrupted_ = false;
    Clock::time_point deadline_;
};

}  // namespace tengen
