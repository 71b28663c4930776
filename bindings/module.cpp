#include <nanobind/stl/string.h>

#include <string>

#include "bindings.h"

namespace {

/// The instruction set that this module was compiled for.
std::string instruction_set() {
#if defined(__AVX512F__)
    return "avx512";
#elif defined(__AVX2__)
    return "avx2";
#else
    return "baseline";
#endif
}

}  // namespace

NB_MODULE(_core, module) {
#ifdef NDEBUG
    // What daemon threads or modules still hold at the end goes with the process: of interest to who works on this.
    nanobind::set_leak_warnings(false);
#endif
    module.doc() = "The compiled core of Tengen. Use it through the `tengen` package.";
    module.def("instruction_set", &instruction_set);
    tengen::bind_games(module);
    tengen::bind_board(module);
    tengen::bind_board_batch(module);
    tengen::bind_planes(module);
    tengen::bind_interrupt(module);
    tengen::bind_leaving(module);
    tengen::bind_threats(module);
    tengen::bind_line_network(module);
    tengen::bind_line_training(module);
    tengen::bind_alpha_beta(module);
    tengen::bind_mcts(module);
    tengen::bind_selfplay(module);
    tengen::bind_levels(module);
    tengen::bind_proof(module);
    tengen::bind_protocol(module);
    tengen::bind_bench(module);
}
