#pragma once

#include <atomic>
#include <cstdint>

#include "game/point_set.h"

namespace tengen {

/// How threads share a search (see parallelism.h).
enum class Parallelism : std::uint8_t {
    kTree,  ///< all threads walk one tree
    kRoot,  ///< a tree for each thread, summed at the root
    kLeaf,  ///< one thread walks; all of them evaluate its leaf, and the mean counts as that many playouts
};

/// How threads in one tree keep out of each other's way while an evaluation is under way.
enum class InFlight : std::uint8_t {
    /// WU-UCT (Liu et al., arXiv 1810.11755): a visit counts in the exploration term as soon as it starts, and in the
    /// mean only when its value is known. No constant to tune.
    kUnobserved,
    /// A visit lowers the score of its move by `virtual_loss` until its value is known (docs/origins.md, S0).
    kVirtualLoss,
};

enum class Selection : std::uint8_t {
    kPuct,  ///< Q + c * P * sqrt(N) / (1 + n), for evaluators that know priors
    kUct,   ///< Q + c * sqrt(ln N / n), every move once first, in random order
};

/// Where noise is put into the priors.
enum class NoiseAt : std::uint8_t {
    kRoot,        ///< of the root, anew with every search (AlphaGo Zero)
    kExpansions,  ///< of every position as it is expanded, and never again (docs/origins.md, S3)
};

/// The constants of a search. Values are from the mover's view in [-1, 1] throughout.
struct SearchParams {
    Selection selection = Selection::kPuct;
    /// Weight of exploration.
    float c_puct = 1.6f;
    /// Growth of c_puct with visits: c_puct + c_puct_log * ln((N + 500) / 500).
    float c_puct_log = 0.0f;
    /// First-play urgency: an unvisited move is taken to be worth the position's value less this, times the square root
    /// of the prior mass already visited.
    float fpu_reduction = 0.25f;
    float fpu_reduction_root = 0.1f;
    /// Share of noise in the root's priors; 0 for play.
    float root_noise = 0.0f;
    /// Dirichlet noise: alpha of each move is this divided by the number of moves (0.03 * 225 for S0's taste).
    float root_noise_total_alpha = 10.0f;
    NoiseAt noise_at = NoiseAt::kRoot;
    /// Whether the end of a game counts as a proof (MCTS-Solver): refuted moves are not tried again, and their results
    /// are taken back. Otherwise it is one value among others.
    bool proofs = true;
    /// Whether a position that several orders of moves lead to is there once, with the visits from all sides.
    bool graph = true;
    Parallelism parallelism = Parallelism::kTree;
    InFlight in_flight = InFlight::kUnobserved;
    /// What a visit under way takes from the score of its move with InFlight::kVirtualLoss; above 0.
    float virtual_loss = 1.0f;
    /// The move played: not the one with most visits, but the one whose value is best after so many standard errors are
    /// taken off, among those with a share of the most visits; 0 for the most visited one.
    float lcb_deviations = 4.0f;
    int threads = 1;
    /// Bytes for the tree; the search ends early when they are used up.
    std::int64_t memory = std::int64_t{1} << 30;
    std::uint64_t seed = 1;
    /// Nodes of the solver that is asked whether the enemy wins by threats after the move about to be played, for each
    /// such position; 0 for none.
    std::int64_t vct_nodes_answer = 50'000;
    /// The same for all positions of a search: so many nodes for each playout, lest a short search becomes a long one.
    float doubt_nodes_per_playout = 4.0f;

    /// What a visit under way takes from its move's score; 0 where such visits are counted instead.
    float loss_under_way() const { return in_flight == InFlight::kVirtualLoss ? virtual_loss : 0; }
};

/// What the search knows beyond the rules of a game: of Gomoku much.
struct KnowledgeParams {
    /// Fives and fours: wins and forced replies are seen without a search. In other games: wins one move ahead.
    bool threats = true;
    /// Nodes of the search for continuous fours at every new position, and at the root; 0 for none.
    int vcf_nodes = 15;
    int vcf_nodes_root = 20000;
    /// Nodes for the fours that the enemy threatens: only moves that can stop them are tried; 0 for none.
    int vcf_nodes_defence = 10;
    /// Nodes of the search for continuous threats (threes and fours) at the root; 0 for none.
    int vct_nodes_root = 6000;
    /// Softens (above 1) or sharpens the evaluator's priors.
    float prior_temperature = 1.0f;
    /// Share of the priors that is shared out evenly among the mover's fours and open threes, whatever the evaluator
    /// thinks of them: long wins begin with such moves.
    float threat_share = 0.25f;
    /// Who makes five loses (see MisereExplorer).
    bool misere = false;
};

/// When a search ends; 0 means no limit.
struct SearchLimits {
    std::int64_t playouts = 0;
    double seconds = 0;  ///< since its beginning, also those between its steps
    /// Ends the search when it becomes true, instead of Mcts::stop: for those who end many searches at once.
    const std::atomic<bool>* stop = nullptr;
    /// If given, every playout begins with this move of the root; with one thread only.
    Cell root_move = kNoCell;
    /// Whether the search ends where only one move is possible: enough for who plays it, but not to judge the position.
    bool only_move_ends = true;
    /// Whether the root is searched for a forced win first.
    bool prove = true;
};

/// Why a search has ended. Of searches that belong together the first holds.
enum class SearchEnd : std::uint8_t { kRunning, kSolved, kOnlyMove, kPlayouts, kTime, kStopped, kMemory };

}  // namespace tengen
