#include "proof/position.h"

#include <algorithm>

#include "game/zobrist.h"

namespace tengen {
namespace {

/// A board that is not square has half of the symmetries: the others swap its sides.
int symmetries_of(const Board& board) {
    return board.width() == board.height() ? kSymmetries : kSymmetries / 2;
}

std::uint64_t key_of(const Board& board, int symmetry) {
    std::uint64_t key = 0;
    for (int ply = 0; ply < board.ply(); ++ply) {
        key ^= kZobrist.stones[index(board.color_at(ply))][board.geometry().transform(board.move_at(ply), symmetry)];
    }
    return key;
}

}  // namespace

ProofPosition ProofPosition::of(const Board& board, int* symmetry) {
    ProofPosition position;
    int best = 0;
    for (int i = 0; i < symmetries_of(board); ++i) {
        const std::uint64_t key = key_of(board, i);
        if (i > 0 && key >= position.key) continue;
        position.key = key;
        best = i;
    }
    for (int ply = 0; ply < board.ply(); ++ply) {
        const Cell cell = board.geometry().transform(board.move_at(ply), best);
        position.stones[index(board.color_at(ply))].push_back(cell);
    }
    for (auto& stones : position.stones) std::ranges::sort(stones);
    if (symmetry) *symmetry = best;
    return position;
}

void ProofPosition::set_up(Board& board) const {
    for (Color color : {Color::kBlack, Color::kWhite}) {
        for (Cell cell : stones[index(color)]) board.place(cell, color);
    }
    board.set_turn(turn());
}

}  // namespace tengen
