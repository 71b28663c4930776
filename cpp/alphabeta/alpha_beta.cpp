#include "alphabeta/alpha_beta.h"

#include <algorithm>
#include <cstdlib>

#include "game/random.h"

namespace tengen {
namespace {

using namespace score;

/// Looking at the clock and the stop flag costs about as much as a tenth of a node.
constexpr int kNodesBetweenChecks = 64;

int win_score(int ply, int decided) {
    return decided > 0 ? kWin - ply - decided : -kWin + ply - decided;
}

/// Distinct numbers below MoveList::kTieRange: closeness to the centre, or with a seed any order.
std::array<std::int32_t, kMaxCells> tie_breakers(const Geometry& geometry, std::uint64_t seed) {
    std::vector<std::pair<std::uint64_t, Cell>> cells;
    for (Cell cell = 0; cell < geometry.cells; ++cell) {
        const int dx = 2 * geometry.x(cell) - geometry.width + 1, dy = 2 * geometry.y(cell) - geometry.height + 1;
        cells.emplace_back(seed ? split_mix(seed + cell) : dx * dx + dy * dy, cell);
    }
    std::ranges::sort(cells, std::greater());
    std::array<std::int32_t, kMaxCells> ties{};
    for (std::size_t i = 0; i < cells.size(); ++i) ties[cells[i].second] = static_cast<std::int32_t>(i);
    return ties;
}

/// The second move of a game: diagonally next to the first stone, towards the centre. From the middle of the board the
/// bits of `random` choose.
Cell beside(const Geometry& geometry, Cell stone, std::uint64_t random) {
    const int x = geometry.x(stone), y = geometry.y(stone);
    auto step = [](int position, int length, bool back) {
        const int right = length - 1 - position;
        return position == right ? (back ? -1 : 1) : position < right ? 1 : -1;
    };
    return geometry.cell(x + step(x, geometry.width, random & 1), y + step(y, geometry.height, random & 2));
}

/// S2's first move: the centre or one of the eight points around it.
Cell near_centre(const Geometry& geometry, std::uint64_t seed) {
    Random random(seed);
    const int x = geometry.width / 2 - 1 + static_cast<int>(random.below(3));
    const int y = geometry.height / 2 - 1 + static_cast<int>(random.below(3));
    return geometry.cell(x, y);
}

}  // namespace

AlphaBeta::AlphaBeta(const AlphaBetaParams& params)
    : params_(params), table_(params.use_hash ? params.hash_megabytes : 0) {}

void AlphaBeta::start(const Board& board, const std::atomic<bool>& stop) {
    board_ = board;
    if (expert_) {
        expert_->follow(board);
    } else {
        expert_.emplace(board);
    }
    history_.clear();
    table_.new_search();
    ties_ = tie_breakers(board.geometry(), params_.seed);
    stop_ = &stop;
    nodes_ = 0;
    stopped_ = false;
    const std::chrono::duration<double> time(params_.seconds);
    deadline_ = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::nanoseconds>(time);
}

AlphaBetaResult AlphaBeta::search(const Board& board, const std::atomic<bool>& stop) {
    start(board, stop);
    const Situation situation = this->situation();
    if (const auto answer = answer_without_search(situation)) return *answer;
    std::vector<RootMove> moves = root_moves(situation.moves);
    AlphaBetaResult result{.move = moves[0].cell, .line = {moves[0].cell}};
    if (situation.decided) {
        result.score = win_score(0, situation.decided);
    } else {
        result.score = position_score();
        deepen(result, situation.must_answer, std::move(moves));
    }
    result.nodes = nodes_;
    return result;
}

/// The first two moves, a win on the board, or no legal move.
std::optional<AlphaBetaResult> AlphaBeta::answer_without_search(const Situation& situation) {
    if (situation.moves.empty()) return AlphaBetaResult{};
    Cell move = situation.winning_move;
    int score = win_score(0, situation.decided);
    if (move == kNoCell) {
        const bool opening = board_->rules().n >= 5 && board_->ply() <= 1 && !board_->is_full();
        if (!opening) return std::nullopt;
        score = position_score();
        move = opening_move(situation);
    }
    return AlphaBetaResult{.move = move, .score = score, .line = {move}};
}

/// The first and the second move of a game.
Cell AlphaBeta::opening_move(const Situation& situation) const {
    const Geometry& geometry = board_->geometry();
    const bool rows = params_.evaluation == AlphaBetaEvaluation::kRows;
    if (board_->ply() == 0) return rows ? near_centre(geometry, params_.seed) : situation.moves.first();
    // S2 goes right and down from the middle, always.
    return beside(geometry, board_->last_move(), rows ? 0 : split_mix(params_.seed));
}

int AlphaBeta::position_score() {
    return params_.evaluation == AlphaBetaEvaluation::kRows ? RowEvaluation(*board_).score() : expert_->score(*board_);
}

void AlphaBeta::list_moves(const PointSet& moves, MoveList& list) {
    if (params_.evaluation == AlphaBetaEvaluation::kRows) {
        const RowEvaluation rows(*board_);
        list.fill(moves, ties_, [&](Cell cell) { return rows.gain(cell); });
    } else {
        expert_->follow(*board_);
        list.fill(moves, ties_, [&, mover = board_->turn()](Cell cell) { return expert_->move_score(cell, mover); });
    }
}

/// All moves, the best-looking first.
std::vector<AlphaBeta::RootMove> AlphaBeta::root_moves(const PointSet& moves) {
    MoveList list;
    list_moves(moves, list);
    std::vector<RootMove> sorted;
    for (int i = 0; i < list.size(); ++i) sorted.push_back({list.pick(i), -kInfinity, {}});
    return sorted;
}

void AlphaBeta::deepen(AlphaBetaResult& result, bool must_answer, std::vector<RootMove> moves) {
    if (params_.vct_plies > 0) {
        // A part of the time only: most positions have no such win.
        const ThreatLimits limits{.max_seconds = params_.seconds / 4, .max_depth = params_.vct_plies, .stop = stop_};
        const std::vector<Cell> win = vct_.at_root(*board_, limits);
        if (!win.empty()) {
            result = {.move = win.front(), .score = win_score(0, static_cast<int>(win.size())), .line = win};
            return;
        }
    }
    const bool narrow = params_.width > 0 && !must_answer;
    std::size_t width = narrow ? std::min<std::size_t>(params_.width, moves.size()) : moves.size();
    const int depth_limit = std::min(params_.depth, kMaxDepth);
    for (int depth = 1; depth <= depth_limit; ++depth) {
        if (!search_root(result, moves, width, depth)) return;
        if (result.score <= -kWinBound && width < moves.size()) {
            width = moves.size();  // the moves that looked best all lose: try the others before giving up
            if (!search_root(result, moves, width, depth)) return;
        }
        result.depth = depth;
        if (std::abs(result.score) >= kWinBound || (params_.seconds > 0 && moves.size() == 1)) return;
    }
}

/// One iteration over the first `width` root moves. Returns false if it was stopped; the best of the moves that were
/// finished counts nevertheless, since the best move so far is searched first.
bool AlphaBeta::search_root(AlphaBetaResult& result, std::vector<RootMove>& moves, std::size_t width, int depth) {
    int best = -kInfinity;
    for (std::size_t i = 0; i < width; ++i) {
        Line line;
        const int alpha = params_.use_pruning ? best : -kInfinity;
        const int score = search_child(moves[i].cell, depth - 1, alpha, kInfinity, 0, i == 0, line);
        if (stopped_) return false;
        moves[i].score = score;
        if (score <= best) continue;
        best = score;
        result.move = moves[i].cell;
        result.score = score;
        result.line.assign(1, moves[i].cell);
        result.line.insert(result.line.end(), line.cells.begin(), line.cells.begin() + line.size);
        std::rotate(moves.begin(), moves.begin() + i, moves.begin() + i + 1);
    }
    return true;
}

/// Plays `move` and searches the position after it. `depth`, `alpha`, `beta` and the score are the player's who moves.
int AlphaBeta::search_child(Cell move, int depth, int alpha, int beta, int ply, bool full_window, Line& line) {
    board_->play(move);
    int score = alpha;
    if (!params_.use_pruning) {
        score = -search_node(depth, -kInfinity, kInfinity, ply + 1, line);
    } else {
        if (!full_window) score = -search_node(depth, -alpha - 1, -alpha, ply + 1, line);
        if (full_window || (score > alpha && score < beta)) score = -search_node(depth, -beta, -alpha, ply + 1, line);
    }
    board_->undo();
    return score;
}

int AlphaBeta::search_node(int depth, int alpha, int beta, int ply, Line& line) {
    line.size = 0;
    if (out_of_budget()) return 0;
    ++nodes_;
    if (!use_threats() && board_->last_move_won()) return win_score(ply, 0);  // otherwise seen a move before
    if (board_->is_full()) return 0;
    const std::uint64_t hash = board_->hash();
    Cell hash_move = kNoCell;
    if (const HashEntry* entry = params_.use_hash ? table_.find(hash) : nullptr) {
        hash_move = entry->move;
        const int score = from_table(entry->score, ply);
        const bool cuts = entry->bound == Bound::kExact || (entry->bound == Bound::kLower && score >= beta) ||
                          (entry->bound == Bound::kUpper && score <= alpha);
        if (entry->depth == depth && cuts) {
            if (hash_move != kNoCell) line.set(hash_move, Line());
            return score;
        }
    }
    const Situation situation = this->situation();
    if (situation.moves.empty()) return 0;  // black has only forbidden points left: nobody can move on
    if (situation.decided) {
        if (situation.decided > 0) line.set(situation.winning_move, Line());
        return win_score(ply, situation.decided);
    }
    // A single answer costs no depth. The threat that asks for it did, so the search stays finite.
    const bool single = situation.must_answer && situation.moves.count() == 1;
    int score;
    if (depth == 0 && !single) {
        score = leaf_score(ply);
        if (params_.use_hash) table_.store(hash, to_table(score, ply), Bound::kExact, depth, kNoCell);
        return score;
    }
    score = search_moves(situation, single ? depth : depth - 1, alpha, beta, ply, hash_move, line);
    if (stopped_ || !params_.use_hash) return score;
    const Bound bound = score >= beta ? Bound::kLower : score > alpha ? Bound::kExact : Bound::kUpper;
    const Cell best = line.size > 0 ? line.cells[0] : kNoCell;
    table_.store(hash, to_table(score, ply), bound, depth, best);
    return score;
}

int AlphaBeta::search_moves(const Situation& situation, int depth, int alpha, int beta, int ply, Cell hash_move,
                            Line& line) {
    const Color mover = board_->turn();
    MoveList moves;
    list_moves(situation.moves, moves);
    if (!situation.must_answer) moves.keep_best(params_.width);
    history_.reorder(moves, mover, ply, hash_move);
    int best = -kInfinity;
    for (int i = 0; i < moves.size(); ++i) {
        const Cell move = moves.pick(i);
        Line rest;
        const int score = search_child(move, depth, std::max(alpha, best), beta, ply, i == 0, rest);
        if (stopped_) return 0;
        if (score <= best) continue;
        best = score;
        if (score > alpha || !params_.use_pruning) line.set(move, rest);
        if (params_.use_pruning && score >= beta) {
            history_.cut_off(move, mover, ply, depth + 1);
            break;
        }
    }
    return best;
}

int AlphaBeta::leaf_score(int ply) {
    const int win = params_.vct_plies > 0 ? vct_.at_leaf(*board_, params_.vct_plies) : 0;
    if (win > 0) return win_score(ply, win);
    return std::clamp(position_score(), -kWinBound + 1, kWinBound - 1);
}

bool AlphaBeta::out_of_budget() {
    if (stopped_) return true;
    if (params_.nodes > 0 && nodes_ >= params_.nodes) return stopped_ = true;
    if (nodes_ % kNodesBetweenChecks != 0) return false;
    stopped_ = stop_->load(std::memory_order_relaxed) ||
               (params_.seconds > 0 && std::chrono::steady_clock::now() >= deadline_);
    return stopped_;
}

}  // namespace tengen
