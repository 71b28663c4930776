#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <compare>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "mcts/arena.h"
#include "mcts/explorer.h"
#include "mcts/position_index.h"
#include "mcts/spin_lock.h"

namespace tengen {

class Node;

/// A move that has been tried, and what came of it. Threads update edges without locks:
///
///     counts   completed visits << 16 | visits under way       one add when a visit starts, one when it ends
///     value    sum of the results for the mover, fixed point   so that sums do not depend on the order of threads
struct alignas(32) Edge {
    std::atomic<std::int64_t> counts{0};
    std::atomic<std::int64_t> value_sum{0};
    Node* child = nullptr;
    float prior = 0;
    Cell move = kNoCell;
    /// What the child's proof means for the mover: kWin when the child is lost.
    std::atomic<Proof> proof{Proof::kNone};

    static constexpr int kUnderWayBits = 16;
    static constexpr double kFixedPoint = 1 << 24;

    struct Counts {
        std::int64_t visits;
        std::int64_t under_way;
    };
    Counts load_counts() const {
        const std::int64_t packed = counts.load(std::memory_order_relaxed);
        // Visits can be negative for a moment while a refuted move is being taken out of the count.
        const std::int64_t visits = packed >> kUnderWayBits;
        return {visits > 0 ? visits : 0, packed & ((1 << kUnderWayBits) - 1)};
    }
    double load_value_sum() const {
        return static_cast<double>(value_sum.load(std::memory_order_relaxed)) * (1 / kFixedPoint);
    }
    /// Mean result for the mover, or `otherwise` before the first result.
    float mean(float otherwise) const {
        const std::int64_t visits = load_counts().visits;
        return visits ? static_cast<float>(load_value_sum() / static_cast<double>(visits)) : otherwise;
    }

    /// Starts anew as the edge to `node` with these results. Only while nothing runs.
    void reset(Node* node, std::int64_t visits, double sum) {
        child = node;
        counts = value_sum = 0;
        proof = Proof::kNone;
        add(visits, sum);
    }

    void start_visit() { counts.fetch_add(1, std::memory_order_relaxed); }
    void abandon_visit() { add(0, 0, -1); }
    /// Adds results; with `under_way` -1 a visit ends that brought them.
    void add(std::int64_t visits, double sum, int under_way = 0) {
        value_sum.fetch_add(static_cast<std::int64_t>(sum * kFixedPoint), std::memory_order_relaxed);
        [[maybe_unused]] const std::int64_t before =
            counts.fetch_add(visits * (1 << kUnderWayBits) + under_way, std::memory_order_relaxed);
        assert((before & ((1 << kUnderWayBits) - 1)) + under_way >= 0);  // or it would borrow from the visits
    }
};
static_assert(sizeof(Edge) == 32);

/// A prior in two bytes: the upper half of a float, exact to 0.4 %. Most candidates are never tried, and theirs are
/// most of a tree.
class Prior {
public:
    Prior() = default;
    explicit Prior(float prior)
        : bits_(static_cast<std::uint16_t>((std::bit_cast<std::uint32_t>(prior) + 0x8000) >> 16)) {
        assert(prior >= 0);  // so that the order of the bits is that of the priors
    }
    float value() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits_) << 16); }
    auto operator<=>(const Prior&) const = default;

private:
    std::uint16_t bits_;
};

/// A position in the tree, which is a graph: a position that several orders of moves lead to is there once, below all
/// of them. It has no statistics of its own: they are on each edge that leads to it.
///
/// Candidates (move and prior) are stored compactly; those that have been tried ("opened") form a prefix and have an
/// Edge each, in chunks that double in size and never move, so that other threads can read them while one opens more.
/// The best untried candidate always stands at index `opened`.
///
///     candidates  | opened ....... | best untried | other untried, in no order |
///     edges       | 2 | 4 | 8 ... |
class Node {
public:
    enum class State : std::uint8_t { kNew, kExpanding, kExpanded };

    /// `key` is the hash of the position, or 0 where the game does not know it.
    explicit Node(std::uint64_t key) : key_(key) {}
    std::uint64_t key() const { return key_; }

    /// True for exactly one caller, who must then call `expand`.
    bool claim_expansion() {
        State expected = State::kNew;
        return state_.compare_exchange_strong(expected, State::kExpanding, std::memory_order_acquire);
    }
    bool is_expanded() const { return state_.load(std::memory_order_acquire) == State::kExpanded; }
    /// Blocks until the thread that claimed the expansion has published it.
    void wait_until_expanded() const {
        // Most evaluations are over sooner than a thread could fall asleep and be woken.
        for (int looks = 0; looks < 5000; ++looks) {
            if (state_.load(std::memory_order_acquire) != State::kExpanding) return;
        }
        state_.wait(State::kExpanding, std::memory_order_acquire);
    }
    /// Stores the candidates and publishes the node. False, and nothing changed, when memory has run out.
    bool expand(const Expansion& expansion, Arena::Cursor& memory);
    /// Gives up a claim.
    void release_claim();

