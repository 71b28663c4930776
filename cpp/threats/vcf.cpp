#include "threats/vcf.h"

#include <algorithm>
#include <cassert>

#include "game/random.h"
#include "threats/rows.h"

namespace tengen {
namespace {

/// Hands the move to `color` for the time of a scope.
class TurnOf {
public:
    TurnOf(Board& board, Color color) : board_(board), before_(board.turn()) { board.set_turn(color); }
    ~TurnOf() { board_.set_turn(before_); }
    TurnOf(const TurnOf&) = delete;
    TurnOf& operator=(const TurnOf&) = delete;

private:
    Board& board_;
    Color before_;
};

}  // namespace

Vcf::Vcf(int log2_cache_entries) : cache_(log2_cache_entries) {}

ThreatResult Vcf::solve_for(Board& board, Color attacker, std::int64_t max_nodes) {
    // The common failure, before anything else is set up.
    const Threats& threats = board.threats(attacker);
    if (board.has_windows() && threats.fours.empty() && threats.fives.empty()) return {ThreatResult::kNone, kNoCell, 0};
    return solve_for(board, attacker, ThreatLimits{.max_nodes = max_nodes});
}

ThreatResult Vcf::solve_for(Board& board, Color attacker, const ThreatLimits& limits) {
    if (!board.has_windows()) return {};
    const TurnOf turn(board, attacker);
    const Rules rules = board.rules();
    attacker_ = attacker;
    caro_ = rules.rule == Rule::kCaro;
    fouls_ = rules.has_forbidden_points();
    budget_ = NodeBudget(limits);
    max_fours_ = limits.max_depth > 0 ? std::min(kMaxFours, (limits.max_depth + 1) / 2) : kMaxFours;
    // Boards of other sizes and rules share the hash keys of stones. A depth limit makes failures depend on the root.
    const std::uint64_t setup =
        static_cast<std::uint64_t>(rules.rule) | rules.n << 4 | board.width() << 10 | board.height() << 16 |
        static_cast<std::uint64_t>(limits.max_depth > 0 ? board.ply() + limits.max_depth + 1 : 0) << 24;
    salt_ = split_mix(setup);
    length_ = 0;
    [[maybe_unused]] const std::uint64_t hash = board.hash();
    const Status status = search(board, 0);
    assert(board.hash() == hash);  // every stone is taken back
    return {status, status == ThreatResult::kWin ? path_[0] : kNoCell, budget_.spent()};
}

/// The attacker is to move.
Vcf::Status Vcf::search(Board& board, int depth) {
    if (!budget_.take()) return ThreatResult::kUnknown;
    const Threats& own = board.threats(board.turn());
    if (depth >= max_fours_) return own.fives.any() || own.fours.any() ? ThreatResult::kUnknown : ThreatResult::kNone;
    if (own.fives.any()) {
        finish(depth, own.fives.first(), true);
        return ThreatResult::kWin;
    }
    PointSet attacks = own.fours;
    if (attacks.empty()) return ThreatResult::kNone;
    const PointSet& enemy_fives = board.threats(opponent(board.turn())).fives;
    // In caro a five is also stopped beside its row: there try_attack looks whether the enemy's fives are gone.
    if (!caro_ && enemy_fives.any()) {
        attacks &= enemy_fives;
        if (attacks.empty() || enemy_fives.count() > 1) return ThreatResult::kNone;
    }
    if (depth + 1 >= max_fours_) return ThreatResult::kUnknown;
    if (!caro_ && wins_at_once(board, depth, attacks & own.double_fours)) return ThreatResult::kWin;

    const std::uint64_t key = board.hash() ^ salt_;
    const ThreatCache::Found known = cache_.find(key);
    const std::int64_t budget = budget_.left();
    if (known.complete) return ThreatResult::kNone;
    if (known.failed && budget <= known.budget) return ThreatResult::kUnknown;
    Cell winner = kNoCell;
    const Status status = try_attacks(board, depth, attacks, known.winning_move, &winner);
    if (status == ThreatResult::kWin) {
        cache_.remember_win(key, winner);
    } else if (status == ThreatResult::kNone) {
        cache_.remember_failure(key);
    } else if (!budget_.interrupted()) {
        cache_.remember_failure(key, budget);
    }
    return status;
}

/// A move among these, which all make an open four or two fours, wins unless it is forbidden.
bool Vcf::wins_at_once(Board& board, int depth, const PointSet& attacks) {
    if (attacks.empty()) return false;
    Cell winner = attacks.first();
    if (fouls_ && board.turn() == Color::kBlack) {
        winner = kNoCell;
        attacks.for_each([&](Cell cell) {
            if (winner == kNoCell && board.foul_at(cell) == Foul::kNone) winner = cell;
        });
        if (winner == kNoCell) return false;
    }
    finish(depth, winner, false);
    return true;
}

Vcf::Status Vcf::try_attacks(Board& board, int depth, const PointSet& attacks, Cell hint, Cell* winner) {
    std::array<Cell, kMaxAttacks> order;
    int count = 0;
    bool complete = true;
    auto append = [&](Cell cell) {
        if (count < kMaxAttacks) {
            order[count++] = cell;
        } else {
            complete = false;
        }
    };
    // The move that won before, then fours that make an open three as well, then the rest.
    PointSet rest = attacks;
    if (hint != kNoCell && attacks.contains(hint)) {
        append(hint);
        rest.remove(hint);
    }
    const PointSet with_three = rest & board.threats(board.turn()).open_threes;
    with_three.for_each(append);
    (rest - with_three).for_each(append);

    for (int i = 0; i < count; ++i) {
        const Status status = try_attack(board, depth, order[i]);
        if (status == ThreatResult::kWin) {
            *winner = order[i];
            return status;
        }
        if (status == ThreatResult::kUnknown) {
            complete = false;
            if (budget_.left() == 0) break;
        }
    }
    return complete ? ThreatResult::kNone : ThreatResult::kUnknown;
}

/// Plays one four and every reply that stops it.
Vcf::Status Vcf::try_attack(Board& board, int depth, Cell attack) {
    if (fouls_ && board.turn() == Color::kBlack && board.foul_at(attack) != Foul::kNone) return ThreatResult::kNone;
    const Blocks blocks = blocks_after(board, attack);  // plays the attack
    Status status = ThreatResult::kWin;
    if (caro_ && board.threats(board.turn()).fives.any()) {
        status = ThreatResult::kNone;
    } else if (blocks.count == 0) {
        finish(depth, attack, false);
    }
    for (int i = 0; i < blocks.count && status == ThreatResult::kWin; ++i) {
        board.play(blocks.cells[i]);
        status = search(board, depth + 1);
        board.undo();
        path_[2 * depth + 1] = blocks.cells[i];
    }
    board.undo();
    path_[2 * depth] = attack;
    return status;
}

/// Plays `attack`, a four, and returns the defender's moves after which no five is left.
Vcf::Blocks Vcf::blocks_after(Board& board, Cell attack) {
    Blocks blocks;
    if (caro_) {
        board.play(attack);
        moves_that_stop_fives(board).for_each([&](Cell cell) { blocks.cells[blocks.count++] = cell; });
        return blocks;
    }
    // Here every attack is one simple four: those with two fives were looked at before, and won or are forbidden.
    const Color attacker = board.turn();
    int direction = 0;
    while (direction + 1 < kDirections && board.shape(attack, direction, attacker).shape < Shape::kFour) ++direction;
    board.play(attack);
    const Cell block = five_on_line(board, attack, direction, attacker);
    if (!fouls_ || attacker == Color::kBlack || board.foul_at(block) == Foul::kNone) {
        blocks.cells[0] = block;
        blocks.count = 1;
    }
    return blocks;
}

void Vcf::finish(int depth, Cell move, bool with_five) {
    path_[2 * depth] = move;
    length_ = 2 * depth + 1;
    ends_with_five_ = with_five;
}

std::vector<Cell> Vcf::line(Board& board) {
    const TurnOf turn(board, attacker_);
    std::vector<Cell> cells(path_.begin(), path_.begin() + length_);
    if (length_ == 0 || ends_with_five_) return cells;
    for (Cell cell : cells) board.play(cell);
    // The defender blocks one five, and the attacker makes another.
    const PointSet fives = board.threats(attacker_).fives;
    Cell block = kNoCell;
    fives.for_each([&](Cell cell) {
        const bool allowed = !fouls_ || attacker_ == Color::kBlack || board.foul_at(cell) == Foul::kNone;
        if (block == kNoCell && allowed) block = cell;
    });
    if (block != kNoCell) {
        board.play(block);
        cells.push_back(block);
        cells.push_back(board.threats(attacker_).fives.first());
        board.undo();
    }
    for (int i = 0; i < length_; ++i) board.undo();
    return cells;
}

PointSet Vcf::defences(Board& board) {
    const TurnOf turn(board, attacker_);
    PointSet zone;
    const auto path = path_;
    const int length = length_;
    const bool ends_with_five = ends_with_five_;
    gather_defences(board, 0, zone);
    path_ = path;
    length_ = length;
    ends_with_five_ = ends_with_five;
    return zone & board.empties();
}

/// Follows the winning line from the attacker's move at `depth`.
void Vcf::gather_defences(Board& board, int depth, PointSet& zone) {
    const Color attacker = board.turn();
    const Cell attack = path_[2 * depth];
    zone.add(attack);
    if (board.threats(attacker).fives.contains(attack)) {
        if (caro_) add_row_ends(board, attack, attacker, zone);
        return;
    }
    if (foul_is_near(board, attack, attacker)) zone |= board.geometry().all();
    board.play(attack);
    const PointSet fives = board.threats(attacker).fives;
    zone |= fives;
    if (caro_) fives.for_each([&](Cell five) { add_row_ends(board, five, attacker, zone); });
    if (2 * depth + 1 == length_) {
        if (fives.count() == 1) gather_foul_dependence(board, fives.first(), zone);
    } else {
        gather_replies(board, depth, zone);
    }
    board.undo();
}

/// The same after a four. The remembered line is that of one reply, which is looked at before others overwrite it.
void Vcf::gather_replies(Board& board, int depth, PointSet& zone) {
    const Color defender = board.turn();
    auto gather = [&](Cell reply) {
        if (board.threats(opponent(defender)).fives.empty()) add_fours_with(board, reply, defender, zone);
        gather_defences(board, depth + 1, zone);
    };
    const Cell main_reply = path_[2 * depth + 1];
    board.play(main_reply);
    gather(main_reply);
    board.undo();
    if (!caro_) return;
    PointSet others = moves_that_stop_fives(board);
    others.remove(main_reply);
    others.for_each([&](Cell reply) {
        board.play(reply);
        if (search(board, depth + 1) == ThreatResult::kWin) {
            gather(reply);
        } else {
            zone |= board.geometry().all();
        }
        board.undo();
    });
}

/// The line ends with a four whose only block is forbidden: what could make the block legal?
void Vcf::gather_foul_dependence(Board& board, Cell block, PointSet& zone) {
    const Foul foul = board.foul_at(block);
    if (foul == Foul::kDoubleThree) {
        zone |= board.geometry().all();
    } else if (foul != Foul::kNone) {
        add_lines_through(board, block, zone);
    }
}

/// Is black's move here legal only because one of two line-local threes is not a real one? Then a white stone far
/// away can change the verdict.
bool Vcf::foul_is_near(Board& board, Cell cell, Color color) const {
    if (!fouls_ || color != Color::kBlack) return false;
    int threes = 0;
    for (int direction = 0; direction < kDirections; ++direction) {
        threes += board.shape(cell, direction, color).shape == Shape::kOpenThree;
    }
    return threes >= 2;
}

}  // namespace tengen
