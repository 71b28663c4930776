#pragma once

#include <array>
#include <functional>

#include "game/board.h"

namespace tengen {

/// How promising a move at each cell looks: a softmax over the moves in question makes probabilities of them.
using CellLogits = std::array<float, kMaxCells>;

/// An opinion that tells a solver where to look first: how well the side to move stands, in [-1, 1], and the logits of
/// all cells. It changes how long a proof takes, never what is proven. The board is as before on return.
using ThreatGuide = std::function<float(Board& board, CellLogits& logits)>;

}  // namespace tengen
