#include "selfplay/game_runner.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mcts/make_explorer.h"
#include "selfplay/gumbel.h"
#include "selfplay/opening.h"

namespace tengen {
namespace {

int result_for_first(Result result) {
    return result == Result::kFirstWins ? 1 : result == Result::kSecondWins ? -1 : 0;
}

int result_for_first(Proof proof, bool first_to_move) {
    if (proof == Proof::kDraw) return 0;
    return (proof == Proof::kWin) == first_to_move ? 1 : -1;
}

}  // namespace

GameRunner::GameRunner(std::shared_ptr<const Evaluator> evaluator, SelfPlayParams params, SearchParams search,
                       KnowledgeParams knowledge, std::uint64_t seed)
    : evaluator_(std::move(evaluator)),
      params_(std::move(params)),
      search_params_(search),
      knowledge_(knowledge),
      random_(seed) {}

std::optional<GameRecord> GameRunner::play_game(GameUnderWay& under_way, const std::atomic<bool>& stop) {
    take_up(under_way, stop);
    std::optional<int> end = result();
    while (!end) {
        end = move(under_way, random_.uniform() < params_.full_share);
        if (stop.load(std::memory_order_relaxed)) return std::nullopt;
        if (!end) end = result();
    }
    return under_way.finish(*end);
}

void GameRunner::take_up(GameUnderWay& under_way, const std::atomic<bool>& stop) {
    stop_ = &stop;
    if (!under_way.copy()) begin(under_way);
    const GameRecord begun = *under_way.copy();
    game_ = begun.kind.start();
    for (Cell move : begun.moves) game_->play(move);
    opening_plies_ = begun.opening_plies;
    set_root(*game_);
    adjudicated_ = random_.uniform() < params_.adjudicated_share;
}

void GameRunner::begin(GameUnderWay& under_way) {
    GameRecord record;
    record.kind = params_.kinds[random_.below(static_cast<std::uint32_t>(params_.kinds.size()))];
    const std::unique_ptr<Game> game = balanced_opening(record.kind);
    record.opening_plies = game->ply();
    for (int ply = 0; ply < game->ply(); ++ply) record.moves.push_back(game->move_at(ply));
    under_way.begin(std::move(record));
}

/// An opening that is a game; of Gomoku one that a quick search finds about even, or now and then the empty board. No
/// search judges that one: it has only one candidate.
std::unique_ptr<Game> GameRunner::balanced_opening(const GameKind& kind) {
    const bool empty = params_.opening_stones == 0 || random_.uniform() < params_.opening_empty;
    if (kind.is_gomoku() && empty) return kind.start();
    std::unique_ptr<Game> best;
    float best_distance = 2;
    for (int attempt = 0; attempt < params_.opening_tries || !best; ++attempt) {
        std::unique_ptr<Game> game = random_opening(kind, params_, random_);
        if (is_decided(*game)) continue;
        if (!kind.is_gomoku()) return game;
        set_root(*game);
        const float distance = std::abs(search(false).value);
        if (distance < best_distance) {
            best_distance = distance;
            best = std::move(game);
        }
        if (distance <= params_.opening_balance) break;
    }
    return best;
}

std::optional<int> GameRunner::move(GameUnderWay& under_way, bool full) {
    const Policy policy = search(full);
    if (stop_->load(std::memory_order_relaxed)) return std::nullopt;  // and the search was cut off
    const SearchReport report = mcts_->report(kMaxCells, 0);
    const std::vector<MoveReport> candidates = mcts_->root_candidates();
    // Where there is no choice there is nothing to learn.
    const bool is_forced = candidates.size() == 1 && report.proof == Proof::kNone;
    if (full && !is_forced) record(under_way, policy, candidates);
    if (adjudicated_ && report.proof != Proof::kNone) {
        return result_for_first(report.proof, game_->is_first_to_move());
    }
    play(under_way, choose_move(report, policy));
    return std::nullopt;
}

/// Once, or as often as the position weighs. What a proof says is no surprise: the next search will have it again.
void GameRunner::record(GameUnderWay& under_way, const Policy& policy, std::span<const MoveReport> candidates) {
    double times = 1;
    const double share = params_.surprise_share;
    if (share > 0 && mcts_->root_proof() == Proof::kNone) {
        constexpr double kMemory = 0.999;  // of what is usual
        const double surprise = divergence(policy.moves, candidates);
        surprises_ = kMemory * surprises_ + surprise;
        surprised_ = kMemory * surprised_ + 1;
        if (surprises_ > 0) times = 1 - share + share * surprise * surprised_ / surprises_;
        times = std::floor(times + random_.uniform());
    }
    const Sample sample = to_sample(policy, game_->ply());
    for (; times >= 1; --times) under_way.add(sample);
}

void GameRunner::play(GameUnderWay& under_way, Cell move) {
    under_way.add(move);
    game_->play(move);
    mcts_->advance(move);
}

std::optional<int> GameRunner::result() const {
    if (const Result end = game_->result(); end != Result::kOpen) return result_for_first(end);
    return is_too_long() ? std::optional(GameRecord::kUnfinished) : std::nullopt;
}

/// Never in other games than Gomoku: their boards may have to be full.
bool GameRunner::is_too_long() const {
    const Board* board = as_board(*game_);
    return board && static_cast<float>(board->ply()) >= params_.longest_game * static_cast<float>(board->cells());
}

/// The search takes another position.
void GameRunner::set_root(const Game& position) {
    auto explorer = make_explorer(position, evaluator_->clone(random_.next()), knowledge_);
    if (mcts_) {
        mcts_->set_root(std::move(explorer));
    } else {
        mcts_ = std::make_unique<Mcts>(std::move(explorer), search_params_);
    }
}

/// Searches the position under way, fully or quickly.
Policy GameRunner::search(bool full) {
    int playouts = full ? params_.full_playouts : params_.fast_playouts;
    const bool by_gumbel = full && params_.gumbel_moves > 0;
    if (params_.count_kept && !by_gumbel) playouts = std::max(1, playouts - static_cast<int>(mcts_->root_visits()));
    Policy policy;
    if (by_gumbel) {
        policy = gumbel_search(*mcts_, playouts, params_.gumbel_moves, params_.gumbel_value_scale, random_, stop_);
    } else {
        mcts_->set_root_noise(full ? params_.root_noise : 0, params_.root_noise_total_alpha, params_.noise_at);
        mcts_->search({playouts, 0, stop_});
        policy = visit_policy(mcts_->report(kMaxCells, 0), params_.least_visits);
    }
    playouts_ += policy.playouts;
    return policy;
}

Cell GameRunner::choose_move(const SearchReport& report, const Policy& policy) {
    // p-opposition needs a game in which both sides want the same points.
    const Board* board = as_board(*game_);
    if (board && params_.opposition_probability > 0 && report.proof == Proof::kNone &&
        random_.uniform() < params_.opposition_probability && believes_it_loses(*board)) {
        if (const auto point = opponents_point(*board)) {
            ++opposition_moves_;
            return *point;
        }
    }
    const bool early = game_->ply() - opening_plies_ < params_.early_moves;
    const float temperature = early ? params_.early_temperature : params_.late_temperature;
    return policy.moves.empty() ? mcts_->best_move() : policy.sample(temperature, random_);
}

/// By the network's first impression of the position, S0's value head, and not by the search.
bool GameRunner::believes_it_loses(const Board& board) {
    Board copy = board.with_radius(evaluator_->window_radius());
    CellLogits logits;
    return evaluator_->clone(random_.next())->evaluate_candidates(copy, logits) < params_.opposition_threshold;
}

/// Where the opponent would play if it were its turn, if the mover may play there.
std::optional<Cell> GameRunner::opponents_point(const Board& board) {
    Board passed = board;
    passed.set_turn(opponent(board.turn()));
    Mcts other(make_explorer(passed, evaluator_->clone(random_.next()), knowledge_), search_params_);
    other.search({params_.fast_playouts, 0});
    playouts_ += other.results();
    const Cell point = other.best_move();
    if (point == kNoCell) return std::nullopt;  // it has forbidden points alone
    Board copy = board;
    const bool forbidden = board.turn() == Color::kBlack && copy.foul_at(point) != Foul::kNone;
    return forbidden ? std::nullopt : std::optional(point);
}

}  // namespace tengen
