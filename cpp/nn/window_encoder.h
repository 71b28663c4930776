#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nn/line_weights.h"

namespace tengen {

/// Turns training positions into window numbers, giving each distinct window of a batch one number.
///
/// A batch of 1,024 positions has about a million windows but only some ten thousand different ones, and a window and
/// its reverse count as one: the window MLP runs on those alone. Key method: `add`; `finish` ends a batch.
class WindowEncoder {
public:
    explicit WindowEncoder(int radius);

    /// `stones` holds count * width * height bytes: 0 empty, 1 own, 2 opponent. Writes four numbers for each cell, one
    /// for each direction: rows of the table of distinct windows.
    void add(std::span<const std::uint8_t> stones, int width, int height, std::span<const std::uint8_t> conditions,
             std::int32_t* rows);

    /// The distinct windows met since the last `finish`, by row, and starts a new batch.
    std::vector<std::uint32_t> finish();

private:
    std::int32_t row_of(std::uint32_t window, int condition);

    int radius_;
    std::vector<std::int32_t> row_of_window_;  ///< by condition and window; -1 when not met yet
    std::vector<std::uint32_t> met_;           ///< indices into row_of_window_, to forget them
    std::vector<std::uint32_t> windows_;       ///< by row: condition * WindowCode::count() + window
};

/// Marks with 1 the cells that Board::candidates has. `stones` holds any number of positions.
void mark_candidates(std::span<const std::uint8_t> stones, int width, int height, std::uint8_t* candidates);

}  // namespace tengen
