#pragma once

#include <vector>

#include "game/planes.h"
#include "game/random.h"
#include "selfplay/sample_buffer.h"

namespace tengen {

/// Training positions for a convolutional network, from the mover's view.
struct PlaneBatch {
    int positions = 0, planes = 0, height = 0, width = 0, moves = 0;
    std::vector<float> inputs;  ///< [positions, planes, height, width]
    std::vector<float> policy;  ///< [positions, moves] adds up to 1, or to 0 where there is no target
    std::vector<float> value;   ///< [positions] expected result in [-1, 1]
};

/// `count` positions drawn at random (with repetition), each in a random symmetry that keeps the board's shape. Games
/// are played through again, so that planes can show what stood there before.
///
/// `spec` says which planes of Gomoku; other games know theirs. All games must be on boards of one size.
/// `result_share` as in SampleBuffer::sample.
PlaneBatch plane_batch(const SampleBuffer& buffer, int count, float result_share, const PlaneSpec& spec,
                       Random& random);

}  // namespace tengen
