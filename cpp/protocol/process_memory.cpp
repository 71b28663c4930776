#include "protocol/process_memory.h"

#if defined(_WIN32)
#include <windows.h>
// After the other, which declares what it needs.
#include <psapi.h>
#else
#include <unistd.h>

#include <fstream>
#endif

namespace tengen {

std::int64_t resident_memory() {
#if defined(_WIN32)
    PROCESS_MEMORY_COUNTERS counters;
    if (!GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters)) return 0;
    return static_cast<std::int64_t>(counters.WorkingSetSize);
#else
    std::ifstream file("/proc/self/statm");
    std::int64_t size = 0, resident = 0;
    if (!(file >> size >> resident)) return 0;
    return resident * sysconf(_SC_PAGESIZE);
#endif
}

}  // namespace tengen
