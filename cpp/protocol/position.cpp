#include "protocol/position.h"

#include <algorithm>
#include <string>

namespace tengen {
namespace {

std::string name(Point point) {
    return std::to_string(point.x) + "," + std::to_string(point.y);
}

bool has_five(const Board& board, Color color) {
    for (const Cell cell : board.stones(color).members()) {
        for (int direction = 0; direction < kDirections; ++direction) {
            if (board.shape(cell, direction, color).shape == Shape::kFive) return true;
        }
    }
    return false;
}

}  // namespace

bool is_over(Board& board) {
    if (board.last_move_won() || board.is_full()) return true;
    // Forbidden points need stones around them: with room left on the board there is always another.
    return board.cells() <= 2 * board.ply() && board.legal(board.empties()).empty();
}

std::vector<Position::Stone>::const_iterator Position::find(Point point) const {
    return std::ranges::find(stones_, point, &Stone::point);
}

void Position::add(Point point, bool own) {
    if (point.x < 0 || point.x >= width || point.y < 0 || point.y >= height) {
        throw ProtocolError(name(point) + " is off the " + std::to_string(width) + "x" + std::to_string(height) +
                            " board");
    }
    if (find(point) != stones_.end()) throw ProtocolError(name(point) + " is not empty");
    if (!color_) color_ = own ? Color::kBlack : Color::kWhite;
    stones_.push_back({point, own});
}

void Position::remove(Point point) {
    const auto stone = find(point);
    if (stone == stones_.end()) throw ProtocolError("there is no stone at " + name(point));
    stones_.erase(stone);
    if (stones_.empty()) color_.reset();
}

int Position::own_moves() const {
    return static_cast<int>(std::ranges::count(stones_, true, &Stone::own));
}

void Position::guess_color(bool to_move) {
    const int difference = 2 * own_moves() - static_cast<int>(stones_.size());
    if (difference != 0 || to_move) color_ = difference < 0 ? Color::kWhite : Color::kBlack;
}

Board Position::board(Rule rule) const {
    if (std::optional<Board> game = played(rule)) {
        if (is_over(*game)) throw ProtocolError("the game is over");
        return *game;
    }
    Board board = set_up(rule);
    if (has_five(board, Color::kBlack) || has_five(board, Color::kWhite)) {
        throw ProtocolError("the game is over, there is a five on the board");
    }
    if (is_over(board)) throw ProtocolError("the game is over");
    return board;
}

std::vector<Cell> Position::forbidden_points(Rule rule) const {
    return set_up(rule).forbidden_points().members();
}

/// Black's and white's stones.
std::pair<Position::Cells, Position::Cells> Position::sides() const {
    const bool black_is_own = color_ != Color::kWhite;
    std::pair<Cells, Cells> sides;
    for (const auto& [point, own] : stones_) {
        (own == black_is_own ? sides.first : sides.second).push_back(static_cast<Cell>(point.y * width + point.x));
    }
    return sides;
}

Board Position::set_up(Rule rule) const {
    const auto [black, white] = sides();
    Board board(width, height, {rule});
    for (const Cell cell : black) board.place(cell, Color::kBlack);
    for (const Cell cell : white) board.place(cell, Color::kWhite);
    board.set_turn(color_.value_or(Color::kBlack));
    return board;
}

/// The stones as a game, black and white in turn, if they can be one: the search keeps its tree along it.
std::optional<Board> Position::played(Rule rule) const {
    const auto [black, white] = sides();
    if (black.size() != white.size() + (color_ == Color::kWhite ? 1 : 0)) return {};
    Board board(width, height, {rule});
    for (std::size_t ply = 0; ply < stones_.size(); ++ply) {
        const Cell cell = (ply % 2 ? white : black)[ply / 2];
        if (is_over(board) || (board.has_fouls(board.turn()) && board.foul_at(cell) != Foul::kNone)) return {};
        board.play(cell);
    }
    return board;
}

}  // namespace tengen
