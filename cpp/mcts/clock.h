#pragma once

#include <chrono>
#include <limits>

namespace tengen {

/// A moment, in seconds.
inline double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace tengen
