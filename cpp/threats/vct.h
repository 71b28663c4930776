#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "game/board.h"
#include "threats/guide.h"
#include "threats/guide_memory.h"
#include "threats/limits.h"
#include "threats/node_budget.h"
#include "threats/proof_table.h"
#include "threats/threat_tree.h"
#include "threats/vcf.h"

namespace tengen {

/// Victory by continuous threats: the attacker makes fours and threes, where a three is a move after which it would
/// win by fours (VCF) if the defender passed.
///
/// A proof-number search, depth first (df-pn: Nagai 2002). It needs no care for repetitions, because stones only come.
/// To a four the defender has its blocks; to a three its own fours, and every point of the sound set of defences of
/// the win that is threatened: all other moves lose to that win. So what it calls a win is one, under every rule.
/// "None" speaks of open threes and fours, within `max_depth`, and of wins by fours, those of a position and those that
/// a three threatens, that are found in `max_nodes_of_fours`. A line that is too long to be followed leaves the result
/// unknown.
///
/// With a guide the first numbers of a position are an opinion about the work ahead instead of 1 and 1, and whether a
/// move is a threat at all is looked at when its turn comes. That finds wins in a tenth of the nodes.
///
/// Limits: nodes count positions of this search and of the VCF searches inside it; `max_depth` bounds the plies of
/// threats before the fours that end a line. An object belongs to one thread. Key method: `prove`.
class Vct {
public:
    explicit Vct(int log2_table_entries = 16);

    /// Does the side to move win by threats? The board is changed during the call and restored. The guide, if any, must
    /// live until the next call, and stay the same: what it said is remembered.
    ThreatResult solve(Board& board, const ThreatLimits& limits, ThreatGuide guide = {});

    /// After a win, and on the same position: moves of both sides up to the five (or a block that is forbidden), the
    /// defender resisting as long as the proof found allows. Parts of the proof that have been forgotten are searched
    /// for again, under the limits of time of the last `solve`; where these end it, so does the line.
    std::vector<Cell> line(Board& board);

    /// The same with every reply that does not lose to what is threatened: the whole proof. Empty where the limits of
    /// the last `solve`, given anew, do not suffice to find forgotten parts again. Not for caro, where a line of fours
    /// has several replies.
    ThreatTree tree(Board& board);

    /// Forgets everything: the same questions then cost the same nodes again.
    void clear();

private:
    /// Longer lines are given up: no known game comes near.
    static constexpr int kMaxPlies = 160;
    /// A guess at the work for a three that has not been searched: it has about this many answers.
    static constexpr std::uint32_t kRepliesToThree = 3;

    struct Child {
        Cell move;
        std::uint64_t key;
        ProofNumbers proof;
        bool known;  ///< have the numbers been searched for? Otherwise they are a guess.
    };
    /// The moves of a node, at the end of a stack that the nodes of a line share: a long line needs little of the
    /// thread's own. The spans that it gives hold until the next node is entered.
    class Children {
    public:
        explicit Children(std::vector<Child>& stack) : stack_(stack), first_(stack.size()) {}
        Children(const Children&) = delete;
        ~Children() { stack_.resize(first_); }

        void add(const Child& child) { stack_.push_back(child); }
        std::span<Child> all() const { return std::span(stack_).subspan(first_); }
        Child& operator[](int i) const { return stack_[first_ + i]; }
        bool empty() const { return stack_.size() == first_; }

    private:
        std::vector<Child>& stack_;
        std::size_t first_;
    };

    ProofNumbers prove(Board& board, int depth, std::uint32_t proof_limit, std::uint32_t disproof_limit);
    int pick(std::span<const Child> children, bool attacker_moves, ProofNumbers* total, std::uint32_t* second) const;
    bool attacks(Board& board, int depth, Children& children, ProofNumbers& verdict);
    void consider_attack(Board& board, Cell move, Children& children);
    bool replies(Board& board, Children& children, ProofNumbers& verdict);
    void ask_guide(Board& board, bool attacker_moves, std::span<Child> children);
    float opinion(Board& board, std::span<const Child> children, CellLogits& logits);
    bool long_vcf(Board& board, ThreatLimits limits, ProofNumbers* proof);
    ThreatResult vcf(Board& board);
    ProofNumbers recall(Board& board, int depth);
    Cell longest_reply(Board& board);
    /// The nodes of a tree by the keys of their positions.
    using Grown = std::unordered_map<std::uint64_t, int>;
    int grow(Board& board, int depth, ThreatTree& tree, Grown& grown);
    bool grow_replies(Board& board, int depth, ThreatTree& tree, Grown& grown, std::vector<ThreatTree::Reply>& to);
    bool attacker_moves(const Board& board) const { return board.turn() == attacker_; }
    std::uint64_t key(const Board& board) const { return board.hash() ^ salt_; }

    Vcf vcf_;
    ProofTable table_;
    GuideMemory opinions_;
    std::vector<Child> stack_;
    ThreatLimits limits_;
    NodeBudget budget_;
    ThreatGuide guide_;
    Color attacker_ = Color::kBlack;
    int max_depth_ = 0;
    std::uint64_t salt_ = 0;
};

}  // namespace tengen
