#include "mcts/parallelism.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <vector>

#include "game/random.h"
#include "mcts/mcts.h"
#include "mcts/thread_pool.h"

namespace tengen {
namespace {

SearchParams with_threads(SearchParams params, int threads) {
    params.threads = threads;
    return params;
}

/// Explorers that go everywhere together and evaluate every new position at the same time. The mean of their values
/// counts as that many playouts.
class Team final : public Explorer {
public:
    Team(std::unique_ptr<Explorer> first, const SearchParams& params) : params_(params), pool_(params.threads) {
        for (int index = 1; index < params.threads; ++index) {
            others_.push_back(first->clone(split_mix(params.seed) + index));
        }
        first_ = std::move(first);
        expansions_.resize(others_.size());
    }

    void play(Cell move) override {
        first_->play(move);
        for (auto& other : others_) other->play(move);
    }
    void undo() override {
        first_->undo();
        for (auto& other : others_) other->undo();
    }
    void expand(const ThreatLimits* at_root, Expansion& result) override {
        first_->expand(at_root, result);
        if (result.proof == Proof::kNone && result.evaluated) add_opinions(result);
    }
    Cell prove(int visits, const ThreatLimits& limits) override { return first_->prove(visits, limits); }
    ThreatResult refute(const ThreatLimits& limits) override { return first_->refute(limits); }
    void set_asking(bool asking) override {
        if (asking == asking_) return;  // after a failure it has ceased already
        asking_ = asking;
        first_->set_asking(asking);
    }
    std::unique_ptr<Explorer> clone(std::uint64_t seed) const override {
        return std::make_unique<Team>(first_->clone(seed), params_);
    }

private:
    /// Ceases to ask at the end of its scope, whatever happens there.
    struct Ceasing {
        Explorer& explorer;
        ~Ceasing() { explorer.set_asking(false); }
    };

    void add_opinions(Expansion& result) {
        const bool asking = asking_;  // the root is expanded before anybody asks for one position after the other
        set_asking(false);            // the others do
        for (auto& other : others_) other->set_asking(true);
        pool_.run([&](int index) {
            if (index == 0) return;
            const Ceasing ceasing{*others_[index - 1]};
            others_[index - 1]->expand(nullptr, expansions_[index - 1]);
        });
        set_asking(asking);
        result.results = params_.threads;
        double sum = result.value;
        for (const Expansion& expansion : expansions_) sum += expansion.value;
        result.value = static_cast<float>(sum / result.results);
    }

    SearchParams params_;
    ThreadPool pool_;
    std::unique_ptr<Explorer> first_;
    std::vector<std::unique_ptr<Explorer>> others_;
    std::vector<Expansion> expansions_;
    bool asking_ = false;
};

/// One thread walks the tree; all of them evaluate its leaf.
class LeafParallelSearch final : public Mcts {
public:
    LeafParallelSearch(std::unique_ptr<Explorer> explorer, const SearchParams& params)
        : Mcts(std::make_unique<Team>(std::move(explorer), params), with_threads(params, 1)), params_(params) {}

    void set_root(std::unique_ptr<Explorer> explorer) override {
        Mcts::set_root(std::make_unique<Team>(std::move(explorer), params_));
    }

private:
    SearchParams params_;
};

/// A tree for each thread, summed at the root. The first tree proves what can be proven about the root; moves are not
/// doubted.
class RootParallelSearch final : public TreeSearch {
public:
    RootParallelSearch(std::unique_ptr<Explorer> explorer, const SearchParams& params) : pool_(params.threads) {
        SearchParams each = with_threads(params, 1);
        each.memory /= params.threads;
        each.vct_nodes_answer = 0;
        for (int index = 0; index < params.threads; ++index) {
            each.seed = params.seed + index;
            trees_.push_back(std::make_unique<Mcts>(clone_for(index, *explorer, params.seed), each));
        }
        seed_ = params.seed;
    }

