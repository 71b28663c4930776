#pragma once

#include <cstdint>
#include <span>

#include "nn/line_weights.h"

namespace tengen {

/// How many numbers the window MLP has: its arrays in the order of LineWeights.
int window_parameters(LineConfig config);
/// How many inputs it has, each 0 or 1: own, opponent or border for each cell, and the condition.
int window_inputs(int radius);

/// Writes the inputs [windows, inputs] of windows as WindowEncoder numbers them, and of their reverses.
void encode_windows(int radius, std::span<const std::uint32_t> windows, float* forward, float* reversed);

/// Runs the MLP on these windows: table [windows, channels]. One thread, and in blocks that stay in the cache.
void window_forward(LineConfig config, std::span<const std::uint32_t> windows, const float* parameters, float* table);

/// Adds the parameters' gradient, given the table that `window_forward` made and its gradient. Runs the first two
/// layers again rather than keep them: they are larger than the cache.
void window_backward(LineConfig config, std::span<const std::uint32_t> windows, const float* parameters,
                     const float* table, const float* table_gradient, float* gradient);

}  // namespace tengen
