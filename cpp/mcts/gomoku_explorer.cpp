#include "mcts/gomoku_explorer.h"

#include <algorithm>

#include "nn/softmax.h"
#include "threats/rows.h"

namespace tengen {
namespace {

/// Moves between which nothing is known to choose.
void set_moves(Expansion& result, const PointSet& moves) {
    moves.for_each([&](Cell cell) { result.moves[result.count++] = cell; });
    std::fill_n(result.priors.begin(), result.count, 1 / static_cast<float>(result.count));
}

void set_proof(Expansion& result, Proof proof, Cell winning_move = kNoCell) {
    result.proof = proof;
    result.winning_move = winning_move;
    result.value = value_of(proof);
}

}  // namespace

GomokuExplorer::GomokuExplorer(const Board& board, std::unique_ptr<Evaluator> evaluator, KnowledgeParams params)
    : board_(board.with_radius(evaluator->window_radius())), evaluator_(std::move(evaluator)), params_(params) {
    params_.threats = params_.threats && board_.has_windows();
}

GomokuExplorer::~GomokuExplorer() = default;

std::unique_ptr<Explorer> GomokuExplorer::clone(std::uint64_t seed) const {
    return std::make_unique<GomokuExplorer>(board_, evaluator_->clone(seed), params_);
}

void GomokuExplorer::expand(const ThreatLimits* at_root, Expansion& result) {
    result.clear();
    if (is_over(result)) return;
    if (params_.threats && is_decided_by_threats(result)) return;

    const PointSet legal = board_.legal(board_.empties());
    if (legal.empty()) return set_proof(result, Proof::kDraw);  // every empty point is forbidden
    const std::optional<PointSet> answers = answers_to_threat(at_root, legal);
    if (answers && answers->empty()) set_proof(result, Proof::kLoss);
    const PointSet candidates = board_.candidates();
    PointSet moves = answers && answers->any() ? *answers : legal & candidates;
    if (moves.empty()) moves = legal;
    moves.for_each([&](Cell cell) { result.moves[result.count++] = cell; });
    const float value = moves == candidates ? evaluate(result) : evaluate_candidates(result);
    if (result.proof == Proof::kNone) result.value = value;
    result.complete = answers || moves == legal;
    softmax({result.priors.data(), static_cast<std::size_t>(result.count)}, params_.prior_temperature);
    if (params_.threats && params_.threat_share > 0) raise_threats(result);
}

/// Gives the mover's threats their share of the priors.
void GomokuExplorer::raise_threats(Expansion& result) const {
    const Threats& threats = board_.threats(board_.turn());
    const PointSet raised = threats.fours | threats.open_threes;
    const auto is_raised = [&](Cell cell) { return raised.contains(cell); };
    const auto count = std::count_if(result.moves.begin(), result.moves.begin() + result.count, is_raised);
    if (count == 0) return;
    const float share = params_.threat_share / static_cast<float>(count);
    for (int i = 0; i < result.count; ++i) {
        result.priors[i] = (1 - params_.threat_share) * result.priors[i] + (is_raised(result.moves[i]) ? share : 0);
    }
}

float GomokuExplorer::evaluate(Expansion& result) {
    const auto count = static_cast<std::size_t>(result.count);
    return evaluator_->evaluate(board_, {result.moves.data(), count}, {result.priors.data(), count});
}

/// The same where the moves are not all candidates, or others too: an evaluator is shown what it learned from.
float GomokuExplorer::evaluate_candidates(Expansion& result) {
    CellLogits logits;
    const float value = evaluator_->evaluate_candidates(board_, logits);
    for (int i = 0; i < result.count; ++i) result.priors[i] = logits[result.moves[i]];
    return value;
}

bool GomokuExplorer::is_over(Expansion& result) const {
    if (board_.last_move_won()) {
        set_proof(result, Proof::kLoss);
        return true;
    }
    if (board_.is_full()) {
        set_proof(result, Proof::kDraw);
        return true;
    }
    return false;
}

/// Fives and fours that leave no choice. True when there is nothing more to find out about the position.
bool GomokuExplorer::is_decided_by_threats(Expansion& result) {
    const Color mover = board_.turn();
    if (const PointSet& fives = board_.threats(mover).fives; fives.any()) {
        set_proof(result, Proof::kWin, fives.first());
        return true;
    }
    const PointSet enemy_fives = board_.threats(opponent(mover)).fives;
    if (enemy_fives.any()) {
        const PointSet stops = board_.legal(moves_that_stop_fives(board_));
        if (stops.count() > 1) return false;  // caro leaves a choice
        if (stops.any()) {
            result.evaluated = false;
            set_moves(result, stops);
            return true;
        }
        // Who resists plays one of them. If all are forbidden, so is every way to resist.
        PointSet moves = board_.legal(enemy_fives);
        if (moves.empty()) moves = board_.legal(board_.empties());
        if (moves.empty()) return false;
        set_proof(result, Proof::kLoss);
        set_moves(result, moves);
        return true;
    }
    const Cell move = winning_four({}, params_.vcf_nodes);
    if (move == kNoCell) return false;
    set_proof(result, Proof::kWin, move);
    return true;
}

/// A move that starts an unstoppable series of fours, when neither side has a five; kNoCell if none was found.
Cell GomokuExplorer::winning_four(ThreatLimits limits, std::int64_t max_nodes) {
    limits.max_nodes = std::min(limits.max_nodes, max_nodes);
    if (limits.max_nodes == 0 || board_.threats(board_.turn()).fours.empty()) return kNoCell;
    const ThreatResult found = vcf_.solve(board_, limits);
    return found.status == ThreatResult::Status::kWin ? found.move : kNoCell;
}

/// The same with threes and fours.
ThreatResult GomokuExplorer::winning_threat(ThreatLimits limits, std::int64_t max_nodes) {
    limits.max_nodes = std::min(limits.max_nodes, max_nodes);
    if (limits.max_nodes == 0) return {};
    if (!vct_) vct_ = std::make_unique<Vct>(14);
    return vct_->solve(board_, limits, evaluator_->guide());
}

/// If the enemy would win by a five or by fours after a pass: the moves that may stop it. All others are known to lose.
std::optional<PointSet> GomokuExplorer::answers_to_threat(const ThreatLimits* at_root, const PointSet& legal) {
    if (!params_.threats) return std::nullopt;
    const Color mover = board_.turn();
    if (board_.threats(opponent(mover)).fives.any()) return legal & moves_that_stop_fives(board_);
    ThreatLimits limits = at_root ? *at_root : ThreatLimits();
    limits.max_nodes = at_root ? params_.vcf_nodes_root : params_.vcf_nodes_defence;
    if (limits.max_nodes == 0 || board_.threats(opponent(mover)).fours.empty()) return std::nullopt;
    const PointSet own_fours = board_.threats(mover).fours;  // now: the solver plays on this board
    const ThreatResult found = vcf_.solve_for(board_, opponent(mover), limits);
    if (found.status != ThreatResult::Status::kWin) return std::nullopt;
    return legal & (vcf_.defences(board_) | own_fours);
}

Cell GomokuExplorer::prove(int visits, const ThreatLimits& limits) {
    if (!params_.threats || five_is_possible()) return kNoCell;
    // The effort grows with what has already been spent on the position.
    const std::int64_t nodes = std::min<std::int64_t>(std::int64_t{params_.vcf_nodes} * visits, params_.vcf_nodes_root);
    const Cell move = winning_four(limits, nodes);
    // Threats in other positions than the root's find too little for their time.
    return move == kNoCell && visits == kAtRoot ? winning_threat(limits, params_.vct_nodes_root).move : move;
}

ThreatResult GomokuExplorer::refute(const ThreatLimits& limits) {
    if (!params_.threats || board_.last_move_won() || five_is_possible()) return {.status = ThreatResult::kNone};
    return winning_threat(limits, limits.max_nodes);
}

/// Then there is nothing to search for: it is made, or stopped.
bool GomokuExplorer::five_is_possible() const {
    return board_.threats(Color::kBlack).fives.any() || board_.threats(Color::kWhite).fives.any();
}

}  // namespace tengen
