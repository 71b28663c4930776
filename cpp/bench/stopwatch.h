#pragma once

#include <chrono>
#include <ctime>

namespace tengen {

class Stopwatch {
public:
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// CPU time of the whole process: for work of one thread that is long enough to be interrupted by other programs.
class CpuStopwatch {
public:
    double seconds() const { return static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC; }

private:
    std::clock_t start_ = std::clock();
};

}  // namespace tengen
