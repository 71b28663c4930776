#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "eval/evaluator.h"
#include "game/board.h"
#include "threats/vct.h"

namespace tengen {

/// Finds wins by threats, for others to verify. An object belongs to one thread.
class ThreatOracle {
public:
    /// With `guided` the evaluator, if it can, tells the solver where to look.
    ThreatOracle(const Evaluator& evaluator, bool guided, int log2_table_entries)
        : evaluator_(evaluator.clone(1)), guided_(guided), vct_(log2_table_entries) {}

    /// How the side to move wins, if that is found within so many nodes; with `patience` above 1 it follows each line
    /// of fours so many times as far.
    std::optional<ThreatTree> ask(Board& board, std::int64_t max_nodes, int patience = 1) {
        ThreatLimits limits{.max_nodes = max_nodes};
        limits.max_nodes_of_fours *= patience;
        const ThreatResult result = vct_.solve(board, limits, guided_ ? evaluator_->guide() : ThreatGuide());
        nodes_ += result.nodes;
        if (result.status != ThreatResult::kWin) return {};
        ThreatTree tree = vct_.tree(board);
        if (tree.empty()) return {};
        return tree;
    }

    Evaluator& evaluator() { return *evaluator_; }
    /// Nodes spent since construction.
    std::int64_t nodes() const { return nodes_; }

private:
    std::unique_ptr<Evaluator> evaluator_;
    bool guided_;
    Vct vct_;
    std::int64_t nodes_ = 0;
};

}  // namespace tengen
