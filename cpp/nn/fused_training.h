#pragma once

#include <cstdint>
#include <span>

namespace tengen {

/// Training positions on one size of board. `empty` boards, one for each condition in use, follow the positions in
/// `rows`: their sums are taken from those of the positions (see LineAccumulator::spread).
struct TrainingGroup {
    int width, height;
    int positions, empties;
    const std::int32_t* rows;        ///< [positions + empties, cells, 4] rows of the table of distinct windows
    const std::int32_t* empty;       ///< [positions] which of the empties
    const std::uint8_t* candidates;  ///< [positions, cells] 1 where the policy is defined
    const float* policy;             ///< [positions, cells] target; not read where there is no candidate
    const float* outcome;            ///< [positions, 3] target: win, draw, loss
};

/// The moments that the normalisation needs, added up.
struct TrainingMoments {
    double* cell;    ///< [2, channels] features of candidate cells: sum, sum of squares
    double* pool;    ///< [2, channels] pooled features
    double* hidden;  ///< [2, 32] pooled policy units
    std::int64_t cells = 0;
};

struct TrainingLoss {
    double policy = 0, value = 0;  ///< cross-entropies, mean over the positions
};

/// How many numbers the board part of the network has: all arrays after the window MLP in the order of LineWeights.
int board_parameters(int channels);

/// Forward and backward through everything after the window MLP in one pass over the positions, on one thread.
///
/// `table` is [windows, channels]: the MLP's output for the distinct windows. The gradients of
/// policy loss + value_weight * value loss are added to `table_gradient` and `gradient`.
TrainingLoss fused_training(int channels, std::span<const TrainingGroup> groups, const float* table,
                            const float* parameters, float value_weight, float* table_gradient, float* gradient,
                            TrainingMoments& moments);

}  // namespace tengen
