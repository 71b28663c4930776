#pragma once

#include <cstdint>

#include "game/huge_pages.h"
#include "nn/line_weights.h"

namespace tengen {

/// The window MLP's answer for every window under one condition: `channels` integers each, kTableScale to the unit.
///
/// A window and its reverse have the same entry, which makes the network blind to direction. At radius 5 and 64
/// channels it takes 51 MB, read at random: huge pages save most of the address look-ups.
class WindowTable {
public:
    /// Runs the MLP on every window: about 0.1 s at radius 5.
    WindowTable(const LineWeights& weights, LineCondition condition);

    const std::int16_t* row(std::uint32_t window) const { return rows_.get() + window * stride_; }

private:
    HugeArray<std::int16_t> rows_;
    std::size_t stride_;
};

}  // namespace tengen
