#include "selfplay/game_runner.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tengen {
namespace {

/// Does somebody win at once, or with a four that cannot be stopped? Such an opening is no game.
bool is_decided(const Board& board) {
    if (board.last_move_won() || board.is_full()) return true;
    for (Color color : {Color::kBlack, Color::kWhite}) {
        const Threats& threats = board.threats(color);
        if (threats.fives.any() || threats.double_fours.any()) return true;
    }
    return false;
}

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

int result_for_black(Proof proof, Color mover) {
    if (proof == Proof::kDraw) return 0;
    return (proof == Proof::kWin) == (mover == Color::kBlack) ? 1 : -1;
}

}  // namespace

std::optional<GameRecord> GameRunner::play_game(GameUnderWay& game, const std::atomic<bool>& stop) {
    stop_ = &stop;
    if (!game.copy()) begin(game);
    const GameRecord begun = *game.copy();
    Board board(begun.width, begun.height, begun.rules, evaluator_->window_radius());
    for (Cell move : begun.moves) board.play(move);
    mcts_at(board);
    const std::optional<int> result = play_to_the_end(board, game, begun.opening_plies);
    return result ? std::optional(game.finish(*result)) : std::nullopt;
}

void GameRunner::begin(GameUnderWay& game) {
    const Board board = random_opening(pick_kind());
    GameRecord record{
        .rules = board.rules(), .width = board.width(), .height = board.height(), .opening_plies = board.ply()};
    for (int ply = 0; ply < board.ply(); ++ply) record.moves.push_back(board.move_at(ply));
    game.begin(std::move(record));
}

/// The result; nothing when `stop_` became true before.
std::optional<int> GameRunner::play_to_the_end(Board& board, GameUnderWay& game, int opening_plies) {
    const bool adjudicated = random_.uniform() < params_.adjudicated_share;
    for (;;) {
        if (board.last_move_won()) return board.turn() == Color::kWhite ? 1 : -1;
        if (board.is_full()) return 0;
        if (is_too_long(board)) return GameRecord::kUnfinished;
        const bool full = random_.uniform() < params_.full_share;
        const Policy policy = search(full, *stop_);
        if (stop_->load(std::memory_order_relaxed)) return std::nullopt;  // and the search was cut off
        const SearchReport report = mcts_->report(kMaxCells, 0);
        if (report.moves.empty() && report.proof == Proof::kDraw) return 0;  // only forbidden points are left
        // Where there is no choice there is nothing to learn.
        const bool is_forced = mcts_->root_candidates().size() == 1 && report.proof == Proof::kNone;
        if (full && !is_forced) game.add(to_sample(policy, board.ply()));
        if (adjudicated && report.proof != Proof::kNone) return result_for_black(report.proof, board.turn());
        const Cell move = choose_move(board, report, policy, board.ply() - opening_plies);
        game.add(move);
        board.play(move);
        mcts_->advance(move);
    }
}

bool GameRunner::is_too_long(const Board& board) const {
    return static_cast<float>(board.ply()) >= params_.longest_game * static_cast<float>(board.cells());
}

Cell GameRunner::choose_move(const Board& board, const SearchReport& report, const Policy& policy, int moves_played) {
    if (params_.opposition_probability > 0 && report.proof == Proof::kNone &&
        random_.uniform() < params_.opposition_probability && believes_it_loses(board)) {
        if (const auto point = opponents_point(board)) {
            ++opposition_moves_;
            return *point;
        }
    }
    return draw_move(policy, moves_played);
}

/// By the network's first impression of the position, S0's value head, and not by the search.
bool GameRunner::believes_it_loses(const Board& board) {
    Board copy = board;
    CellLogits logits;
    return evaluator_->clone(random_.next())->evaluate_candidates(copy, logits) < params_.opposition_threshold;
}

/// Where the opponent would play if it were its turn, if the mover may play there.
std::optional<Cell> GameRunner::opponents_point(const Board& board) {
    Board passed = board;
    passed.set_turn(opponent(board.turn()));
    Mcts other(std::make_unique<GomokuExplorer>(passed, evaluator_->clone(random_.next()), knowledge_), search_params_);
    other.search({params_.fast_playouts, 0});
    playouts_ += other.results();
    const Cell point = other.best_move();
    if (point == kNoCell) return std::nullopt;  // it has forbidden points alone
    Board copy = board;
    const bool forbidden = board.turn() == Color::kBlack && copy.foul_at(point) != Foul::kNone;
    return forbidden ? std::nullopt : std::optional(point);
}

const GameKind& GameRunner::pick_kind() {
    float total = 0;
    for (const GameKind& kind : params_.kinds) total += kind.weight;
    float left = random_.uniform() * total;
    for (const GameKind& kind : params_.kinds) {
        left -= kind.weight;
        if (left < 0) return kind;
    }
    return params_.kinds.back();
}

Board GameRunner::random_opening(const GameKind& kind) {
    std::optional<Board> best;
    float best_distance = 2;
    for (int attempt = 0; attempt < params_.opening_tries || !best; ++attempt) {
        Board board = scattered_stones(kind);
        if (is_decided(board)) continue;
        const float distance = std::abs(quick_value(board));
        if (distance < best_distance) {
            best_distance = distance;
            best = board;
        }
        if (distance <= params_.opening_balance) break;
    }
    return *best;
}

/// A few random stones: near each other around a point that is usually central and sometimes anywhere, or loosely all
/// over the board.
Board GameRunner::scattered_stones(const GameKind& kind) {
    Board board(kind.width, kind.height, kind.rules, evaluator_->window_radius());
    const int most = std::min(params_.opening_stones, board.cells() / 4);
    const int stones = static_cast<int>(random_.below(static_cast<std::uint32_t>(most + 1)));
    if (stones == 0) return board;
    const bool loose = random_.uniform() < params_.opening_loose;
    board.play(loose ? draw(inner_points(board.geometry())) : first_stone(board.geometry()));
    while (board.ply() < stones && !board.last_move_won()) {
        const PointSet choices =
            board.legal(loose ? points_around(board) & inner_points(board.geometry()) : board.candidates());
        if (choices.empty()) break;
        board.play(draw(choices));
    }
    return board;
}

Cell GameRunner::first_stone(const Geometry& geometry) {
    const bool anywhere = random_.uniform() < 0.25f;
    auto coordinate = [&](int side) {
        if (anywhere) return static_cast<int>(random_.below(static_cast<std::uint32_t>(side)));
        const int spread = std::max(1, side / 3);
        return (side - spread) / 2 + static_cast<int>(random_.below(static_cast<std::uint32_t>(spread)));
    };
    const int x = coordinate(geometry.width);
    return geometry.cell(x, coordinate(geometry.height));
}

Cell GameRunner::draw(const PointSet& points) {
    const std::vector<Cell> cells = points.members();
    return cells[random_.below(static_cast<std::uint32_t>(cells.size()))];
}

float GameRunner::quick_value(const Board& board) {
    mcts_at(board);
    return search(false, *stop_).value;
}

Mcts& GameRunner::mcts_at(const Board& board) {
    auto explorer = std::make_unique<GomokuExplorer>(board, evaluator_->clone(random_.next()), knowledge_);
    if (mcts_) {
        mcts_->set_root(std::move(explorer));
    } else {
        mcts_ = std::make_unique<Mcts>(std::move(explorer), search_params_);
    }
    return *mcts_;
}

}  // namespace tengen
