#pragma once

#include <memory>
#include <optional>

#include "eval/evaluator.h"
#include "game/board.h"
#include "mcts/explorer.h"
#include "mcts/params.h"
#include "threats/vcf.h"
#include "threats/vct.h"

namespace tengen {

/// Gomoku for the tree search: a board, an evaluator, and knowledge of threats.
/// Key method: `expand`.
class GomokuExplorer final : public Explorer {
public:
    /// `board` need not have the evaluator's window radius: the explorer makes its own.
    GomokuExplorer(const Board& board, std::unique_ptr<Evaluator> evaluator, KnowledgeParams params);
    ~GomokuExplorer() override;

    void play(Cell move) override { board_.play(move); }
    void undo() override { board_.undo(); }
    /// The empty board's own hash is 0.
    std::uint64_t hash() const override { return ~board_.hash(); }
    std::uint64_t hash_change(Cell move, bool by_mover) const override {
        return Board::hash_change(by_mover ? board_.turn() : opponent(board_.turn()), move);
    }
    void expand(const ThreatLimits* at_root, Expansion& result) override;
    Cell prove(int visits, const ThreatLimits& limits) override;
    ThreatResult refute(const ThreatLimits& limits) override;
    void set_asking(bool asking) override { evaluator_->set_asking(asking); }
    std::unique_ptr<Explorer> clone(std::uint64_t seed) const override;

private:
    float evaluate(Expansion& result);
    void raise_threats(Expansion& result) const;
    float evaluate_candidates(Expansion& result);
    bool is_over(Expansion& result) const;
    bool is_decided_by_threats(Expansion& result);
    bool five_is_possible() const;
    Cell winning_four(ThreatLimits limits, std::int64_t max_nodes);
    ThreatResult winning_threat(ThreatLimits limits, std::int64_t max_nodes);
    std::optional<PointSet> answers_to_threat(const ThreatLimits* at_root, const PointSet& legal);

    Board board_;
    std::unique_ptr<Evaluator> evaluator_;
    KnowledgeParams params_;
    Vcf vcf_;
    std::unique_ptr<Vct> vct_;  ///< made when it is needed: its table is large
};

}  // namespace tengen
