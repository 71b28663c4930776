#include "game/game.h"

namespace tengen {

Result Game::play_out(Random& random) {
    const int start = ply();
    std::vector<Cell> moves;
    Result end;
    while ((end = result()) == Result::kOpen) {
        legal_moves(moves);
        play(moves[random.below(static_cast<std::uint32_t>(moves.size()))]);
    }
    while (ply() > start) undo();
    return end;
}

std::string Game::move_text(Cell move) const {
    return static_cast<char>('a' + move % width()) + std::to_string(height() - move / width());
}

float Game::value_for_mover(Result result) const {
    if (result != Result::kFirstWins && result != Result::kSecondWins) return 0;
    return (result == Result::kFirstWins) == is_first_to_move() ? 1 : -1;
}

}  // namespace tengen
