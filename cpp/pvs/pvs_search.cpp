// The tree below the root.

#include <algorithm>
#include <cmath>

#include "alphabeta/score.h"
#include "mcts/clock.h"
#include "pvs/depth.h"
#include "pvs/pvs.h"

namespace tengen {
namespace {

using namespace pvs;
using namespace score;

constexpr int kNodesBetweenChecks = 32;

/// The table's depths are quarters of a ply in a byte.
int table_depth(int depth) {
    return std::clamp(depth * 4 / kPly, 0, 127);
}

bool cuts(const HashEntry& entry, int score, int depth, int alpha, int beta) {
    const bool bounds = entry.bound == Bound::kExact || (entry.bound == Bound::kLower && score >= beta) ||
                        (entry.bound == Bound::kUpper && score <= alpha);
    return bounds && (entry.depth >= table_depth(depth) || is_certain(score));
}

}  // namespace

const Opinion& Pvs::opinion() {
    const std::uint64_t key = explorer_->hash();
    Opinion& place = opinions_.place(key);
    if (place.key != key) {
        explorer_->expand(nullptr, expansion_);
        place = Opinion::of(key, expansion_);
    }
    return place;
}

/// The score of the current position for its mover, exact between `alpha` and `beta`. With a window of one nothing but
/// the side of it that the score is on matters.
int Pvs::search(int depth, int alpha, int beta, int ply, Line& line) {
    line.size = 0;
    if (out_of_budget()) return 0;
    ++nodes_;
    deepest_ = std::max(deepest_, ply);
    const bool expected = beta - alpha > 1;
    const std::uint64_t hash = explorer_->hash();
    Cell hash_move = kNoCell;
    if (const HashEntry* entry = table_.find(hash)) {
        hash_move = entry->move;
        const int score = from_table(entry->score, ply);
        // On the expected line a cut would cost the moves of the line, for which people look.
        if (cuts(*entry, score, depth, alpha, beta) && !(expected && depth > 0)) {
            if (hash_move != kNoCell) line.set(hash_move, Line());
            return score;
        }
    }
    const Opinion& opinion = this->opinion();
    switch (opinion.proof) {
        case Proof::kWin:
            if (opinion.winning_move != kNoCell) line.set(opinion.winning_move, Line());
            return kWin - ply - 1;
        case Proof::kLoss: return -kWin + ply + 2;
        case Proof::kDraw: return 0;
        case Proof::kNone: break;
    }
    const int value = static_cast<int>(std::lround(opinion.value * kScale));
    if (ply >= Line::kMaxPly - 1) return value;
    if (opinion.evaluated) {
        if (depth <= 0) return value;
        const bool spare = depth < kMarginDepth && value - kMargin * depth / kPly >= beta;
        if (spare && !expected && !is_certain(beta)) return value;
    }
    const int score = search_moves(opinion, depth, alpha, beta, ply, hash_move, line);
    if (stopped_) return 0;
    const Bound bound = score >= beta ? Bound::kLower : score > alpha ? Bound::kExact : Bound::kUpper;
    table_.store(hash, to_table(score, ply), bound, table_depth(depth), line.size > 0 ? line.cells[0] : kNoCell);
    return score;
}

/// `opinion` by value: the cache may give its place to another position meanwhile.
int Pvs::search_moves(Opinion opinion, int depth, int alpha, int beta, int ply, Cell hash_move, Line& line) {
    const auto moves = opinion.moves.begin(), end = moves + opinion.count;
    const auto known = std::find_if(moves, end, [&](Opinion::Move move) { return move.cell == hash_move; });
    if (known != end) std::rotate(moves, known, known + 1);
    int best = -kInfinity;
    for (int i = 0; i < opinion.count; ++i) {
        const int cost = opinion.count == 1 ? 0 : cost_of(moves[i].rarity);
        const int cheap = depth - (i == 0 ? std::min(cost, kPly) : cost);
        // Too rare for what depth is left; but a position is not lost before every move of it is.
        if (cheap < kLeastDepth && best > -kWinBound) break;
        Line rest;
        const int score = search_child(moves[i].cell, cheap, depth, std::max(alpha, best), beta, ply, i == 0, rest);
        if (stopped_) return 0;
        if (score <= best) continue;
        best = score;
        if (score > alpha) line.set(moves[i].cell, rest);
        if (score >= beta) break;
    }
    // Moves that are not listed may be better than those that lose: bad, but not certain.
    constexpr int kAlmostLost = static_cast<int>(-0.98f * kScale);
    return opinion.complete ? best : std::max(best, kAlmostLost);
}

/// The score of a move for its player: the first with the whole window, others to see whether they are better at the
/// depth they deserve, and if so at that of a ply.
int Pvs::search_child(Cell move, int cheap, int depth, int alpha, int beta, int ply, bool first, Line& line) {
    explorer_->play(move);
    int score;
    if (first) {
        score = -search(cheap, -beta, -alpha, ply + 1, line);
    } else {
        const int full = std::max(cheap, depth - kPly);
        score = -search(cheap, -alpha - 1, -alpha, ply + 1, line);
        if (score > alpha && full > cheap) score = -search(full, -alpha - 1, -alpha, ply + 1, line);
        if (score > alpha && score < beta && beta - alpha > 1) score = -search(full, -beta, -alpha, ply + 1, line);
    }
    explorer_->undo();
    return score;
}

bool Pvs::out_of_budget() {
    if (stopped_) return true;
    if (limits_.playouts > 0 && nodes_ >= limits_.playouts) return stopped_ = true;
    if (nodes_ % kNodesBetweenChecks != 0) return false;
    {
        const std::lock_guard lock(mutex_);
        told_nodes_ = nodes_;
        told_depth_ = deepest_;
    }
    stopped_ = stop_requested_ || (limits_.stop && *limits_.stop) || now() >= deadline_;
    if (!stopped_) work_.rest_if_due();
    return stopped_;
}

}  // namespace tengen
