#pragma once

#include <functional>
#include <vector>

#include "game/board.h"
#include "game/random.h"
#include "mcts/tree_search.h"

namespace tengen {

/// What a search thinks of a position, given a share of the thought that the whole decision may take.
using ThinkAbout = std::function<SearchReport(const Board& board, double share)>;

/// Swap2 as engines play it, on a board with 0, 3 or 5 stones: the stones to place, or none to swap.
///
/// Tengen places stones evenly and takes the side that the search prefers. With v the value for the side to move,
/// staying is worth v and swapping -v, so one of them is worth |v|. Placing two more stones and letting the other side
/// choose is worth -|w|, with w the value after them: never more than the other two if the values are right. It is done
/// only where |v| is less than what a search is wrong by, and the stones leave the position more even than it is.
/// (src/tengen/thinking/openings.py decides all other procedures, for people, in the same manner.)
std::vector<Cell> answer_swap2(const Board& board, const ThinkAbout& think, Random& random);

}  // namespace tengen
