#pragma once

#include <cstdlib>

namespace tengen {

/// How alpha-beta searches count: a win in p plies from the root is kWin - p, a loss in p plies -kWin + p, and what
/// lies between the bounds is an evaluation's opinion.
namespace score {

inline constexpr int kWin = 1'000'000;
inline constexpr int kWinBound = kWin - 1000;
inline constexpr int kInfinity = kWin + 1;

inline bool is_certain(int score) {
    return std::abs(score) >= kWinBound;
}

/// Wins count from the root; a table counts from the node, so that they hold wherever it is met.
inline int to_table(int score, int ply) {
    return !is_certain(score) ? score : score > 0 ? score + ply : score - ply;
}
inline int from_table(int score, int ply) {
    return !is_certain(score) ? score : score > 0 ? score - ply : score + ply;
}

}  // namespace score
}  // namespace tengen
