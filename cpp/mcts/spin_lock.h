#pragma once

#include <atomic>
#include <thread>

namespace tengen {

/// A lock of one byte, for sections of a few instructions.
class SpinLock {
public:
    void lock() {
        for (int tries = 1; flag_.test_and_set(std::memory_order_acquire); ++tries) {
            if (tries % 1000 == 0) std::this_thread::yield();  // its holder may be waiting for this processor
        }
    }
    void unlock() { flag_.clear(std::memory_order_release); }

private:
    std::atomic_flag flag_;
};

}  // namespace tengen
