#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "game/geometry.h"
#include "game/rules.h"

namespace tengen {

/// What a stone makes on one line, weakest first. The names are those of n = 5; "four" means one stone short of n.
enum class Shape : std::uint8_t {
    kNone,
    kSleepingTwo,
    kOpenTwo,
    kSleepingThree,
    kOpenThree,
    kFour,
    kOpenFour,
    kFive,
};

/// A shape and the two facts about it that only renju's black cares for.
struct LineShape {
    Shape shape = Shape::kNone;
    bool overline = false;   ///< the stone lies in a row of more than n
    bool two_fours = false;  ///< two fours on one line that are not a straight four
};

/// The contents of a line around a point: 0 empty, 1 own, 2 enemy, WindowCode::kBorder.
using LineCells = std::span<std::int8_t>;

/// The shape of the stone at `centre` of a line (the point must hold an own stone), by definition and without tables:
/// five if the stone is in a winning row; four if one more stone makes it so; otherwise one step below the best shape
/// that one more stone can make. The reference for ShapeTable, and the only way for n that no window covers.
LineShape classify(LineCells line, int centre, Rules rules, Color color);

/// The shapes of every window for both colours, and the threat flags that boards keep incrementally.
/// Black is "own" (1) in these windows. Built once for each rule and radius, shared, immutable.
class ShapeTable {
public:
    /// The shared instance, or null when no supported window shows all that matters (n too long for the radius).
    static const ShapeTable* get(Rules rules, int radius);
    static bool covers(Rules rules, int radius) { return rules.reach() <= radius; }

    /// The shape that `color` has at the centre, or would have if it played there; none if the enemy is there.
    LineShape shape(std::uint32_t window, Color color) const {
        const std::uint8_t packed = shapes_[index(color)][window];
        return {static_cast<Shape>(packed & 7), (packed & 8) != 0, (packed & 16) != 0};
    }

    /// Threats at an empty centre: a Threat for black in the low four bits, for white in the high ones.
    const std::uint8_t* threats() const { return threats_.data(); }

private:
    static constexpr std::uint8_t kUnknown = 0xff;

    ShapeTable(Rules rules, int radius);
    std::uint8_t packed_shape(std::uint32_t window, Color color);

    Rules rules_;
    WindowCode code_;
    std::array<std::vector<std::uint8_t>, 2> shapes_;
    std::vector<std::uint8_t> threats_;
};

/// The four bits that describe what a stone at an empty point would threaten on one line. The bits are chosen so that
/// the questions asked of all four lines of a point at once are one mask each (see Board::collect_threats).
enum Threat : std::uint8_t {
    kThreatNone = 0b0000,
    kThreatFive = 0b0001,
    kThreatTwoFours = 0b0010,  ///< two fours on one line, not a straight four (renju's black only)
    kThreatFour = 0b0100,
    kThreatOpenFour = 0b0110,
    kThreatOpenThree = 0b1000,
    kThreatOverline = 0b1010,  ///< renju's black only
};

}  // namespace tengen