    void begin(SearchLimits limits) override {
        over_ = false;
        const auto count = static_cast<std::int64_t>(trees_.size());
        limits.playouts = (limits.playouts + count - 1) / count;
        limits.stop = &over_;
        for (auto& tree : trees_) {
            limits.prove = tree == trees_.front();
            tree->begin(limits);
        }
    }
    bool step(double seconds = 0) override {
        std::atomic<bool> ended{true};
        pool_.run([&](int index) {
            if (!trees_[index]->step(seconds)) ended = false;
            if (trees_[index]->root_proof() != Proof::kNone) over_ = true;  // nobody needs to go on
        });
        return ended;
    }
    void stop() override { over_ = true; }
    void set_root(std::unique_ptr<Explorer> explorer) override {
        for (std::size_t i = 0; i < trees_.size(); ++i) trees_[i]->set_root(clone_for(i, *explorer, seed_));
    }
    bool advance(Cell move) override {
        bool known = false;
        for (auto& tree : trees_) known |= tree->advance(move);
        return known;
    }

    SearchReport report(int best_moves, int max_line = 20) const override {
        SearchReport sum;
        sum.ended = SearchEnd::kMemory;
        std::map<Cell, MoveReport> moves;
        for (const auto& tree : trees_) {
            const SearchReport report = tree->report(kMaxCells, max_line);
            add(report, sum);
            for (const MoveReport& move : report.moves) add(move, moves[move.move]);
        }
        sum.value = sum.proof != Proof::kNone ? value_of(sum.proof) : mean(sum.value, sum.visits);
        for (auto& [cell, move] : moves) {
            move.value = move.proof != Proof::kNone ? value_of(move.proof) : mean(move.value, move.visits);
            sum.moves.push_back(std::move(move));
        }
        std::ranges::stable_sort(sum.moves, MoveReport::is_better);
        if (static_cast<int>(sum.moves.size()) > best_moves) sum.moves.resize(best_moves);
        return sum;
    }
    Cell best_move() const override {
        const SearchReport report = this->report(1, 0);
        return report.moves.empty() ? kNoCell : report.moves.front().move;
    }

private:
    static std::unique_ptr<Explorer> clone_for(std::size_t index, const Explorer& explorer, std::uint64_t seed) {
        return explorer.clone(split_mix(seed) + index);
    }
    static float mean(float sum, std::int64_t visits) { return visits ? sum / static_cast<float>(visits) : 0; }

    /// Values become sums of results.
    static void add(const SearchReport& report, SearchReport& to) {
        to.value += report.value * static_cast<float>(report.visits);
        to.playouts += report.playouts;
        to.visits += report.visits;
        to.memory += report.memory;
        to.seconds = std::max(to.seconds, report.seconds);
        to.depth = std::max(to.depth, report.depth);
        to.ended = std::min(to.ended, report.ended);
        if (report.proof != Proof::kNone) to.proof = report.proof;
    }
    static void add(const MoveReport& move, MoveReport& to) {
        to.move = move.move;
        to.visits += move.visits;
        to.value += move.value * static_cast<float>(move.visits);
        to.prior = move.prior;
        if (move.proof != Proof::kNone) to.proof = move.proof;
        if (to.line.empty()) to.line = move.line;
    }

    ThreadPool pool_;
    std::vector<std::unique_ptr<Mcts>> trees_;
    std::uint64_t seed_ = 0;
    std::atomic<bool> over_{false};
};

}  // namespace

std::unique_ptr<TreeSearch> make_search(std::unique_ptr<Explorer> explorer, const SearchParams& params) {
    if (params.threads > 1 && params.parallelism == Parallelism::kLeaf) {
        return std::make_unique<LeafParallelSearch>(std::move(explorer), params);
    }
    if (params.threads > 1 && params.parallelism == Parallelism::kRoot) {
        return std::make_unique<RootParallelSearch>(std::move(explorer), params);
    }
    return std::make_unique<Mcts>(std::move(explorer), params);
}

}  // namespace tengen
