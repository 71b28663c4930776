#include "alphabeta/situation.h"

namespace tengen {
namespace {

/// Adds the points within reach of `cell` on one line through it, itself included.
void add_line(PointSet& points, const Board& board, Cell cell, int direction) {
    const Geometry& geometry = board.geometry();
    const int reach = board.rules().reach();
    for (int k = -reach; k <= reach; ++k) {
        const int x = geometry.x(cell) + k * kDirectionX[direction], y = geometry.y(cell) + k * kDirectionY[direction];
        if (geometry.on_board(x, y)) points.add(geometry.cell(x, y));
    }
}

PointSet lines_through(const Board& board, Cell cell) {
    PointSet points;
    for (int direction = 0; direction < kDirections; ++direction) add_line(points, board, cell, direction);
    return points;
}

/// The points after which `enemy` can no longer make five at once. In caro a row is also stopped at its ends, so every
/// point near is tried; under other rules it has to be the point itself.
PointSet stops_of_five(Board& board, Expert& expert, const PointSet& fives) {
    if (board.rules().rule != Rule::kCaro) return fives.count() == 1 ? board.legal(fives) : PointSet();
    PointSet near, stops;
    fives.for_each([&](Cell five) { near |= lines_through(board, five); });
    const Color mover = board.turn();
    (near - board.occupied()).for_each([&](Cell cell) {
        board.play(cell);
        if (expert.threats(board, opponent(mover)).fives.empty()) stops.add(cell);
        board.undo();
    });
    return stops;
}

/// The points that can spoil the enemy's double four at `cell`: those on its lines of four. Black's point in renju is
/// also spoilt by becoming a foul, which other lines through it decide; if threes that do not count lie there, even a
/// stone elsewhere might make them count, and everything is a defence.
PointSet spoilers(Board& board, Cell cell, Color enemy) {
    const bool fouls = board.has_fouls(enemy);
    PointSet points;
    int threes = 0;
    for (int direction = 0; direction < kDirections; ++direction) {
        const Shape shape = board.shape(cell, direction, enemy).shape;
        threes += shape == Shape::kOpenThree;
        if (fouls || shape >= Shape::kFour) add_line(points, board, cell, direction);
    }
    return fouls && threes >= 2 ? board.geometry().all() : points;
}

/// Does this member of `double_fours` (the other side having no five) really win for `color`? In renju black's may be a
/// foul; in caro a four can be answered from both sides.
bool double_four_wins(Board& board, Cell cell, Color color) {
    if (board.has_fouls(color)) return board.foul_at(cell) == Foul::kNone;
    if (board.rules().rule != Rule::kCaro || !board.has_windows()) return board.rules().rule != Rule::kCaro;
    const Color turn = board.turn();
    board.place(cell, color);
    PointSet replies;
    board.threats(color).fives.for_each([&](Cell five) { replies |= lines_through(board, five); });
    bool wins = true;
    (replies - board.occupied()).for_each([&](Cell reply) {
        if (!wins) return;
        board.play(reply);
        wins = board.threats(color).fives.any();
        board.undo();
    });
    board.undo();
    board.set_turn(turn);
    return wins;
}

/// The legal moves among the candidates, or if there are none, anywhere.
PointSet legal_candidates(Board& board) {
    const PointSet candidates = board.legal(board.candidates());
    return candidates.any() ? candidates : board.legal(board.empties());
}

}  // namespace

Situation Situation::quiet(Board& board) {
    return {.moves = legal_candidates(board)};
}

Situation Situation::of(Board& board, Expert& expert) {
    const Color mover = board.turn(), enemy = opponent(mover);
    const Threats own = expert.threats(board, mover);
    if (own.fives.any()) return {.decided = 1, .winning_move = own.fives.first(), .moves = own.fives};

    const Threats other = expert.threats(board, enemy);
    if (other.fives.any()) {
        const PointSet stops = stops_of_five(board, expert, other.fives);
        if (stops.any()) return {.must_answer = true, .moves = stops};
        const PointSet blocks = board.legal(other.fives);
        return {.decided = -2, .moves = blocks.any() ? blocks : legal_candidates(board)};
    }

    Situation situation;
    own.double_fours.for_each([&](Cell cell) {
        if (situation.winning_move == kNoCell && double_four_wins(board, cell, mover)) situation.winning_move = cell;
    });
    if (situation.winning_move != kNoCell) {
        situation.decided = 3;
        situation.moves.add(situation.winning_move);
        return situation;
    }

    situation.moves = legal_candidates(board);
    if (other.double_fours.empty()) return situation;
    PointSet defences = board.geometry().all();
    other.double_fours.for_each([&](Cell cell) {
        if (!double_four_wins(board, cell, enemy)) return;
        situation.must_answer = true;
        defences &= spoilers(board, cell, enemy);
    });
    if (!situation.must_answer) return situation;
    const PointSet answers = board.legal((own.fours | defences) - board.occupied());
    if (answers.any()) {
        situation.moves = answers;
    } else {
        situation.decided = -4;
    }
    return situation;
}

}  // namespace tengen
