#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "game/board.h"
#include "threats/limits.h"
#include "threats/node_budget.h"
#include "threats/threat_cache.h"

namespace tengen {

/// Victory by continuous fours: the attacker makes a four with every move, so that the defender has one reply (or
/// none) each time, until a five.
///
/// Exact under every rule: what it calls a win is one. The defender's fives come first, a block that makes a four must
/// be answered by a move that is itself a four, black's forbidden points count in renju for attacker and defender, and
/// in caro a five can also be stopped by closing its ends. Made to be called at every expansion of a tree search:
/// nothing is allocated after construction, most positions fail after a look at the threat sets, failures are
/// remembered. An object belongs to one thread. Key method: `search`.
class Vcf {
public:
    explicit Vcf(int log2_cache_entries = 16);

    /// Does the side to move win by fours? The board is changed during the call and restored.
    ThreatResult solve(Board& board, std::int64_t max_nodes) { return solve_for(board, board.turn(), max_nodes); }
    /// `max_depth` bounds the plies up to the five.
    ThreatResult solve(Board& board, const ThreatLimits& limits) { return solve_for(board, board.turn(), limits); }

    /// Would `attacker` win by fours if it were to move now? For the enemy: what it threatens.
    ThreatResult solve_for(Board& board, Color attacker, std::int64_t max_nodes);
    ThreatResult solve_for(Board& board, Color attacker, const ThreatLimits& limits);

    /// After a win, and on the same position: the moves of both sides up to the five, or up to a four whose only
    /// block is forbidden. In caro, where a four can have several replies, one of the variations.
    std::vector<Cell> line(Board& board);
    /// The number of plies of that line.
    int line_length() const { return length_ + (ends_with_five_ ? 0 : 2); }

    /// After a win, and on the same position: a set of points that contains every single stone of the defender that
    /// can save it, if the stone makes neither a five nor a four (those the caller must look at one by one).
    ///
    /// Why a stone elsewhere does not help. The attacker plays the same line. (1) Its points and the points of its
    /// fives are in the set, so they are still empty, and a defender's stone off a row never spoils it; in caro it
    /// does at the ends, which are therefore in the set too. (2) The replies stay forced unless the stone, together
    /// with a forced reply, threatens a five of the defender: after every reply, all points that would make a four
    /// with it are in the set. (3) In renju the stone may change what is forbidden. Double fours and overlines depend
    /// on the lines through the point alone, and those points are in the set if the line ends with a forbidden block.
    /// Double threes depend on other points in turn: if the line needs one of these verdicts the set is every empty
    /// point. White's stones cannot create overlines or fours of black.
    PointSet defences(Board& board);

    /// Forgets everything: the same questions then cost the same nodes again.
    void clear() { cache_.clear(); }

private:
    /// Fours that a line may have; longer ones are given up. No known game comes near.
    static constexpr int kMaxFours = 96;
    /// More four points than any game has; the rest is left out and the result is then at best unknown.
    static constexpr int kMaxAttacks = 160;
    /// The moves that stop a five: at it or, in caro, at the two ends of its rows on four lines.
    static constexpr int kMaxBlocks = 9;

    using Status = ThreatResult::Status;
    struct Blocks {
        std::array<Cell, kMaxBlocks> cells;
        int count = 0;
    };

    Status search(Board& board, int depth);
    Status try_attacks(Board& board, int depth, const PointSet& attacks, Cell hint, Cell* winner);
    Status try_attack(Board& board, int depth, Cell attack);
    bool wins_at_once(Board& board, int depth, const PointSet& attacks);
    Blocks blocks_after(Board& board, Cell attack);
    void finish(int depth, Cell move, bool with_five);
    void gather_defences(Board& board, int depth, PointSet& zone);
    void gather_replies(Board& board, int depth, PointSet& zone);
    void gather_foul_dependence(Board& board, Cell block, PointSet& zone);
    bool foul_is_near(Board& board, Cell cell, Color color) const;

    ThreatCache cache_;
    NodeBudget budget_;
    std::uint64_t salt_ = 0;
    bool caro_ = false;
    bool fouls_ = false;
    int max_fours_ = kMaxFours;
    Color attacker_ = Color::kBlack;
    /// The winning line: attacks at even places, replies at odd ones, `length_` of them.
    std::array<Cell, 2 * kMaxFours + 2> path_;
    int length_ = 0;
    bool ends_with_five_ = false;
};

}  // namespace tengen
