// Tells which build of the core a portable package should load; a module of its own, so that only that one is loaded.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

namespace {

std::vector<std::string> instruction_sets() {
    __builtin_cpu_init();
    std::vector<std::string> names;
    if (__builtin_cpu_supports("x86-64-v4") && __builtin_cpu_supports("avx512vnni")) names.push_back("avx512");
    if (__builtin_cpu_supports("x86-64-v3")) names.push_back("avx2");
    names.push_back("baseline");
    return names;
}

}  // namespace

NB_MODULE(_processor, module) {
    module.def("instruction_sets", &instruction_sets, "Names of the builds that this processor can run, best first.");
}