    Proof proof() const { return proof_.load(std::memory_order_acquire); }
    /// Records a proof. `winning_move` with kWin.
    void set_proof(Proof proof, Cell winning_move = kNoCell);
    Cell winning_move() const { return winning_move_.load(std::memory_order_relaxed); }

    int candidates() const { return count_; }
    int opened() const { return opened_.load(std::memory_order_acquire); }
    Cell candidate_move(int i) const { return moves()[i]; }
    float candidate_prior(int i) const { return priors_[i].value(); }
    Edge& edge(int i) const {
        const int chunk = chunk_of(i);
        return edges(chunk)[i - chunk_start(chunk)];
    }
    /// Calls `visit(i, edge)` for the first `opened` edges, chunk by chunk.
    template <class Visit>
    void for_each_edge(int opened, Visit&& visit) const {
        int i = 0;
        for (int chunk = 0; i < opened; ++chunk) {
            const Edge* edge = edges(chunk);
            for (const int end = std::min(opened, chunk_start(chunk + 1)); i < end; ++i, ++edge) visit(i, *edge);
        }
    }
    /// The candidates that are not opened, with their priors.
    std::vector<std::pair<Cell, float>> untried() const;
    /// The index of a move's edge, or -1 if it is not opened.
    int find_opened(Cell move) const;
    /// The index of the opened move with the most visits that is not refuted, or -1.
    int most_visited() const;
    /// The index of a candidate's edge if it is opened; otherwise it becomes the next to be opened.
    int index_to_try(Cell move);
    /// Opens the candidate at index `expected`, which leads to the position with the hash `key`. Null when another
    /// thread has done it, or when memory has run out.
    Edge* open(int expected, std::uint64_t key, PositionIndex& positions, Arena::Cursor& memory);

    /// Does more than one edge lead here?
    bool is_shared() const { return shared_.load(std::memory_order_relaxed); }
    /// What all visits of the moves from here say together, refuted moves apart; for the mover.
    struct Results {
        std::int64_t visits = 0;
        double sum = 0;
    };
    Results results() const;

    /// Takes note of a child's proof on edge `i`, once. Returns true if that was news.
    /// A refuted move's results are taken out of `incoming`, the edge by which it was reached.
    bool settle(int i, Proof for_mover, Edge& incoming);
    /// Have all candidates been refuted? (Not a proof when the list is incomplete.)
    bool is_exhausted() const { return lost_.load(std::memory_order_relaxed) == count_ && count_ > 0; }

    /// Replaces the priors (root noise). Only while no other thread is in the tree.
    void set_priors(std::span<const float> priors);

    /// A copy of this node and all below it in other memory, and in another index; null when memory runs out. Only
    /// while nothing runs.
    Node* copy_to(PositionIndex& positions, Arena::Cursor& memory) const;

private:
    static constexpr int kFirstChunk = 2;
    static constexpr int kChunks = 8;
    static_assert(kFirstChunk * ((1 << kChunks) - 1) >= kMaxCells);

    Cell* moves() const { return reinterpret_cast<Cell*>(priors_ + count_); }
    Edge* edges(int chunk) const { return chunk == 0 ? first_chunk_ : other_chunks_[chunk - 1]; }
    static int chunk_of(int i) { return std::bit_width(static_cast<unsigned>(i / kFirstChunk + 1)) - 1; }
    static int chunk_start(int chunk) { return kFirstChunk * ((1 << chunk) - 1); }
    template <class AnyPrior>
    bool store_candidates(const AnyPrior* priors, const Cell* moves, int count, Arena::Cursor& memory);
    Edge* edge_for_opening(int i, Arena::Cursor& memory);
    /// Moves the best candidate from `from` on to the front.
    void bring_best_forward(int from);

    static std::pair<Node*, bool> find_or_make(std::uint64_t key, PositionIndex& positions, Arena::Cursor& memory);
    void take_back(const Edge& refuted, Edge& incoming) const;

    const std::uint64_t key_;
    std::atomic<State> state_{State::kNew};
    std::atomic<Proof> proof_{Proof::kNone};
    bool complete_ = false;
    std::atomic<bool> shared_{false};
    std::atomic<Cell> winning_move_{kNoCell};
    std::int16_t count_ = 0;
    std::atomic<std::int16_t> opened_{0};
    std::atomic<std::int16_t> lost_{0};
    std::int16_t drawn_ = 0;
    mutable SpinLock mutex_;   // opening and settling: once or twice a playout, never held while evaluating
    Prior* priors_ = nullptr;  ///< of `count_` candidates, and behind them the moves
    Edge* first_chunk_ = nullptr;
    Edge** other_chunks_ = nullptr;  ///< few positions have so many edges
};

}  // namespace tengen
