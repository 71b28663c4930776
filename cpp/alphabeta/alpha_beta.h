#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "alphabeta/line.h"
#include "alphabeta/move_order.h"
#include "alphabeta/score.h"
#include "alphabeta/situation.h"
#include "alphabeta/transposition.h"
#include "alphabeta/vct_search.h"
#include "eval/expert.h"
#include "eval/row_evaluation.h"
#include "game/board.h"

namespace tengen {

/// What judges positions and chooses the moves that are tried.
enum class AlphaBetaEvaluation : std::uint8_t {
    kShapes,  ///< the expert: what either side would make at the empty points
    kRows,    ///< the table of rows (RowEvaluation), with the openings of the same document
};

/// Everything that shapes an alpha-beta search. The caller sees to the ranges.
struct AlphaBetaParams {
    int depth = 6;            ///< plies to search, 1 to 64; forced answers to a threat are not counted
    double seconds = 0;       ///< time for a move, 0 = no limit
    std::int64_t nodes = 0;   ///< positions to look at, 0 = no limit
    int width = 20;           ///< k: quiet positions search the k best moves only, 0 = all candidates
    int hash_megabytes = 16;  ///< size of the transposition table, rounded down to a power of two
    int vct_plies = 0;        ///< look for a win by continuous threats of at most so many plies at root and leaves
    AlphaBetaEvaluation evaluation = AlphaBetaEvaluation::kShapes;
    bool use_threats = true;  ///< false knows no fives and open fours but by search and evaluation
    bool use_pruning = true;  ///< false searches the whole tree, for tests: the value is the same
    bool use_hash = true;     ///< false searches transpositions again, for tests: the value is the same
    std::uint64_t seed = 0;   ///< varies the choice between moves that look equal; 0 prefers the centre
};

struct AlphaBetaResult {
    Cell move = kNoCell;  ///< kNoCell only if no move is legal
    int score = 0;        ///< for the side to move, as the evaluation's; beyond score::kWinBound a forced win or loss
    int depth = 0;        ///< the last depth that was finished
    std::int64_t nodes = 0;  ///< positions looked at
    std::vector<Cell> line;  ///< the expected moves, the first is `move`
};

/// Iterative deepening principal variation search over the k moves that the evaluation likes best, with a transposition
/// table.
///
/// A node's value depends on the position and the remaining depth alone: entries of the table count only for the very
/// same depth, and what extends the search (single answers, the threat search at leaves) is a property of the position.
/// So pruning and hash change the time and never the value. Key method: `search`.
class AlphaBeta {
public:
    static constexpr int kMaxDepth = 64;

    explicit AlphaBeta(const AlphaBetaParams& params);

    /// The best move of a game that is not over. Setting `stop` from any thread ends the search within a millisecond or
    /// so; even if it is set from the start, the move is legal and not blind to threats.
    AlphaBetaResult search(const Board& board, const std::atomic<bool>& stop);

private:
    struct RootMove {
        Cell cell;
        int score;
        std::vector<Cell> line;
    };

    void start(const Board& board, const std::atomic<bool>& stop);
    Situation situation() { return use_threats() ? Situation::of(*board_, *expert_) : Situation::quiet(*board_); }
    bool use_threats() const { return params_.use_threats; }
    int position_score();
    void list_moves(const PointSet& moves, MoveList& list);
    Cell opening_move(const Situation& situation) const;
    std::optional<AlphaBetaResult> answer_without_search(const Situation& situation);
    std::vector<RootMove> root_moves(const PointSet& moves);
    void deepen(AlphaBetaResult& result, bool must_answer, std::vector<RootMove> moves);
    bool search_root(AlphaBetaResult& result, std::vector<RootMove>& moves, std::size_t width, int depth);
    int search_child(Cell move, int depth, int alpha, int beta, int ply, bool full_window, Line& line);
    int search_node(int depth, int alpha, int beta, int ply, Line& line);
    int search_moves(const Situation& situation, int depth, int alpha, int beta, int ply, Cell hash_move, Line& line);
    int leaf_score(int ply);
    bool out_of_budget();

    AlphaBetaParams params_;
    VctSearch vct_;
    TranspositionTable table_;
    MoveHistory history_;
    std::array<std::int32_t, kMaxCells> ties_;
    std::optional<Board> board_;
    std::optional<Expert> expert_;

    const std::atomic<bool>* stop_ = nullptr;
    std::chrono::steady_clock::time_point deadline_;
    std::int64_t nodes_ = 0;
    bool stopped_ = false;
};

}  // namespace tengen
