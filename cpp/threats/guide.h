#pragma once

#include <span>

#include "game/board.h"

namespace tengen {

/// An opinion that tells a solver where to look first. It changes how long a proof takes, never what is proven.
class ThreatGuide {
public:
    virtual ~ThreatGuide() = default;

    /// How well the side to move stands, in [-1, 1], and a logit for each of `moves`. The board is as before on return.
    virtual float evaluate(Board& board, std::span<const Cell> moves, std::span<float> logits) = 0;
};

}  // namespace tengen
