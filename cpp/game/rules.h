#pragma once

#include <cstdint>

namespace tengen {

enum class Color : std::uint8_t { kBlack = 0, kWhite = 1 };

constexpr Color opponent(Color color) {
    return static_cast<Color>(1 - static_cast<int>(color));
}
constexpr int index(Color color) {
    return static_cast<int>(color);
}

enum class Rule : std::uint8_t {
    kFreestyle,  ///< n or more in a row win
    kStandard,   ///< exactly n
    kRenju,      ///< black: exactly five and forbidden points; white: five or more
    kCaro,       ///< n with an enemy stone at both ends do not win; more than n always do
};

/// What a game is played by. `n` is the length of the winning row.
struct Rules {
    Rule rule = Rule::kFreestyle;
    int n = 5;

    friend constexpr bool operator==(const Rules&, const Rules&) = default;

    /// Does an unbroken row of `length` stones win for `color`?
    /// `ends_held` says that the points next to both of its ends hold enemy stones.
    constexpr bool row_wins(Color color, int length, bool ends_held) const {
        switch (rule) {
            case Rule::kFreestyle: return length >= n;
            case Rule::kStandard: return length == n;
            case Rule::kRenju: return color == Color::kBlack ? length == n : length >= n;
            case Rule::kCaro: return length > n || (length == n && !ends_held);
        }
        return false;
    }

    /// Do black's fouls (overline, double four, double three) exist?
    constexpr bool has_forbidden_points() const { return rule == Rule::kRenju; }

    /// How far from a stone another one can matter for the rows through it: a row's far end, and where the length
    /// must be exact or the ends matter, one point beyond.
    constexpr int reach() const { return rule == Rule::kFreestyle ? n - 1 : n; }
};

}  // namespace tengen
