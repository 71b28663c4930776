#include "search/gomoku_explorer.h"

#include <algorithm>

#include "search/softmax.h"

namespace tengen {
namespace {

/// The same game on a board with windows of another radius.
Board with_radius(const Board& board, int radius) {
    if (radius == 0 || radius == board.geometry().code.radius()) return board;
    Board copy(board.width(), board.height(), board.rules(), radius);
    for (int ply = 0; ply < board.ply(); ++ply) copy.place(board.move_at(ply), board.color_at(ply));
    copy.set_turn(board.turn());
    return copy;
}

void set_only_move(Expansion& result, Cell move) {
    result.count = 1;
    result.moves[0] = move;
    result.priors[0] = 1;
}

void set_proof(Expansion& result, Proof proof, Cell winning_move = kNoCell) {
    result.proof = proof;
    result.winning_move = winning_move;
    result.value = value_of(proof);
}

}  // namespace

GomokuExplorer::GomokuExplorer(const Board& board, std::unique_ptr<Evaluator> evaluator, KnowledgeParams params)
    : board_(with_radius(board, evaluator->window_radius())), evaluator_(std::move(evaluator)), params_(params) {
    params_.threats = params_.threats && board_.has_windows();
}

GomokuExplorer::~GomokuExplorer() = default;

std::unique_ptr<Explorer> GomokuExplorer::clone(std::uint64_t seed) const {
    return std::make_unique<GomokuExplorer>(board_, evaluator_->clone(seed), params_);
}

void GomokuExplorer::expand(bool root, Expansion& result) {
    result.clear();
    if (is_over(result)) return;
    if (params_.threats && is_decided_by_threats(root, result)) return;

    const PointSet legal = without_forbidden(board_.empties());
    if (legal.empty()) return set_proof(result, Proof::kDraw);  // every empty point is forbidden
    PointSet moves = legal & board_.candidates();
    if (moves.empty()) moves = legal;
    result.complete = moves == legal;
    moves.for_each([&](Cell cell) { result.moves[result.count++] = cell; });
    std::span<float> priors(result.priors.data(), result.count);
    // All candidates are evaluated, then masked: a network's value looks at the cells that are listed.
    result.value = evaluator_->evaluate(board_, {result.moves.data(), priors.size()}, priors);

    if (params_.threats && board_.threats(opponent(board_.turn())).double_fours.any()) keep_defences(result);
    softmax({result.priors.data(), static_cast<std::size_t>(result.count)}, params_.prior_temperature);
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
bool GomokuExplorer::is_decided_by_threats(bool root, Expansion& result) {
    const Color mover = board_.turn();
    const Threats& own = board_.threats(mover);
    if (own.fives.any()) {
        set_proof(result, Proof::kWin, own.fives.first());
        return true;
    }
    const PointSet& enemy_fives = board_.threats(opponent(mover)).fives;
    if (enemy_fives.any()) {
        const Cell block = enemy_fives.first();
        if (enemy_fives.count() > 1 || !may_play(block)) {
            set_proof(result, Proof::kLoss);
            set_only_move(result, block);
        } else {
            result.evaluated = false;
            set_only_move(result, block);
        }
        return true;
    }
    const Cell move = winning_four(root ? params_.vcf_nodes_root : params_.vcf_nodes);
    if (move == kNoCell) return false;
    set_proof(result, Proof::kWin, move);
    return true;
}

/// A move that starts an unstoppable series of fours, when neither side has a five; kNoCell if none was found.
Cell GomokuExplorer::winning_four(int max_nodes) {
    if (!board_.threats(board_.turn()).fours.any()) return kNoCell;
    if (max_nodes == 0 || board_.rules().rule == Rule::kCaro) return kNoCell;
    for (Cell cell = 0; cell < board_.cells(); ++cell) {
        if (board_.threats(board_.turn()).double_fours.contains(cell) && may_play(cell)) return cell;
    }
    return kNoCell;
}

/// The enemy could make an open four or two fours: only own fours, and the points where the enemy would make a four,
/// can change that. Every way to spoil a four is to take its point or one of the points that would complete it, and
/// with the enemy on such a point the others make a four too.
void GomokuExplorer::keep_defences(Expansion& result) {
    if (board_.rules().rule == Rule::kCaro) return;  // a stone at the far end of a row can spoil its five
    const Color mover = board_.turn();
    const PointSet defences = board_.threats(mover).fours | board_.threats(opponent(mover)).fours;
    int kept = 0;
    for (int i = 0; i < result.count; ++i) {
        if (!defences.contains(result.moves[i])) continue;
        result.moves[kept] = result.moves[i];
        result.priors[kept++] = result.priors[i];
    }
    if (kept == 0) return;
    result.count = kept;
    result.complete = !board_.rules().has_forbidden_points();  // a quiet stone can make black's point forbidden
}

Cell GomokuExplorer::prove(int visits) {
    if (!params_.threats || params_.vcf_nodes == 0) return kNoCell;
    // The effort grows with what has already been spent on the position.
    const std::int64_t nodes = std::min<std::int64_t>(std::int64_t{params_.vcf_nodes} * visits, params_.vcf_nodes_root);
    const Color mover = board_.turn();
    if (board_.threats(mover).fives.any() || board_.threats(opponent(mover)).fives.any()) return kNoCell;
    return winning_four(static_cast<int>(nodes));
}

PointSet GomokuExplorer::without_forbidden(PointSet moves) {
    if (board_.rules().has_forbidden_points() && board_.turn() == Color::kBlack) moves -= board_.forbidden_points();
    return moves;
}

bool GomokuExplorer::may_play(Cell cell) {
    return board_.turn() == Color::kWhite || board_.foul_at(cell) == Foul::kNone;
}

}  // namespace tengen
