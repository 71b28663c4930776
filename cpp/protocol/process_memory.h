#pragma once

#include <cstdint>

namespace tengen {

/// Bytes of this process that are in memory, 0 where the system does not say.
std::int64_t resident_memory();

}  // namespace tengen
