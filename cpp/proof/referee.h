#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "game/board.h"
#include "threats/threat_tree.h"

namespace tengen {

/// Verifies wins from the rules alone. It shares no code with what finds them: no windows, no shapes, no solvers. It
/// only counts stones, in every five points of a line ("windows") and in rows.
///
/// A tree holds if the attacker makes five against every reply. After a move of the attacker that makes no five:
/// 1. the defender must have no point that makes five;
/// 2. if the attacker has two such points, it has won; if it has one, the defender must play there;
/// 3. otherwise each empty point is a reply, and is answered by its node in the tree or by the node for all others.
///
/// For freestyle and standard, where a stone of one colour can spoil a row of the other only by standing in it. An
/// object belongs to one thread. Key method: `answers`.
class Referee {
public:
    Referee(int width, int height, Rules rules);

    static bool knows(Rules rules) {
        return rules.n == 5 && (rules.rule == Rule::kFreestyle || rules.rule == Rule::kStandard);
    }

    void put(Cell cell, Color color);
    void lift(Cell cell);
    /// Takes over the stones of a board, and nothing else that it knows.
    void set_up(const Board& board);
    bool is_empty(Cell cell) const { return stones_[cell] == kEmpty; }

    /// Would a stone of `color` at this empty point win?
    bool makes_five(Cell cell, Color color) const;
    /// All points where `color` makes five.
    PointSet fives(Color color) const;

    /// With the attacker to move: does it win as the tree says? No is the answer too if that takes too many positions
    /// to verify: a small tree that shares its nodes can have a great number of lines.
    bool wins(const ThreatTree& tree, Color attacker);
    /// With the defender to move: does the attacker win as the tree says after this reply?
    bool answers(const ThreatTree& tree, Cell reply, Color attacker);

    /// Positions looked at and replies of the defender considered since construction.
    std::int64_t positions() const { return positions_; }
    std::int64_t replies() const { return replies_; }

private:
    static constexpr int kLength = 5;
    static constexpr std::int64_t kMaxPositions = 200'000;
    static constexpr std::uint8_t kEmpty = 2;
    /// The contents of a window: the number of black stones, and of white ones in the high four bits.
    static constexpr std::uint8_t unit(Color color) { return color == Color::kBlack ? 1 : 16; }

    struct Window {
        std::array<Cell, kLength> cells;
    };

    bool wins(const ThreatTree& tree, int node, Color attacker);
    bool holds(const ThreatTree& tree, int node, Color attacker);
    bool holds_against_all(const ThreatTree& tree, int node, Color attacker);
    bool holds_against(const ThreatTree& tree, int node, Cell reply, Color attacker);
    void gather(const ThreatTree& tree, int node, Color attacker, PointSet& points);
    void add_gaps(Color color, int stones, PointSet& points) const;
    int row(Cell cell, Color color, int dx, int dy) const;

    const int width_, height_;
    const Rules rules_;
    PointSet all_;
    std::vector<Window> windows_;
    std::vector<std::uint8_t> contents_;
    std::vector<std::vector<int>> windows_of_;
    std::vector<std::uint8_t> stones_;
    std::int64_t positions_ = 0, replies_ = 0;
    std::int64_t last_position_ = 0;  ///< that may be looked at now
};

}  // namespace tengen
