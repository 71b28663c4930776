#pragma once

#include <cstdint>
#include <vector>

#include "eval/evaluator.h"
#include "game/board.h"
#include "threats/threat_tree.h"

namespace tengen {

/// Replies that lose to the same tree of threats.
struct ThreatAnswer {
    ThreatTree tree;
    std::vector<int> lengths;  ///< of each node of the tree: moves of the winner up to the five, at most
    std::vector<Cell> replies;
};

/// The winner has just moved: how it answers replies by threats. The first entry is what it threatens if the loser
/// passes (perhaps nothing: an empty tree). A Referee has verified each reply; those in no entry are not answered. The
/// same question always has the same answer: nothing is remembered from an earlier one. The solver gets `max_nodes` for
/// a reply, and more where these do not suffice.
std::vector<ThreatAnswer> answers_by_threats(Board& board, std::vector<Cell> replies, const Evaluator& evaluator,
                                             std::int64_t max_nodes);

}  // namespace tengen
