#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "proof/oracle.h"
#include "proof/position.h"
#include "proof/referee.h"

namespace tengen {

/// Checks a certificate: positions up to symmetry with the winner's move.
///
/// From the root it plays the winner's move at each position and looks at every reply. A reply leads to another
/// position of the certificate, or the solver must show how it loses to threats; a Referee verifies what it shows.
/// Positions are compared stone by stone, not by hash. An object belongs to one thread. Key method: `check`.
class Checker {
public:
    Checker(const Board& setup, Color winner, const Evaluator& evaluator, std::int64_t max_nodes);

    /// Adds a position of the certificate, in any orientation. False if there is one like it already.
    bool add(const ProofPosition& position, Cell move);

    /// Where a certificate fails.
    struct Fault {
        enum Kind : std::uint8_t {
            kNoMove,    ///< the winner's move is not on an empty point
            kFive,      ///< the loser makes five next
            kNoAnswer,  ///< a reply is neither in the certificate nor answered by threats
        };
        Kind kind;
        ProofPosition position;
        Cell move;
        Cell reply;
    };

    /// The side to move at `root` wins, or, if `only_move` is a cell, wins with that move. Returns the first fault, if
    /// any.
    std::optional<Fault> check(const Board& root, Cell only_move, const std::atomic<bool>& stop);

    /// Of the certificate.
    std::int64_t positions() const { return static_cast<std::int64_t>(moves_.size()); }
    std::int64_t reached() const { return static_cast<std::int64_t>(reached_.size()); }
    /// The loser's replies to moves of the certificate.
    std::int64_t replies() const { return replies_; }
    /// ... of these, answered by threats; and the trees of threats that this took.
    std::int64_t by_threats() const { return by_threats_; }
    std::int64_t trees() const { return trees_; }
    /// Within the trees.
    std::int64_t tree_positions() const { return referee_.positions(); }
    std::int64_t tree_replies() const { return referee_.replies(); }
    std::int64_t solver_nodes() const { return oracle_.nodes(); }

private:
    using Stones = std::array<std::vector<Cell>, 2>;

    std::optional<Fault> check_position(Board& board, Cell move);
    bool won_by_threats(Board& board);
    void answer_by_threats(Board& board, PointSet& replies);
    void cover(const ThreatTree& tree, PointSet& replies);

    const Color winner_;
    const std::int64_t max_nodes_;
    ThreatOracle oracle_;
    const Board empty_;
    Referee referee_;
    std::map<Stones, Cell> moves_;
    std::set<Stones> reached_;
    std::vector<Stones> to_visit_;
    std::int64_t replies_ = 0, by_threats_ = 0, trees_ = 0;
};

}  // namespace tengen
