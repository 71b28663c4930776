#pragma once

#include <memory>

#include "mcts/tree_search.h"

namespace tengen {

/// A search in the form of parallelism that `params` ask for. Those who need no other than tree parallelism make an
/// Mcts.
std::unique_ptr<TreeSearch> make_search(std::unique_ptr<Explorer> explorer, const SearchParams& params);

}  // namespace tengen
