#include "protocol/game_search.h"

#include <chrono>
#include <utility>

#include "mcts/make_explorer.h"
#include "mcts/parallelism.h"

namespace tengen {

GameSearch::GameSearch(std::shared_ptr<const Evaluator> evaluator, const SearchParams& params,
                       KnowledgeParams knowledge, const Board& board)
    : evaluator_(std::move(evaluator)),
      knowledge_(knowledge),
      seed_(params.seed),
      board_(board),
      search_(make_search(explorer_at(board), params)) {}

GameSearch::~GameSearch() {
    search_->stop();
    if (running_.valid()) running_.wait();
}

void GameSearch::set_position(const Board& board) {
    finish();
    if (!follow(board)) search_->set_root(explorer_at(board));
    board_ = board;
}

void GameSearch::begin(SearchLimits limits, StopFlag stop) {
    finish();
    stop_ = std::move(stop);
    limits.stop = stop_.get();
    search_->begin(limits);
}

SearchReport GameSearch::step(double seconds, double expected, double patience, int best) {
    finish();
    running_ = std::async(std::launch::async, [this, seconds] { search_->step(seconds); });
    const bool waits = patience <= 0 || expected <= 0;
    const auto longest = std::chrono::duration<double>(expected + patience);
    if (waits || running_.wait_for(longest) == std::future_status::ready || search_->best_move() == kNoCell) finish();
    return search_->report(best);
}

std::unique_ptr<Explorer> GameSearch::explorer_at(const Board& board) const {
    return make_explorer(board, evaluator_->clone(seed_), knowledge_);
}

/// Advances the tree along the moves played since, if `board` continues the last position.
bool GameSearch::follow(const Board& board) {
    if (&board.geometry() != &board_.geometry() || board.rules() != board_.rules() || board.ply() < board_.ply()) {
        return false;
    }
    for (int ply = 0; ply < board_.ply(); ++ply) {
        if (board.move_at(ply) != board_.move_at(ply) || board.color_at(ply) != board_.color_at(ply)) return false;
    }
    Color turn = board_.turn();
    for (int ply = board_.ply(); ply < board.ply(); ++ply, turn = opponent(turn)) {
        if (board.color_at(ply) != turn || !search_->advance(board.move_at(ply))) return false;
    }
    return board.turn() == turn;
}

/// Waits for the end of a step.
void GameSearch::finish() {
    if (running_.valid()) running_.get();
}

}  // namespace tengen
