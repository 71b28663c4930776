#include "mcts/tree.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <mutex>
#include <new>

namespace tengen {

bool Node::expand(const Expansion& expansion, Arena::Cursor& memory) {
    assert(state_ == State::kExpanding);  // by who claimed it
    if (!store_candidates(expansion.priors.data(), expansion.moves.data(), expansion.count, memory)) return false;
    complete_ = expansion.complete;
    if (count_ > 0) bring_best_forward(0);
    if (expansion.proof != Proof::kNone) set_proof(expansion.proof, expansion.winning_move);
    state_.store(State::kExpanded, std::memory_order_release);
    state_.notify_all();
    return true;
}

template <class AnyPrior>
bool Node::store_candidates(const AnyPrior* priors, const Cell* moves, int count, Arena::Cursor& memory) {
    if (count == 0) return true;
    static_assert(alignof(Prior) == alignof(Cell));
    void* block = memory.allocate(count * (sizeof(Prior) + sizeof(Cell)));
    if (!block) return false;
    priors_ = static_cast<Prior*>(block);
    count_ = static_cast<std::int16_t>(count);
    std::transform(priors, priors + count, priors_, [](AnyPrior prior) { return Prior(prior); });
    std::copy_n(moves, count, this->moves());
    return true;
}

void Node::release_claim() {
    state_.store(State::kNew, std::memory_order_release);
    state_.notify_all();
}

void Node::set_proof(Proof proof, Cell winning_move) {
    if (winning_move != kNoCell) winning_move_.store(winning_move, std::memory_order_relaxed);
    proof_.store(proof, std::memory_order_release);
}

void Node::bring_best_forward(int from) {
    const int best = static_cast<int>(std::max_element(priors_ + from, priors_ + count_) - priors_);
    std::swap(priors_[from], priors_[best]);
    std::swap(moves()[from], moves()[best]);
}

/// The place of edge `i`, in a chunk that is made if it is the first in it; null when memory has run out.
Edge* Node::edge_for_opening(int i, Arena::Cursor& memory) {
    const int chunk = chunk_of(i);
    if (chunk > 0 && !other_chunks_) {
        void* chunks = memory.allocate((kChunks - 1) * sizeof(Edge*));
        if (!chunks) return nullptr;
        other_chunks_ = static_cast<Edge**>(chunks);
        std::uninitialized_fill_n(other_chunks_, kChunks - 1, nullptr);
    }
    Edge*& edges = chunk == 0 ? first_chunk_ : other_chunks_[chunk - 1];
    if (!edges) {
        const int size = kFirstChunk << chunk;
        void* place = memory.allocate(size * sizeof(Edge));
        if (!place) return nullptr;
        edges = static_cast<Edge*>(place);
        std::uninitialized_default_construct_n(edges, size);
    }
    return &edges[i - chunk_start(chunk)];
}

int Node::index_to_try(Cell move) {
    std::lock_guard lock(mutex_);
    const int opened = this->opened();
    const int index = static_cast<int>(std::find(moves(), moves() + count_, move) - moves());
    if (index < opened || index == count_) return index;
    std::swap(priors_[opened], priors_[index]);
    std::swap(moves()[opened], moves()[index]);
    return opened;
}

/// The node of the position with this hash, and whether it has just been made; null when memory has run out.
std::pair<Node*, bool> Node::find_or_make(std::uint64_t key, PositionIndex& positions, Arena::Cursor& memory) {
    bool is_new = false;
    const auto make = [&](std::uint64_t known_by) -> Node* {
        void* place = memory.allocate(sizeof(Node));
        is_new = true;
        return place ? new (place) Node(known_by) : nullptr;
    };
    Node* node = key == 0 ? make(0) : positions.find_or_add(key, make);
    return {node, is_new};
}

Edge* Node::open(int expected, std::uint64_t key, PositionIndex& positions, Arena::Cursor& memory) {
    std::lock_guard lock(mutex_);
    if (opened_.load(std::memory_order_relaxed) != expected || expected >= count_) return nullptr;
    Edge* edge = edge_for_opening(expected, memory);
    if (!edge) return nullptr;
    const auto [child, is_new] = find_or_make(key, positions, memory);
    if (!child) return nullptr;
    if (!is_new) child->shared_.store(true, std::memory_order_relaxed);
    edge->child = child;
    edge->prior = priors_[expected].value();
    edge->move = moves()[expected];
    if (expected + 1 < count_) bring_best_forward(expected + 1);
    opened_.store(static_cast<std::int16_t>(expected + 1), std::memory_order_release);
    return edge;
}

std::vector<std::pair<Cell, float>> Node::untried() const {
    std::vector<std::pair<Cell, float>> untried;
    untried.reserve(count_);
    std::lock_guard lock(mutex_);  // opening one moves others about
    for (int i = opened(); i < count_; ++i) untried.emplace_back(moves()[i], priors_[i].value());
    return untried;
}

int Node::find_opened(Cell move) const {
    int found = -1;
    for_each_edge(opened(), [&](int i, const Edge& edge) {
        if (edge.move == move) found = i;
    });
    return found;
}

int Node::most_visited() const {
    int best = -1;
    std::int64_t most = 0;
    for_each_edge(opened(), [&](int i, const Edge& edge) {
        const std::int64_t visits = edge.load_counts().visits;
        if (edge.proof.load(std::memory_order_relaxed) == Proof::kLoss || visits <= most) return;
        most = visits;
        best = i;
    });
    return best;
}

bool Node::settle(int i, Proof for_mover, Edge& incoming) {
    std::lock_guard lock(mutex_);
    Edge& settled = edge(i);
    if (settled.proof.load(std::memory_order_relaxed) != Proof::kNone) return false;
    settled.proof.store(for_mover, std::memory_order_release);
    if (for_mover == Proof::kWin) {
        set_proof(Proof::kWin, settled.move);
        return true;
    }
    if (for_mover == Proof::kLoss) {
        take_back(settled, incoming);
        lost_.fetch_add(1, std::memory_order_relaxed);
    } else {
        ++drawn_;
    }
    const int lost = lost_.load(std::memory_order_relaxed);
    assert(lost + drawn_ <= opened());
    if (complete_ && lost + drawn_ == count_) set_proof(drawn_ ? Proof::kDraw : Proof::kLoss);
    return true;
}

/// What was hoped of a refuted move says nothing about the position any more. Of a position with several ways to it an
/// edge has brought only some of the visits.
void Node::take_back(const Edge& refuted, Edge& incoming) const {
    std::int64_t visits = refuted.load_counts().visits;
    double sum = refuted.load_value_sum();
    if (is_shared() && visits > 0) {
        const double all = static_cast<double>(results().visits);
        const double share = std::min(1.0, static_cast<double>(incoming.load_counts().visits) / std::max(all, 1.0));
        sum *= std::floor(share * static_cast<double>(visits)) / static_cast<double>(visits);
        visits = static_cast<std::int64_t>(share * static_cast<double>(visits));
    }
    incoming.add(-visits, sum);
}

Node::Results Node::results() const {
    Results results;
    for_each_edge(opened(), [&](int, const Edge& edge) {
        if (edge.proof.load(std::memory_order_relaxed) == Proof::kLoss) return;
        results.visits += edge.load_counts().visits;
        results.sum += edge.load_value_sum();
    });
    return results;
}

void Node::set_priors(std::span<const float> priors) {
    const int opened = this->opened();
    std::transform(priors.begin(), priors.end(), priors_, [](float prior) { return Prior(prior); });
    for (int i = 0; i < opened; ++i) edge(i).prior = priors[i];
    if (opened < count_) bring_best_forward(opened);
}

Node* Node::copy_to(PositionIndex& positions, Arena::Cursor& memory) const {
    const auto [copy, is_new] = find_or_make(key_, positions, memory);
    if (!copy || !is_new) return copy;
    copy->shared_ = is_shared();
    if (!is_expanded()) return copy;
    if (!copy->store_candidates(priors_, moves(), count_, memory)) return nullptr;
    const int opened = this->opened();
    for (int i = 0; i < opened; ++i) {
        Edge* to = copy->edge_for_opening(i, memory);
        const Edge& from = edge(i);
        Node* child = to ? from.child->copy_to(positions, memory) : nullptr;
        if (!child) return nullptr;
        to->child = child;
        to->prior = from.prior;
        to->move = from.move;
        to->add(from.load_counts().visits, from.load_value_sum());
        to->proof.store(from.proof.load(std::memory_order_relaxed), std::memory_order_relaxed);
    }
    copy->complete_ = complete_;
    copy->opened_ = static_cast<std::int16_t>(opened);
    copy->lost_ = lost_.load(std::memory_order_relaxed);
    copy->drawn_ = drawn_;
    copy->winning_move_ = winning_move();
    copy->proof_ = proof();
    copy->state_ = State::kExpanded;
    return copy;
}

}  // namespace tengen
