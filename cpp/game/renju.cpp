// Black's forbidden points in renju, by the recursive definition.
//
// The line shapes decide everything but the threes: a three counts only if some point turns it into a straight four
// that black may really play, which asks the same question again with one more stone on the board. Each level of the
// recursion adds a stone, so it ends.

#include <algorithm>

#include "game/board.h"

namespace tengen {

Foul Board::foul_at(Cell cell) {
    if (!rules_.has_forbidden_points()) return Foul::kNone;
    bool overline = false;
    int fours = 0, three_lines = 0;
    std::array<int, kDirections> threes;
    for (int direction = 0; direction < kDirections; ++direction) {
        switch (threat(cell, direction, Color::kBlack)) {
            case kThreatFive: return Foul::kNone;  // a five wins, whatever else the stone makes
            case kThreatOverline: overline = true; break;
            case kThreatTwoFours: fours += 2; break;
            case kThreatOpenFour:
            case kThreatFour: fours += 1; break;
            case kThreatOpenThree: threes[three_lines++] = direction; break;
            case kThreatNone: break;
        }
    }
    if (overline) return Foul::kOverline;
    if (fours >= 2) return Foul::kDoubleFour;
    if (three_lines < 2) return Foul::kNone;

    put_windows(cell, Color::kBlack);
    int real_threes = 0;
    for (int i = 0; i < three_lines && real_threes < 2; ++i) real_threes += makes_real_three(cell, threes[i]);
    lift_windows(cell, Color::kBlack);
    return real_threes >= 2 ? Foul::kDoubleThree : Foul::kNone;
}

/// With black's stone at `cell` in the windows: can its open three in `direction` become a straight four legally?
bool Board::makes_real_three(Cell cell, int direction) {
    const int reach = rules_.n - 2;  // a straight four through the stone lies within this distance
    const Geometry::Run run = geometry_->runs(cell)[direction];
    for (int k = std::max<int>(run.first, -reach); k <= std::min<int>(run.last, reach); ++k) {
        const Cell point = static_cast<Cell>(cell + k * geometry_->stride(direction));
        // Threats are known at empty points only, so no stone can pass, not even one that is only being tried.
        if (threat(point, direction, Color::kBlack) != kThreatOpenFour || wins_at(point, Color::kBlack)) continue;
        // The straight four must be one through our stone, not another on the same line.
        put_windows(point, Color::kBlack);
        const bool through_cell = shape(cell, direction, Color::kBlack).shape == Shape::kOpenFour;
        lift_windows(point, Color::kBlack);
        if (through_cell && foul_at(point) == Foul::kNone) return true;
    }
    return false;
}

PointSet Board::forbidden_points() {
    if (threats_stale_) collect_threats();
    const PointSet suspects = foul_suspects_;
    PointSet forbidden;
    suspects.for_each([&](Cell cell) {
        if (foul_at(cell) != Foul::kNone) forbidden.add(cell);
    });
    return forbidden;
}

}  // namespace tengen
