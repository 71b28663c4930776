#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "game/game.h"
#include "game/geometry.h"
#include "game/point_set.h"
#include "game/rules.h"
#include "game/shapes.h"

namespace tengen {

/// Why a point is forbidden for black in renju.
enum class Foul : std::uint8_t { kNone, kOverline, kDoubleFour, kDoubleThree };

/// Empty points by what a stone of one colour there would make, looking at each line alone.
struct Threats {
    PointSet fives;         ///< wins
    PointSet fours;         ///< at least one four, open or not
    PointSet double_fours;  ///< an open four, or fours on two lines: wins next move unless the enemy makes five first
    PointSet open_threes;   ///< at least one open three
};

/// Gomoku: a position that is changed by placing stones and taking them back, with everything search needs kept up to
/// date: window indices for both sides, threat sets, candidate points, hash.
///
/// The core trusts its caller: a cell must be empty, and nothing stops play after a win. `tengen.Board` in Python
/// checks. One flat block of memory (no heap), so a copy is quick. Final, so that a search that knows its board pays
/// nothing for its being a Game. Key method: `play`.
class Board final : public Game {
public:
    /// `radius` 0 picks the smallest window that shows all the rules need (4 freestyle, 5 otherwise).
    Board(int width, int height, Rules rules, int radius = 0);

    /// The same game with windows of another radius; 0 keeps this one's.
    Board with_radius(int radius) const;

    const Geometry& geometry() const { return *geometry_; }
    Rules rules() const { return rules_; }
    int width() const override { return geometry_->width; }
    int height() const override { return geometry_->height; }
    int cells() const { return geometry_->cells; }

    Color turn() const { return turn_; }
    /// Sets who moves next: for positions that are set up rather than played.
    void set_turn(Color color);
    int ply() const override { return ply_; }
    Cell move_at(int ply) const override { return history_[ply].cell; }
    Color color_at(int ply) const { return history_[ply].color; }
    Cell last_move() const { return ply_ ? history_[ply_ - 1].cell : kNoCell; }

    /// The side to move plays at an empty cell.
    void play(Cell cell) override { place(cell, turn_); }
    /// Places a stone of any colour; the other colour is then to move.
    void place(Cell cell, Color color);
    /// Takes back the last stone; its colour is then to move.
    void undo() override;

    bool is_empty(Cell cell) const { return !occupied_.contains(cell); }
    bool is_full() const { return ply_ == cells(); }
    bool has_stone(Cell cell, Color color) const { return stones_[index(color)].contains(cell); }
    const PointSet& stones(Color color) const { return stones_[index(color)]; }
    const PointSet& occupied() const { return occupied_; }
    PointSet empties() const { return geometry_->all() - occupied_; }

    /// Empty points within two of a stone (king moves); the centre on an empty board.
    PointSet candidates() const { return geometry_->candidates(reached_[ply_], occupied_); }

    /// Did the last stone complete a winning row?
    bool last_move_won() const { return ply_ > 0 && history_[ply_ - 1].won; }
    /// The cells of the winning row through `cell`, in order, or nothing.
    std::vector<Cell> winning_line(Cell cell) const;
    /// Would a stone at this empty cell complete one?
    bool wins_at(Cell cell, Color color) const;

    /// Stones, rule-independent, and the side to move.
    std::uint64_t hash() const { return hash_; }
    /// What a move changes in it, by exclusive or.
    static std::uint64_t hash_change(Color mover, Cell cell);

    /// Are window indices and threats kept? Not for rows too long for a window (n > 6, and n = 6 except in freestyle).
    bool has_windows() const { return shape_table_ != nullptr; }
    /// Window indices in slot order as `view` sees them (its stones are 1).
    const std::uint32_t* windows(Color view) const { return windows_[index(view)].data(); }
    /// Empty when there are no windows. Computed when asked for and kept until the next stone: a search makes many
    /// moves for each position it looks at. So even const use of one board belongs to one thread.
    const Threats& threats(Color color) const {
        if (threats_stale_) collect_threats();
        return threats_[index(color)];
    }

    /// The shape on one line of a stone that is, or would be put, at `cell`.
    LineShape shape(Cell cell, int direction, Color color) const;

    /// Black's foul at an empty cell by renju's recursive definition; kNone under other rules.
    /// Not const: it tries stones and takes them back.
    Foul foul_at(Cell cell);
    PointSet forbidden_points();
    /// Those of these empty points where the side to move may play.
    PointSet legal(PointSet points) { return has_fouls(turn_) ? points - forbidden_points() : points; }
    /// Are there points where this side may not play?
    bool has_fouls(Color color) const { return rules_.has_forbidden_points() && color == Color::kBlack; }

    std::unique_ptr<Game> clone() const override { return std::make_unique<Board>(*this); }
    int move_count() const override { return cells(); }
    bool is_first_to_move() const override { return turn_ == Color::kBlack; }
    void legal_moves(std::vector<Cell>& moves) const override;
    Result result() const override;
    /// Does not look at forbidden points: that would cost more than the game.
    Result play_out(Random& random) override;
    int plane_count(const PlaneSpec& spec) const override { return spec.planes(); }
    void encode(const PlaneSpec& spec, float* planes, int symmetry) const override {
        encode_planes(*this, spec, planes, symmetry);
    }
    int symmetries() const override { return width() == height() ? kSymmetries : 4; }
    Cell transform(Cell move, int symmetry) const override { return geometry_->transform(move, symmetry); }
    int piece_at(Cell cell) const override { return is_empty(cell) ? 0 : has_stone(cell, Color::kBlack) ? 1 : 2; }

private:
    struct Played {
        Cell cell;
        Color color;
        bool won;
    };

    void put_windows(Cell cell, Color color);
    void lift_windows(Cell cell, Color color);
    template <bool kAdd>
    void update_windows(Cell cell, Color color);
    void collect_threats() const;
    Threat threat(Cell cell, int direction, Color color) const {
        return static_cast<Threat>(line_threats_[direction][cell] >> 4 * index(color) & 0b1111);
    }
    int row_length(Cell cell, Color color, int dx, int dy) const;
    bool row_wins(Cell cell, Color color, int direction, int* before, int* after) const;
    bool makes_real_three(Cell cell, int direction);

    const Geometry* geometry_;
    const ShapeTable* shape_table_;
    Rules rules_;
    Color turn_ = Color::kBlack;
    int ply_ = 0;
    std::uint64_t hash_ = 0;
    PointSet occupied_;
    std::array<PointSet, 2> stones_;
    mutable bool threats_stale_ = true;
    mutable std::array<Threats, 2> threats_;
    /// Renju: the points that any foul needs to be at, judged line by line.
    mutable PointSet foul_suspects_;
    alignas(64) std::array<std::array<std::uint32_t, Geometry::kMaxSlots>, 2> windows_;
    /// The Threats of both colours at each empty point, on the lines of each direction (see ShapeTable::threats).
    alignas(64) std::array<std::array<std::uint8_t, PointSet::kWords * 64>, kDirections> line_threats_;
    /// reached_[k]: points within two of the first k stones. A stack, because neighbourhoods overlap.
    std::array<PointSet, kMaxCells + 1> reached_;
    std::array<Played, kMaxCells> history_;
};

static_assert(sizeof(Board) < 64 * 1024);

/// The game as Gomoku's board; nullptr if it is another one.
inline const Board* as_board(const Game& game) {
    return dynamic_cast<const Board*>(&game);
}
inline Board* as_board(Game& game) {
    return dynamic_cast<Board*>(&game);
}

}  // namespace tengen
