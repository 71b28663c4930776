#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "eval/evaluator.h"

namespace tengen {

/// The network files that a program carries inside; cmake/programs.cmake writes the source.
std::vector<std::string_view> shipped_networks();

/// The best of some network files for a rule and the longer side of a board: the nearest size that it was trained for,
/// then the one that has seen most games; the expert evaluation where there is none. The same choice as
/// tengen.nets.default makes.
std::unique_ptr<Evaluator> best_evaluator(const std::vector<std::string_view>& files, Rule rule, int side);

}  // namespace tengen
