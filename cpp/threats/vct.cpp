#include "threats/vct.h"

#include <algorithm>
#include <cassert>
#include <span>
#include <utility>

#include "game/exponential.h"
#include "game/random.h"
#include "threats/rows.h"

namespace tengen {

Vct::Vct(int log2_table_entries)
    : vcf_(log2_table_entries), table_(log2_table_entries), opinions_(log2_table_entries + 2) {}

void Vct::clear() {
    vcf_.clear();
    table_.clear();
    opinions_.clear();
}

ThreatResult Vct::solve(Board& board, const ThreatLimits& limits, ThreatGuide guide) {
    if (!board.has_windows()) return {};
    guide_ = std::move(guide);
    attacker_ = board.turn();
    limits_ = limits;
    budget_ = NodeBudget(limits);
    max_depth_ = limits.max_depth > 0 ? std::min(limits.max_depth, kMaxPlies) : kMaxPlies;
    // A position means something else with another attacker, with another number of plies left below it, or if more
    // of the wins by fours are seen.
    const int last_ply = limits.max_depth > 0 ? board.ply() + max_depth_ : 0;
    const std::int64_t more_fours = limits.max_nodes_of_fours - ThreatLimits().max_nodes_of_fours;
    const std::uint64_t setup = static_cast<std::uint64_t>(board.rules().rule) | board.rules().n << 4 |
                                board.width() << 10 | board.height() << 16 | index(attacker_) << 22 |
                                static_cast<std::uint64_t>(last_ply) << 24 |
                                static_cast<std::uint64_t>(more_fours) << 40;
    salt_ = split_mix(setup);
    ProofNumbers proof;
    [[maybe_unused]] const std::uint64_t hash = board.hash();
    if (!long_vcf(board, limits, &proof)) proof = prove(board, 0, ProofNumbers::kInfinite, ProofNumbers::kInfinite);
    assert(board.hash() == hash);  // every stone is taken back
    ThreatResult result{ThreatResult::kUnknown, kNoCell, budget_.spent()};
    if (proof.won()) {
        result.status = ThreatResult::kWin;
        result.move = proof.move;
    } else if (proof.lost()) {
        result.status = ThreatResult::kNone;
    }
    return result;
}

/// A long win by fours is worth a good part of the effort before any three is tried.
bool Vct::long_vcf(Board& board, ThreatLimits limits, ProofNumbers* proof) {
    limits.max_nodes = std::max(std::min(limits.max_nodes, limits.max_nodes_of_fours), limits.max_nodes / 8);
    limits.max_depth = 0;
    const ThreatResult fours = vcf_.solve(board, limits);
    budget_.take(std::min(fours.nodes, budget_.left()));
    if (fours.status != ThreatResult::kWin) return false;
    *proof = ProofNumbers::win(vcf_.line_length(), fours.move, true);
    table_.store(key(board), *proof, 1);
    return true;
}

/// Does `attacker_` win by fours, now or, if it is not to move, when the defender passes?
ThreatResult Vct::vcf(Board& board) {
    const ThreatResult result = vcf_.solve_for(board, attacker_, std::min(limits_.max_nodes_of_fours, budget_.left()));
    budget_.take(result.nodes);
    return result;
}

/// Searches a position until it is won, lost, or as hard as a limit says. When the budget ends the numbers so far.
ProofNumbers Vct::prove(Board& board, int depth, std::uint32_t proof_limit, std::uint32_t disproof_limit) {
    const std::int64_t spent_before = budget_.spent();
    ProofNumbers total;
    if (!budget_.take()) return total;
    const bool attacker = attacker_moves(board);
    Children children(stack_);
    const bool known = attacker ? attacks(board, depth, children, total) : replies(board, children, total);
    if (!total.won() && budget_.left() == 0) return {};  // threats may have been overlooked for want of nodes
    if (known) {
        table_.store(key(board), total, static_cast<std::uint32_t>(budget_.spent() - spent_before));
        return total;
    }
    if (guide_) ask_guide(board, attacker, children.all());
    while (true) {
        std::uint32_t second;
        const int chosen = pick(children.all(), attacker, &total, &second);
        const Child best = children[chosen];
        if (total.proof >= proof_limit || total.disproof >= disproof_limit || budget_.left() == 0) break;
        // The child may go on until another one looks better (by a quarter, lest the search hops), or until this
        // node's own limit is reached. The sums of the siblings belong to the other player's number.
        const std::uint32_t change = ProofNumbers::sum(second, second / 4 + 1);
        std::uint32_t child_proof, child_disproof;
        if (attacker) {
            child_proof = std::min(proof_limit, change);
            child_disproof = disproof_limit - (total.disproof - best.proof.disproof);
        } else {
            child_disproof = std::min(disproof_limit, change);
            child_proof = proof_limit - (total.proof - best.proof.proof);
        }
        board.play(best.move);
        children[chosen].proof = prove(board, depth + 1, child_proof, child_disproof);
        board.undo();
        // Positions reached by another order of moves may have been solved meanwhile.
        for (Child& child : children.all()) table_.find(child.key, &child.proof);
    }
    table_.store(key(board), total, static_cast<std::uint32_t>(budget_.spent() - spent_before));
    return total;
}

/// Guesses the work for the children that have not been searched. The better the attacker stands, the less there is to
/// prove and the more to disprove. A move that looks worse than the best one for its own side is more work for that
/// side, and a little less for the other. The constants were chosen for the fewest nodes on won positions of games.
void Vct::ask_guide(Board& board, bool attacker_moves, std::span<Child> children) {
    constexpr float kUnit = 128, kFaith = 3, kMostFaith = 20.085537f /* e^kFaith */;
    constexpr float kOwn = 1.8f, kOther = 0.4f, kLeast = 0.001f;
    if (std::ranges::all_of(children, &Child::known)) return;
    CellLogits logits;
    const float value = opinion(board, children, logits);
    const float faith = kMostFaith * exp_nonpositive(kFaith * ((attacker_moves ? value : -value) - 1));
    float best = logits[children[0].move];
    for (const Child& child : children) best = std::max(best, logits[child.move]);
    for (Child& child : children) {
        if (child.known) continue;
        ProofNumbers& numbers = child.proof;
        const float worse = best - logits[child.move];
        const float own = 1 / std::max(exp_nonpositive(-kOwn * worse), kLeast);
        const float other = std::max(exp_nonpositive(-kOther * worse), kLeast);
        const auto first = static_cast<float>(numbers.proof);  // of a three: more than of a four
        const float proof = kUnit * first / faith * (attacker_moves ? own : other);
        const float disproof = kUnit * faith * (attacker_moves ? other : own);
        numbers.proof = static_cast<std::uint32_t>(std::max(1.0f, proof));
        numbers.disproof = static_cast<std::uint32_t>(std::max(1.0f, disproof));
    }
}

/// What the guide says of the position and, in `logits`, of the children.
float Vct::opinion(Board& board, std::span<const Child> children, CellLogits& logits) {
    const std::uint64_t position = key(board);
    float value;
    bool known = opinions_.find(position, kNoCell, &value);
    for (const Child& child : children) known = known && opinions_.find(position, child.move, &logits[child.move]);
    if (known) return value;
    value = guide_(board, logits);
    opinions_.store(position, kNoCell, value);
    for (const Child& child : children) opinions_.store(position, child.move, logits[child.move]);
    return value;
}

/// The numbers of a node from its children's, and the child to search next with the runner-up's number.
/// The attacker needs one move that wins, the defender one that does not lose.
int Vct::pick(std::span<const Child> children, bool attacker, ProofNumbers* total, std::uint32_t* second) const {
    int best = 0;
    std::uint32_t least = ProofNumbers::kInfinite, sum = 0;
    *second = ProofNumbers::kInfinite;
    int longest = 0;
    for (int i = 0; i < static_cast<int>(children.size()); ++i) {
        const ProofNumbers& proof = children[i].proof;
        const std::uint32_t own = attacker ? proof.proof : proof.disproof;
        if (i == 0 || own < least) {
            *second = i == 0 ? ProofNumbers::kInfinite : least;
            least = own;
            best = i;
        } else {
            *second = std::min(*second, own);
        }
        sum = ProofNumbers::sum(sum, attacker ? proof.disproof : proof.proof);
        longest = std::max<int>(longest, proof.length);
    }
    const Child& chosen = children[best];
    if (attacker) {
        const int length = chosen.proof.length + 1;
        *total =
            least == 0 ? ProofNumbers::win(length, chosen.move, false) : ProofNumbers{.proof = least, .disproof = sum};
    } else {
        *total =
            sum == 0 ? ProofNumbers::win(longest + 1, kNoCell, false) : ProofNumbers{.proof = sum, .disproof = least};
    }
    return best;
}

/// The attacker's threats. True when the verdict is known without searching them.
bool Vct::attacks(Board& board, int depth, Children& children, ProofNumbers& verdict) {
    const ThreatResult fours = vcf(board);
    if (fours.status == ThreatResult::kWin) {
        verdict = ProofNumbers::win(vcf_.line_length(), fours.move, true);
        return true;
    }
    verdict = depth >= kMaxPlies ? ProofNumbers::given_up() : ProofNumbers::loss();
    if (depth >= max_depth_) return true;
    // A five of the defender must be stopped; that keeps the attack going if the earlier threats are still there.
    const bool must_stop = board.threats(opponent(attacker_)).fives.any();
    const Threats& own = board.threats(attacker_);
    const PointSet moves = must_stop ? moves_that_stop_fives(board) : own.fours | own.open_threes;
    moves.for_each([&](Cell move) {
        if (budget_.left() > 0) consider_attack(board, move, children);
    });
    return children.empty();
}

/// Adds a move if it is legal and a threat.
void Vct::consider_attack(Board& board, Cell move, Children& children) {
    if (board.has_fouls(attacker_) && board.foul_at(move) != Foul::kNone) return;
    board.play(move);
    if (board.threats(board.turn()).fives.empty()) {
        ProofNumbers proof;
        const bool is_four = board.threats(attacker_).fives.any();
        const bool known = table_.find(key(board), &proof);
        if (!known) {
            const bool threatens = is_four || guide_ || vcf(board).status == ThreatResult::kWin;
            proof = threatens ? ProofNumbers{.proof = is_four ? 1u : kRepliesToThree} : ProofNumbers::loss();
        }
        if (!proof.lost()) children.add({move, key(board), proof, known});
    }
    board.undo();
}

/// The defender's moves that do not lose at once. True when the verdict is known without searching them.
bool Vct::replies(Board& board, Children& children, ProofNumbers& verdict) {
    verdict = ProofNumbers::loss();
    const Color defender = board.turn();
    if (board.threats(defender).fives.any()) return true;
    PointSet moves;
    if (board.threats(attacker_).fives.any()) {
        moves = moves_that_stop_fives(board);
    } else {
        const PointSet own_fours = board.threats(defender).fours;  // now: the solver plays on this board
        if (vcf(board).status != ThreatResult::kWin) return true;
        moves = vcf_.defences(board) | own_fours;
    }
    board.legal(moves).for_each([&](Cell move) {
        board.play(move);
        ProofNumbers proof;
        const bool known = table_.find(key(board), &proof);
        children.add({move, key(board), proof, known});
        board.undo();
    });
    if (children.empty()) verdict = ProofNumbers::win(0, kNoCell, false);
    return children.empty();
}

std::vector<Cell> Vct::line(Board& board) {
    std::vector<Cell> cells;
    budget_ = NodeBudget({.max_seconds = limits_.max_seconds, .stop = limits_.stop});
    const int root = board.ply();
    while (true) {
        const ProofNumbers proof = recall(board, board.ply() - root);
        if (!proof.won()) break;
        Cell move = proof.move;
        if (proof.by_fours) {
            if (vcf_.solve(board, budget_.left()).status != ThreatResult::kWin) break;
            for (Cell cell : vcf_.line(board)) cells.push_back(cell);
            break;
        }
        if (!attacker_moves(board)) move = longest_reply(board);
        if (move == kNoCell) break;
        board.play(move);
        cells.push_back(move);
    }
    while (board.ply() > root) board.undo();
    return cells;
}

/// What is known of a position. An entry that gave way to others is found again.
ProofNumbers Vct::recall(Board& board, int depth) {
    ProofNumbers proof;
    if (table_.find(key(board), &proof) && proof.won()) return proof;
    return prove(board, depth, ProofNumbers::kInfinite, ProofNumbers::kInfinite);
}

ThreatTree Vct::tree(Board& board) {
    budget_ = NodeBudget(limits_);
    ThreatTree tree;
    Grown grown;
    return grow(board, 0, tree, grown) < 0 ? ThreatTree{} : tree;
}

/// Adds the position, with the attacker to move, and all below it. Returns its node, or -1.
int Vct::grow(Board& board, int depth, ThreatTree& tree, Grown& grown) {
    if (const auto found = grown.find(key(board)); found != grown.end()) return found->second;
    const ProofNumbers proof = recall(board, depth);
    if (!proof.won()) return -1;
    int node = -1;
    if (proof.by_fours) {
        if (vcf_.solve(board, budget_.left()).status == ThreatResult::kWin) node = tree.add_line(vcf_.line(board));
    } else {
        std::vector<ThreatTree::Reply> replies;
        board.play(proof.move);
        if (grow_replies(board, depth + 1, tree, grown, replies)) node = tree.add(proof.move, replies);
        board.undo();
    }
    grown.emplace(key(board), node);
    return node;
}

/// The same for every reply to the attacker's last move. False when a part of the proof was not found again.
bool Vct::grow_replies(Board& board, int depth, ThreatTree& tree, Grown& grown, std::vector<ThreatTree::Reply>& to) {
    Children children(stack_);
    ProofNumbers verdict;
    if (replies(board, children, verdict)) return verdict.won();
    // What follows all other replies to a three: the win by fours that `replies` has just found.
    if (board.threats(attacker_).fives.empty()) to.push_back({kNoCell, tree.add_line(vcf_.line(board))});
    const int count = static_cast<int>(children.all().size());
    for (int i = 0; i < count; ++i) {
        const Cell reply = children[i].move;
        board.play(reply);
        to.push_back({reply, grow(board, depth + 1, tree, grown)});
        board.undo();
        if (to.back().node < 0) return false;
    }
    return true;
}

/// The reply after which the known proof takes longest, or kNoCell when there is none.
Cell Vct::longest_reply(Board& board) {
    Children children(stack_);
    ProofNumbers verdict;
    if (replies(board, children, verdict)) return kNoCell;
    return std::ranges::max_element(children.all(), {}, [](const Child& c) { return c.proof.length; })->move;
}

}  // namespace tengen
