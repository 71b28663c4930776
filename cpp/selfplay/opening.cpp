#include "selfplay/opening.h"

#include <algorithm>
#include <vector>

#include "game/board.h"

namespace tengen {
namespace {

/// Without the two rows along each edge, on boards that are large enough.
PointSet inner_points(const Geometry& geometry) {
    const int border = std::min(geometry.width, geometry.height) >= 9 ? 2 : 0;
    PointSet points;
    for (int y = border; y < geometry.height - border; ++y) {
        for (int x = border; x < geometry.width - border; ++x) points.add(geometry.cell(x, y));
    }
    return points;
}

/// The empty points at most four away from a stone: twice as far as candidate moves.
PointSet points_around(const Board& board) {
    PointSet points;
    (board.candidates() | board.occupied()).for_each([&](Cell cell) {
        points |= board.geometry().neighbourhood(cell);
    });
    return points - board.occupied();
}

int draw_number(int below, Random& random) {
    return static_cast<int>(random.below(static_cast<std::uint32_t>(below)));
}

Cell draw(const std::vector<Cell>& cells, Random& random) {
    return cells[random.below(static_cast<std::uint32_t>(cells.size()))];
}

Cell first_stone(const Geometry& geometry, Random& random) {
    const bool anywhere = random.uniform() < 0.25f;
    auto coordinate = [&](int side) {
        if (anywhere) return static_cast<int>(random.below(static_cast<std::uint32_t>(side)));
        const int spread = std::max(1, side / 3);
        return (side - spread) / 2 + static_cast<int>(random.below(static_cast<std::uint32_t>(spread)));
    };
    const int x = coordinate(geometry.width);
    return geometry.cell(x, coordinate(geometry.height));
}

void scatter_stones(Board& board, int count, float loose_share, Random& random) {
    const bool loose = random.uniform() < loose_share;
    const PointSet inner = inner_points(board.geometry());
    board.play(loose ? draw(inner.members(), random) : first_stone(board.geometry(), random));
    while (board.ply() < count && !board.last_move_won()) {
        const PointSet choices = board.legal(loose ? points_around(board) & inner : board.candidates());
        if (choices.empty()) break;
        board.play(draw(choices.members(), random));
    }
}

void play_any_moves(Game& game, int count, Random& random) {
    std::vector<Cell> legal;
    for (; count > 0 && game.result() == Result::kOpen; --count) {
        game.legal_moves(legal);
        game.play(draw(legal, random));
    }
}

}  // namespace

std::unique_ptr<Game> random_opening(const GameKind& kind, const SelfPlayParams& params, Random& random) {
    std::unique_ptr<Game> game = kind.start();
    Board* board = as_board(*game);
    if (!board) {
        play_any_moves(*game, draw_number(params.opening_stones + 1, random), random);
    } else if (const int most = std::min(params.opening_stones, board->cells() / 4); most > 0) {
        scatter_stones(*board, 1 + draw_number(most, random), params.opening_loose, random);
    }
    return game;
}

bool is_decided(const Game& game) {
    if (game.result() != Result::kOpen) return true;
    const Board* board = as_board(game);
    if (!board) return false;
    for (Color color : {Color::kBlack, Color::kWhite}) {
        const Threats& threats = board->threats(color);
        if (threats.fives.any() || threats.double_fours.any()) return true;
    }
    return false;
}

}  // namespace tengen
