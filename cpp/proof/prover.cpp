#include "proof/prover.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <thread>
#include <unordered_set>
#include <utility>

namespace tengen {
namespace {

constexpr float kHopeless = std::numeric_limits<float>::infinity();
/// A move that threatens nothing leaves all replies open: it is put off.
constexpr float kQuietFactor = 100;
/// A position that the solver did not win at first sight takes more work than it seemed to.
constexpr float kDisappointment = 2;
/// The work that a move seems to take which won in a position like this one.
constexpr float kAdvised = 0.05f;
/// Tasks at a position and below it after which it is pondered; so many times more for each time that it was. The tree
/// search grows alike, so it takes a small share of the time.
constexpr int kPatience = 400, kGrowth = 6;
/// More than that does not fit into the memory of the tree.
constexpr std::int64_t kMostPlayouts = 500'000;

std::int64_t ponder_playouts(std::int64_t playouts, int ponders) {
    for (int i = -1; i < ponders && playouts < kMostPlayouts; ++i) playouts *= kGrowth;
    return std::min(playouts, kMostPlayouts);
}

}  // namespace

Prover::Prover(const Board& root, Cell only_move, const Evaluator& evaluator, const ProofParams& params, int threads)
    : attacker_(root.turn()), params_(params) {
    int symmetry;
    const ProofPosition position = ProofPosition::of(root, &symmetry);
    add(position, 1);
    for (int i = 0; i < std::max(1, threads); ++i) {
        attacks_.push_back(std::make_unique<Attack>(root, attacker_, evaluator, params));
    }
    if (only_move != kNoCell) {
        only_move_ = root.geometry().transform(only_move, symmetry);
        nodes_.front().expanded = true;
        nodes_.front().moves.push_back({.cell = only_move_, .cost = 1});
    }
}

void Prover::run(double seconds, const std::atomic<bool>& stop) {
    std::atomic<bool> over = false;
    std::vector<std::thread> threads;
    for (auto& attack : attacks_) threads.emplace_back([&] { work(*attack, over); });
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    {
        std::unique_lock lock(mutex_);
        // The flag comes from outside and wakes nobody, so it is looked at now and then.
        while (!over && !stop && std::chrono::steady_clock::now() < deadline && !nodes_.front().proven) {
            changed_.wait_for(lock, std::chrono::milliseconds(20));
            std::vector<int> path;
            if (at_work_ == 0 && select({.node = 0}, path).node < 0) break;
        }
        over = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads) thread.join();
}

/// One thread: takes the most promising task, works on it alone, and tells what it learnt.
void Prover::work(Attack& attack, const std::atomic<bool>& over) {
    std::unique_lock lock(mutex_);
    while (!over && !nodes_.front().proven) {
        const Task task = next_task();
        if (task.node < 0) {
            changed_.wait_for(lock, std::chrono::milliseconds(20));
            continue;
        }
        set_busy(task, true);
        ++at_work_;
        const Question asked = question(task);
        lock.unlock();
        std::vector<Learnt> learnt = find_out(attack, asked);
        lock.lock();
        --at_work_;
        take(task, std::move(learnt));
        changed_.notify_all();
    }
}

void Prover::take(const Task& task, std::vector<Learnt> learnt) {
    set_busy(task, false);
    for (Learnt& one : learnt) {
        apply(one);
        events_.push_back(std::move(one.event));
    }
}

std::optional<std::pair<int, Prover::Question>> Prover::ask() {
    const std::lock_guard lock(mutex_);
    if (nodes_.front().proven) return {};
    const Task task = next_task();
    if (task.node < 0) return {};
    set_busy(task, true);
    asked_.emplace(++questions_, task);
    return std::pair(questions_, question(task));
}

void Prover::learn(int number, std::vector<ProofEvent> answer) {
    std::vector<Learnt> learnt;
    for (ProofEvent& event : answer) learnt.push_back(complete(*attacks_.front(), std::move(event)));
    const std::lock_guard lock(mutex_);
    const auto asked = asked_.extract(number);
    if (!asked.empty()) take(asked.mapped(), std::move(learnt));
}

std::vector<ProofEvent> Prover::answer(const Question& question) {
    std::vector<ProofEvent> events;
    for (Learnt& one : find_out(*attacks_.front(), question)) events.push_back(std::move(one.event));
    return events;
}

/// The node where threats are looked for, or whose move is opened.
int Prover::node_of(const Task& task) const {
    return task.reply < 0 ? task.node : nodes_[task.node].moves[task.move].children[task.reply];
}

void Prover::set_busy(const Task& task, bool busy) {
    if (task.ponder) {
        nodes_[task.node].pondering = busy;  // others may go on below it
    } else if (task.move >= 0 && task.reply < 0) {
        nodes_[task.node].moves[task.move].busy = busy;
    } else {
        nodes_[node_of(task)].busy = busy;
    }
}

/// What to do next: the task that seems best, or to ponder a position above it that has taken much work.
Prover::Task Prover::next_task() {
    std::vector<int> path;
    const Task task = select({.node = 0}, path);
    if (task.node < 0) return task;
    for (const int index : path) {
        Node& node = nodes_[index];
        ++node.work;
        const double patience = kPatience * std::pow(kGrowth, node.ponders);
        const bool fixed = only_move_ != kNoCell && index == 0;
        if (!node.expanded || fixed || node.pondering || node.work < patience) continue;
        if (node.ponders > 0 && ponder_playouts(params_.playouts, node.ponders - 1) == kMostPlayouts) continue;
        return {.node = index, .ponder = true};
    }
    return task;
}

/// The task to do next at or below the node that a task leads to, and the nodes on the way to it; none when all that is
/// promising is worked on.
Prover::Task Prover::select(const Task& at, std::vector<int>& path) const {
    const int index = node_of(at);
    const Node& node = nodes_[index];
    if (node.proven || node.busy) return {};
    path.push_back(index);
    if (!node.expanded) return at;
    Task task;
    if (node.cost < kHopeless) {
        const auto best = std::ranges::min_element(node.moves, {}, &Move::cost);
        const int move = static_cast<int>(best - node.moves.begin());
        if (best->state == Move::kOpen) {
            task = select_reply(index, move, path);
        } else if (!best->busy) {
            task = {index, move, -1};
        }
    }
    if (task.node < 0) path.pop_back();
    return task;
}

Prover::Task Prover::select_reply(int index, int move, std::vector<int>& path) const {
    const std::vector<int>& children = nodes_[index].moves[move].children;
    // Where there is no other move every reply must be proven, and the easy ones are soon done. Roughly by cost, so
    // that one is finished before the next is begun.
    const bool at_the_top = only_move_ != kNoCell && index == 0;
    std::vector<std::pair<float, int>> order;
    for (std::size_t i = 0; i < children.size(); ++i) {
        const Node& child = nodes_[children[i]];
        const float cost = at_the_top ? static_cast<float>(std::ilogb(child.cost)) : -child.cost;
        if (!child.proven) order.emplace_back(cost, static_cast<int>(i));
    }
    std::ranges::sort(order);
    for (const auto& [_, reply] : order) {
        const Task task = select({index, move, reply}, path);
        if (task.node >= 0) return task;
    }
    return {};
}

Prover::Question Prover::question(const Task& task) const {
    const Node& node = nodes_[task.node];
    Question question{.position = node.position};
    if (task.ponder) {
        question.playouts = ponder_playouts(params_.playouts, node.ponders);
        return question;
    }
    if (task.move >= 0) {
        const Move& move = node.moves[task.move];
        question.move = move.cell;
        // Where there is no other move, or no better one, nothing need be threatened.
        const bool fixed = task.node == 0 && move.cell == only_move_;
        question.quiet = move.quiet || fixed || is_advised(node.position, move.cell);
        for (std::size_t i = 0; task.reply >= 0 && i < move.children.size(); ++i) {
            if (static_cast<int>(i) == task.reply) {
                question.reply = move.replies[i];
            } else if (!nodes_[move.children[i]].proven) {
                question.other_replies.push_back(move.replies[i]);
            }
        }
    }
    if (task.move < 0 || task.reply >= 0) {
        const Node& target = nodes_[node_of(task)];
        // What threats did not win in a position like this they will hardly win here: a short look is enough.
        question.effort = advice_.contains(target.position.key) ? 2 * params_.reply_nodes
                          : target.tried                        ? params_.position_nodes
                                                                : params_.reply_nodes;
    }
    return question;
}

std::vector<Prover::Learnt> Prover::find_out(Attack& attack, const Question& question) const {
    std::vector<Learnt> learnt;
    for (ProofEvent& event : explore(attack, question)) learnt.push_back(complete(attack, std::move(event)));
    return learnt;
}

std::vector<ProofEvent> Prover::explore(Attack& attack, const Question& question) const {
    Board board = attack.board();
    question.position.set_up(board);
    if (question.playouts > 0) return {ponder(attack, board, question)};
    if (question.move != kNoCell) board.play(question.move);
    if (question.move != kNoCell && question.reply == kNoCell) return {open_move(attack, board, question)};
    return look_for_threats(attack, board, question);
}

ProofEvent Prover::open_move(Attack& attack, Board& board, const Question& question) const {
    OpenReplies open = attack.open_replies(board);
    const bool put_off = open.quiet && !question.quiet;
    ProofEvent event{.position = question.position, .move = question.move};
    event.kind = open.refuted ? ProofEvent::kRefuted : put_off ? ProofEvent::kQuiet : ProofEvent::kOpened;
    if (event.kind == ProofEvent::kOpened) event.replies = std::move(open.replies);
    return event;
}

/// What wins after one reply is tried after the others too.
std::vector<ProofEvent> Prover::look_for_threats(Attack& attack, Board& board, const Question& question) const {
    auto event_after = [&](Cell reply, Cell move) {
        if (reply != kNoCell) board.play(reply);
        int symmetry;
        ProofEvent event{.position = ProofPosition::of(board, &symmetry), .effort = question.effort};
        if (reply != kNoCell) board.undo();
        event.kind = move == kNoCell ? ProofEvent::kTried : ProofEvent::kWon;
        if (move != kNoCell) event.move = board.geometry().transform(move, symmetry);
        return event;
    };
    if (question.reply != kNoCell) board.play(question.reply);
    const std::optional<ThreatTree> tree = attack.win(board, question.effort);
    if (question.reply != kNoCell) board.undo();
    const Cell move = tree ? tree->nodes[tree->root()].move : kNoCell;
    std::vector<ProofEvent> events = {event_after(question.reply, move)};
    if (tree && question.reply != kNoCell) {
        for (Cell reply : attack.answered(board, *tree, question.other_replies)) {
            events.push_back(event_after(reply, move));
        }
    }
    return events;
}

ProofEvent Prover::ponder(Attack& attack, Board& board, const Question& question) const {
    ProofEvent event{.kind = ProofEvent::kPondered, .position = question.position, .effort = question.playouts};
    for (const auto& [move, cost] : attack.candidates(board, question.playouts)) {
        event.moves.push_back(move);
        event.costs.push_back(cost);
    }
    return event;
}

/// Adds the moves of a position, or the positions after the replies, with guesses at their costs.
Prover::Learnt Prover::complete(Attack& attack, ProofEvent event) const {
    Learnt learnt;
    Board board = attack.board();
    event.position.set_up(board);
    if (event.kind == ProofEvent::kTried && event.effort > params_.reply_nodes) {
        if (event.moves.empty()) {
            for (const auto& [move, cost] : attack.candidates(board, params_.playouts)) {
                event.moves.push_back(move);
                event.costs.push_back(cost);
            }
        }
        if (const auto found = advice_.find(event.position.key); found != advice_.end()) learnt.advised = found->second;
    }
    if (event.kind == ProofEvent::kOpened) {
        board.play(event.move);
        std::unordered_set<std::uint64_t> seen;
        for (Cell reply : event.replies) {
            board.play(reply);
            ProofPosition position = ProofPosition::of(board);
            if (seen.insert(position.key).second) {
                learnt.children.emplace_back(position, attack.cost(board));
                learnt.replies.push_back(reply);
            }
            board.undo();
        }
    }
    learnt.event = std::move(event);
    return learnt;
}

void Prover::advise(const ProofPosition& position, Cell move) {
    Board board = attacks_.front()->board();
    position.set_up(board);
    int symmetry;
    const std::uint64_t key = ProofPosition::of(board, &symmetry).key;
    advice_.try_emplace(key, board.geometry().transform(move, symmetry));
}

bool Prover::is_advised(const ProofPosition& position, Cell move) const {
    const auto found = advice_.find(position.key);
    return found != advice_.end() && found->second == move;
}

void Prover::replay(ProofEvent event) {
    Board board = attacks_.front()->board();
    event.position.set_up(board);
    int symmetry;
    event.position = ProofPosition::of(board, &symmetry);
    auto turn = [&](Cell& cell) { cell = board.geometry().transform(cell, symmetry); };
    if (event.move != kNoCell) turn(event.move);
    std::ranges::for_each(event.replies, turn);
    std::ranges::for_each(event.moves, turn);
    const Learnt learnt = complete(*attacks_.front(), std::move(event));
    const std::lock_guard lock(mutex_);
    apply(learnt);
}

void Prover::apply(const Learnt& learnt) {
    const ProofEvent& event = learnt.event;
    const int index = add(event.position, 1);
    Node& node = nodes_[index];
    if (event.kind == ProofEvent::kWon) return prove(index, event.move);
    if (event.kind == ProofEvent::kPondered) {
        take_ponder(node, event);
    } else if (event.kind == ProofEvent::kTried) {
        if (node.expanded) return;  // by another way to the position
        if (!node.tried) node.cost = kDisappointment * (1 + node.cost);
        node.tried = true;
        if (learnt.advised != kNoCell) node.moves.push_back({.cell = learnt.advised, .cost = kAdvised});
        for (std::size_t i = 0; i < event.moves.size(); ++i) {
            if (event.moves[i] != learnt.advised) node.moves.push_back({event.moves[i], event.costs[i]});
        }
        node.expanded = event.effort > params_.reply_nodes;  // without moves it is hopeless
        for (const auto& [parent, _] : node.parents) update_ancestors(parent);
    } else {
        const auto found = std::ranges::find(node.moves, event.move, &Move::cell);
        if (found == node.moves.end()) return;  // of a log that another network made: its moves are others
        if (event.kind == ProofEvent::kRefuted) {
            found->state = Move::kRefuted;
        } else if (event.kind == ProofEvent::kQuiet) {
            found->quiet = true;
            found->cost = kQuietFactor * (1 + found->cost);
        } else {
            open(index, static_cast<int>(found - node.moves.begin()), learnt);
        }
    }
    update_ancestors(index);
}

void Prover::open(int index, int move_index, const Learnt& learnt) {
    Move& move = nodes_[index].moves[move_index];
    move.state = Move::kOpen;
    for (const auto& [position, cost] : learnt.children) {
        const int child = add(position, cost);
        move.children.push_back(child);
        nodes_[child].parents.emplace_back(index, move_index);
    }
    move.replies = learnt.replies;
}

/// What a longer tree search says stands above what was guessed before; what is known from replies stays.
void Prover::take_ponder(Node& node, const ProofEvent& event) {
    ++node.ponders;
    for (std::size_t i = 0; i < event.moves.size(); ++i) {
        const auto found = std::ranges::find(node.moves, event.moves[i], &Move::cell);
        if (found == node.moves.end()) {
            node.moves.push_back({event.moves[i], event.costs[i]});
        } else if (found->state == Move::kUnopened) {
            found->cost = found->quiet ? kQuietFactor * (1 + event.costs[i]) : event.costs[i];
        }
    }
}

/// The node of a position; a new one if there is none.
int Prover::add(const ProofPosition& position, float cost) {
    const auto [found, is_new] = index_.try_emplace(position.key, static_cast<int>(nodes_.size()));
    if (is_new) nodes_.push_back({.position = position, .cost = cost});
    return found->second;
}

void Prover::prove(int index, Cell move) {
    Node& node = nodes_[index];
    if (!node.proven) ++proven_;
    node.proven = true;
    node.winner = move;
    node.cost = 0;
    for (const auto& [parent, _] : node.parents) update_ancestors(parent);
}

/// Carries a change upwards as far as it changes anything.
void Prover::update_ancestors(int index) {
    std::vector<int> stale = {index};
    while (!stale.empty()) {
        Node& node = nodes_[stale.back()];
        stale.pop_back();
        if (node.proven || !node.expanded) continue;
        const float before = node.cost;
        update(node);
        if (node.cost == before && !node.proven) continue;
        for (const auto& [parent, _] : node.parents) stale.push_back(parent);
    }
}

/// Computes a node's cost, and whether it is proven, from its children.
void Prover::update(Node& node) {
    node.cost = kHopeless;
    for (Move& move : node.moves) {
        if (move.state == Move::kRefuted) move.cost = kHopeless;
        if (move.state == Move::kOpen) {
            move.cost = std::accumulate(move.children.begin(), move.children.end(), 0.0f,
                                        [&](float sum, int child) { return sum + nodes_[child].cost; });
            const bool all = std::ranges::all_of(move.children, [&](int child) { return nodes_[child].proven; });
            if (all && !node.proven) {
                node.proven = true;
                node.winner = move.cell;
                ++proven_;
            }
        }
        node.cost = std::min(node.cost, move.cost);
    }
    if (node.proven) node.cost = 0;
}

std::vector<ProofEvent> Prover::take_events() {
    const std::lock_guard lock(mutex_);
    return std::exchange(events_, {});
}

const Prover::Node* Prover::find(const Board& board) const {
    const auto found = index_.find(ProofPosition::of(board).key);
    return found == index_.end() ? nullptr : &nodes_[found->second];
}

std::vector<const Prover::Node*> Prover::proof_of(const Node& root) const {
    std::vector<const Node*> proof, to_visit = {&root};
    std::unordered_set<const Node*> seen = {&root};
    while (!to_visit.empty()) {
        const Node* node = to_visit.back();
        to_visit.pop_back();
        const auto winner = std::ranges::find(node->moves, node->winner, &Move::cell);
        if (!node->proven || winner == node->moves.end() || winner->state != Move::kOpen) continue;
        proof.push_back(node);
        for (int child : winner->children) {
            if (seen.insert(&nodes_[child]).second) to_visit.push_back(&nodes_[child]);
        }
    }
    return proof;
}

std::int64_t Prover::solver_nodes() const {
    return std::accumulate(attacks_.begin(), attacks_.end(), std::int64_t{0},
                           [](std::int64_t sum, const auto& attack) { return sum + attack->nodes(); });
}

}  // namespace tengen
