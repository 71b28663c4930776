#include "search/threat_search.h"

#include <algorithm>

#include "game/random.h"
#include "search/situation.h"

namespace tengen {

int FourSearch::wins(Board& board, int plies, std::vector<Cell>* line) {
    nodes_ = 0;
    salt_ = split_mix(++calls_);
    reversed_line_.clear();
    const int length = board.has_windows() ? attack(board, plies) : 0;
    if (line) line->assign(reversed_line_.rbegin(), reversed_line_.rend());
    return length;
}

int FourSearch::attack(Board& board, int plies) {
    if (++nodes_ > kMaxNodes) return 0;
    const Color attacker = board.turn();
    const Threats& own = board.threats(attacker);
    if (own.fives.any()) {
        reversed_line_ = {own.fives.first()};
        return 1;
    }
    if (plies < 3) return 0;
    const std::uint64_t key = board.hash() ^ split_mix(salt_ + static_cast<std::uint64_t>(plies));
    if (failure_slot(key) == key) return 0;
    PointSet fours = own.fours;
    const PointSet& must_block = board.threats(opponent(attacker)).fives;
    if (must_block.any()) fours &= must_block;
    const bool has_fouls = board.rules().has_forbidden_points() && attacker == Color::kBlack;
    const PointSet first = fours & own.double_fours, rest = fours - own.double_fours;
    int length = 0;
    auto try_four = [&](Cell cell) {
        if (length || (has_fouls && board.foul_at(cell) != Foul::kNone)) return;
        board.play(cell);
        length = answer(board, plies - 1);
        board.undo();
        if (!length) return;
        ++length;
        reversed_line_.push_back(cell);
    };
    first.for_each(try_four);
    rest.for_each(try_four);
    if (!length) failure_slot(key) = key;
    return length;
}

/// The length of the attacker's win against the longest resistance, or 0.
int FourSearch::answer(Board& board, int plies) {
    const Color defender = board.turn();
    if (board.threats(defender).fives.any()) return 0;
    const PointSet fives = board.threats(opponent(defender)).fives;
    if (fives.empty()) return 0;
    PointSet answers = fives;
    if (board.rules().rule == Rule::kCaro) {  // a row is also stopped at its ends
        fives.for_each([&](Cell five) {
            for (int direction = 0; direction < kDirections; ++direction) add_line(answers, board, five, direction);
        });
        answers -= board.occupied();
    } else if (fives.count() >= 2) {
        answers = {};
        answers.add(fives.first());
    }
    const bool has_fouls = board.rules().has_forbidden_points() && defender == Color::kBlack;
    if (has_fouls && fives.count() == 1 && board.foul_at(fives.first()) != Foul::kNone) {
        reversed_line_ = {fives.first()};  // black may not play there: white does
        return 2;
    }
    int longest = 1;
    std::vector<Cell> longest_line;
    answers.for_each([&](Cell cell) {
        if (!longest) return;
        board.play(cell);
        const int length = attack(board, plies - 1);
        board.undo();
        if (length + 1 > longest && length) {
            longest_line = reversed_line_;
            longest_line.push_back(cell);
        }
        longest = length ? std::max(longest, length + 1) : 0;
    });
    reversed_line_ = longest ? longest_line : std::vector<Cell>();
    return longest;
}

}  // namespace tengen
