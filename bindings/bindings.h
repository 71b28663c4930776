#pragma once

#include <nanobind/nanobind.h>

namespace tengen {

void bind_games(nanobind::module_& module);
void bind_board(nanobind::module_& module);
void bind_board_batch(nanobind::module_& module);
void bind_planes(nanobind::module_& module);
void bind_interrupt(nanobind::module_& module);
void bind_leaving(nanobind::module_& module);
void bind_threats(nanobind::module_& module);
void bind_line_network(nanobind::module_& module);
void bind_line_training(nanobind::module_& module);
void bind_alpha_beta(nanobind::module_& module);
void bind_mcts(nanobind::module_& module);
void bind_selfplay(nanobind::module_& module);
void bind_levels(nanobind::module_& module);
void bind_proof(nanobind::module_& module);
void bind_protocol(nanobind::module_& module);
void bind_bench(nanobind::module_& module);

}  // namespace tengen
