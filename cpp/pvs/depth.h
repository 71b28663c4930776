#pragma once

#include <algorithm>

namespace tengen {

/// The numbers of a principal variation search. Depth is counted in 64ths of a ply.
namespace pvs {

inline constexpr int kPly = 64;
inline constexpr int kMaxDepth = 60 * kPly;
/// An evaluator's value of 1.
inline constexpr float kScale = 10'000;

/// What a move costs of the depth: a likely one less than a ply, one with a prior of a hundredth two and a half.
inline int cost_of(int rarity) {
    constexpr int kLeast = 29, kMost = 6 * kPly;
    return std::min(kLeast + rarity * 3 / 10, kMost);
}
/// Moves that would be left with less depth than this are not looked at.
inline constexpr int kLeastDepth = -kPly;
/// A position this much better than it needs to be, for each ply of depth that is left, is not searched if only a few
/// are.
inline constexpr float kMargin = 0.25f * kScale;
inline constexpr int kMarginDepth = 3 * kPly;

}  // namespace pvs
}  // namespace tengen
