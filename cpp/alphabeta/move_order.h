#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "game/board.h"

namespace tengen {

struct ScoredMove {
    Cell cell;
    std::int32_t score;
};

/// The moves to search at a node. Selection and order are kept apart: the evaluation's score alone selects the k best,
/// so that the tree does not depend on what was searched before; hash move, killers and history only reorder them.
class MoveList {
public:
    /// `score` says how good a move looks, `ties` decides between equal scores.
    template <class Score>
    void fill(const PointSet& moves, const std::array<std::int32_t, kMaxCells>& ties, Score score) {
        size_ = 0;
        moves.for_each([&](Cell cell) { moves_[size_++] = {cell, score(cell) * kTieRange + ties[cell]}; });
    }

    /// Keeps the `width` best, 0 = all.
    void keep_best(int width) {
        if (width == 0 || size_ <= width) return;
        auto better = [](const ScoredMove& a, const ScoredMove& b) { return a.score > b.score; };
        std::nth_element(moves_.begin(), moves_.begin() + width, moves_.begin() + size_, better);
        size_ = width;
    }

    /// Moves the best of the moves from `first` on to `first`.
    Cell pick(int first) {
        int best = first;
        for (int i = first + 1; i < size_; ++i) {
            if (moves_[i].score > moves_[best].score) best = i;
        }
        std::swap(moves_[first], moves_[best]);
        return moves_[first].cell;
    }

    int size() const { return size_; }
    ScoredMove& operator[](int i) { return moves_[i]; }

    /// One point of the evaluation's score is this many of the list's, which leaves room for distinct tie-breakers.
    static constexpr std::int32_t kTieRange = 1024;

private:
    int size_ = 0;
    std::array<ScoredMove, kMaxCells> moves_;
};

/// What earlier cut-offs say about good moves.
class MoveHistory {
public:
    /// Forced answers cost no depth, so a line may be longer: the plies beyond share their killers.
    static constexpr int kMaxPly = 160;

    void clear() {
        for (auto& killers : killers_) killers.fill(kNoCell);
        for (auto& counts : cutoffs_) counts.fill(0);
    }

    void cut_off(Cell cell, Color mover, int ply, int depth) {
        auto& killers = killers_[std::min(ply, kMaxPly - 1)];
        if (killers[0] != cell) killers = {cell, killers[0]};
        std::int32_t& count = cutoffs_[index(mover)][cell];
        count = std::min(count + depth * depth, kMaxCount);
    }

    void reorder(MoveList& moves, Color mover, int ply, Cell hash_move) const {
        const auto& killers = killers_[std::min(ply, kMaxPly - 1)];
        for (int i = 0; i < moves.size(); ++i) {
            ScoredMove& move = moves[i];
            const bool killer = move.cell == killers[0] || move.cell == killers[1];
            move.score +=
                (cutoffs_[index(mover)][move.cell] / kCountsPerPoint + kKillerPoints * killer) * MoveList::kTieRange;
            if (move.cell == hash_move) move.score = std::numeric_limits<std::int32_t>::max();
        }
    }

private:
    static constexpr std::int32_t kMaxCount = 4096;
    static constexpr std::int32_t kCountsPerPoint = 32;
    static constexpr int kKillerPoints = 64;

    std::array<std::array<Cell, 2>, kMaxPly> killers_;
    std::array<std::array<std::int32_t, kMaxCells>, 2> cutoffs_;
};

}  // namespace tengen
