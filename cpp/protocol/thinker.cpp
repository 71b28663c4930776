#include "protocol/thinker.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "eval/expert_evaluator.h"
#include "mcts/clock.h"
#include "mcts/mcts.h"
#include "protocol/process_memory.h"
#include "protocol/swap2.h"

namespace tengen {
namespace {

/// Of the process without its tree (tables of the network, an interpreter) where the system does not tell.
constexpr std::int64_t kBaseMemory = 128 << 20;
/// What threads and reports may still need on top of what was measured.
constexpr std::int64_t kSpareMemory = 32 << 20;
constexpr std::int64_t kMinTree = 4 << 20, kSmallTree = 32 << 20, kMaxTree = 1 << 30;
/// When a tree is cut down to what is still of use, old and new exist for a moment.
constexpr double kTreeShare = 0.45;
/// Bytes that are useful for each second a move: more would only be slow to cut down.
constexpr double kTreePerSecond = 256 << 20;
/// Nodes of the root's searches for threats for each second a move: the search sees its clock, but has other work too.
constexpr double kRootNodesPerSecond = 40'000;
/// As tengen.search.SearchParams has it: with two networks 1.35 won 58 and 108 Elo over 1 at equal playouts.
constexpr float kPriorTemperature = 1.35f;
/// So long after the deadline the answer is what is known: on a busy machine a thread that computes may have to wait
/// for a processor longer than a move may take. One that slept, and needs nothing that others hold, gets it at once.
constexpr double kPatienceSeconds = 0.004;
/// How often a search tells what it has found, if it was asked to.
constexpr double kDetailSeconds = 0.5;
/// With a limit of depth the search looks up so often.
constexpr double kDepthSlice = 0.002;

template <class... Values>
std::string format(const char* pattern, Values... values) {
    char text[256];
    std::snprintf(text, sizeof text, pattern, values...);
    return text;
}

std::string line_text(const Board& board, const std::vector<Cell>& line) {
    std::string text;
    for (const Cell cell : line) {
        text += text.empty() ? "" : " ";
        text += static_cast<char>('a' + cell % board.width()) + std::to_string(board.height() - cell / board.width());
    }
    return text;
}

std::string summary(const Board& board, const SearchReport& found) {
    return format("depth %d playouts %lld ms %.0f winrate %.1f%% line ", found.depth,
                  static_cast<long long>(found.playouts), 1000 * found.seconds, 50 * (1 + found.value)) +
           line_text(board, found.moves.at(0).line);
}

std::string best_line(const Board& board, int rank, const MoveReport& move) {
    return format("(%d) %d,%d winrate %.1f%% visits %lld line ", rank, move.move % board.width(),
                  move.move / board.width(), 50 * (1 + move.value), static_cast<long long>(move.visits)) +
           line_text(board, move.line);
}

/// Makes everything that is made at its first use: a network's tables, for either side to move. They took 150 ms of the
/// first move, more than a whole move may last; and they belong to the memory that is measured.
void warm_up(const Evaluator& evaluator, const Board& like) {
    Board board(like.width(), like.height(), like.rules());
    const Cell centre = static_cast<Cell>(like.height() / 2 * like.width() + like.width() / 2);
    SearchParams params;
    params.memory = kMinTree;
    for (const Cell stone : {centre, static_cast<Cell>(centre - 1)}) {
        board.play(stone);
        Mcts(std::make_unique<GomokuExplorer>(board, evaluator.clone(0), KnowledgeParams{}), params)
            .search({.playouts = 1});
    }
}

/// Works on a search for some seconds, 0 for until its end, which should come after those that are `expected`.
SearchReport work(GameSearch& search, double seconds, double expected, int best) {
    SearchReport found = search.step(seconds, expected, kPatienceSeconds, best);
    // A busy machine: there was not even time to list the moves.
    return found.moves.empty() ? search.step(kDepthSlice, 0, 0, best) : found;
}

}  // namespace

Thinker::Thinker(MakeEvaluator make_evaluator, Engine::Clock now, std::uint64_t seed, std::optional<Level> level)
    : make_evaluator_(std::move(make_evaluator)),
      now_(std::move(now)),
      seed_(seed),
      level_(level),
      stand_in_(std::make_shared<ExpertEvaluator>()),
      base_(kBaseMemory) {}

Answer Thinker::think(const Question& question, const StopFlag& stop, const Tell& tell) {
    try {
        switch (question.kind) {
            case Question::Kind::kPrepare: search_for(question, kNever); return {};
            case Question::Kind::kSwap2: return swap2(question, stop);
            default: return move(question, stop, tell);
        }
    } catch (const std::exception& error) {  // a lost game is better than no answer, and a move better than a lost game
        Board board = question.board;
        const auto legal = board.legal(board.empties()).members();
        if (question.kind != Question::Kind::kMove || legal.empty()) return {.error = error.what()};
        return {.moves = {legal[0]}, .messages = {std::string("the search failed: ") + error.what()}};
    }
}

Answer Thinker::move(const Question& question, const StopFlag& stop, const Tell& tell) {
    const Board& board = question.board;
    if (level_) return level_move(question, stop);
    if (board.ply() == 0) return {.moves = {static_cast<Cell>(board.height() / 2 * board.width() + board.width() / 2)}};
    search_for(question, {});
    const SearchReport found =
        look(board, question.settings, question.deadline, std::max(1, question.best), stop, tell);
    Answer answer{.moves = {found.moves.at(0).move}};
    for (int rank = 1; question.best && rank <= static_cast<int>(found.moves.size()); ++rank) {
        answer.messages.push_back(best_line(board, rank, found.moves[rank - 1]));
    }
    if (!question.best && question.settings.show_detail) answer.messages.push_back(summary(board, found));
    return answer;
}

/// A level takes a fresh tree for every move.
Answer Thinker::level_move(const Question& question, const StopFlag& stop) {
    const Board& board = question.board;
    LevelTurn turn(*level_, seed_, board.ply());
    std::shared_ptr<const Evaluator> evaluator = turn.own_evaluator();
    if (!evaluator) evaluator = evaluator_for(board, std::max(0.0, (question.deadline - now_()) / 2));
    const std::int64_t memory = engine_search_params(question.settings, base_).first.memory;
    level_search_.reset();  // its memory first
    level_search_ = std::make_unique<GameSearch>(evaluator, turn.search_params(std::min(memory, LevelTurn::kMemory)),
                                                 turn.knowledge_params(), board);
    const double seconds = std::clamp(question.deadline - now_(), 1e-3, level_->seconds);
    level_search_->begin({.playouts = level_->playouts, .seconds = seconds}, stop);
    const auto moves = work(*level_search_, 0, seconds, LevelTurn::kCandidates).moves;
    return {.moves = {moves[turn.choose(moves)].move}};
}

Answer Thinker::swap2(const Question& question, const StopFlag& stop) {
    search_for(question, {});
    const double start = now_();
    const auto think = [&](const Board& board, double share) {
        const double deadline = std::min(question.deadline, now_() + share * (question.deadline - start));
        return look(board, question.settings, deadline, 1, stop, {});
    };
    Random random(seed_);
    return {.moves = answer_swap2(question.board, think, random)};
}

SearchReport Thinker::look(const Board& board, const EngineSettings& settings, double deadline, int best,
                           const StopFlag& stop, const Tell& tell) {
    search_->set_position(board);  // before the clock is read: it may have to cut the tree
    const double seconds = std::max(1e-3, deadline - now_());
    search_->begin({.playouts = settings.playouts(), .seconds = seconds}, stop);
    const bool tells = settings.show_detail && tell;
    const int depth = static_cast<int>(std::min<std::int64_t>(settings.max_depth, kMaxCells));
    const double slice = depth ? kDepthSlice : tells ? kDetailSeconds : 0;
    double told = 0;
    for (;;) {
        SearchReport found = work(*search_, slice, slice > 0 ? slice : seconds, best);
        if (depth) found = search_->report(best, depth);
        const bool deep = depth && static_cast<int>(found.moves[0].line.size()) >= depth;
        if (deep || found.ended != SearchEnd::kRunning || found.seconds >= seconds) return found;
        if (tells && found.seconds - told >= kDetailSeconds) {
            told = found.seconds;
            tell(summary(board, found));
        }
    }
}

void Thinker::ponder(const Board& board, const StopFlag& stop) {
    if (!search_) return;
    search_->set_position(board);
    search_->begin({}, stop);
    search_->step(0, 0, 0, 1);
}

void Thinker::settle(const Board& board) {
    if (search_ && key_->width == board.width() && key_->height == board.height() && key_->rule == board.rules().rule) {
        search_->set_position(board);
    }
}

/// Makes a search for a question. It waits so many seconds for the network; for half of the time if that is not given.
void Thinker::search_for(const Question& question, std::optional<double> patience) {
    const Board& board = question.board;
    if (!patience) patience = std::max(0.0, (question.deadline - now_()) / 2);
    const auto evaluator = evaluator_for(board, patience);
    const auto [params, knowledge] = engine_search_params(question.settings, base_);
    const Key key{question.game, board.width(),  board.height(),           board.rules().rule,
                  params.memory, params.threads, knowledge.vcf_nodes_root, evaluator.get()};
    if (search_ && key == key_) return;
    search_.reset();  // its memory first
    search_ = std::make_unique<GameSearch>(evaluator, params, knowledge, board);
    key_ = key;
}

/// The network, or the expert evaluation while the network's tables are not ready. Managers name the rule after START,
/// and some ask for a move in the same moment: tables of another rule take longer than a short move may last.
std::shared_ptr<const Evaluator> Thinker::evaluator_for(const Board& board, std::optional<double> patience) {
    const std::shared_future<Loaded>& loading = load_for(board);
    if (*patience != kNever &&
        loading.wait_for(std::chrono::duration<double>(*patience)) != std::future_status::ready) {
        return stand_in_;
    }
    base_ = loading.get().base;
    return loading.get().evaluator;
}

const std::shared_future<Thinker::Loaded>& Thinker::load_for(const Board& board) {
    const std::pair key(board.rules().rule, std::max(board.width(), board.height()));
    if (!loading_.valid() || loading_key_ != key) {
        search_.reset();  // so that the tree is not measured
        loading_key_ = key;
        loading_ = std::async(std::launch::async, [this, board, before = loading_] {
                       if (before.valid()) before.wait();  // one at a time
                       return load(board);
                   }).share();
    }
    return loading_;
}

/// An evaluator that is ready for use.
Thinker::Loaded Thinker::load(const Board& board) const {
    std::shared_ptr<const Evaluator> evaluator =
        make_evaluator_(board.rules().rule, std::max(board.width(), board.height()));
    warm_up(*evaluator, board);
    const std::int64_t resident = resident_memory();
    return {evaluator, resident ? resident + kSpareMemory : kBaseMemory};
}

std::pair<SearchParams, KnowledgeParams> engine_search_params(const EngineSettings& settings, std::int64_t base) {
    const double seconds = static_cast<double>(settings.timeout_turn) / 1000;
    auto memory = static_cast<std::int64_t>(
        std::clamp(seconds * kTreePerSecond, static_cast<double>(kSmallTree), static_cast<double>(kMaxTree)));
    if (settings.max_memory) {
        memory =
            std::min(memory, static_cast<std::int64_t>(kTreeShare * static_cast<double>(settings.max_memory - base)));
    }
    if (settings.hash_size && settings.hash_size < kMaxTree >> 10) memory = std::min(memory, settings.hash_size << 10);
    const auto nodes = static_cast<int>(std::clamp(seconds * kRootNodesPerSecond, 1'000.0, 20'000.0));
    SearchParams params;
    params.threads = settings.thread_num;
    params.memory = std::max(kMinTree, memory);
    params.vct_nodes_answer = nodes;
    KnowledgeParams knowledge;
    knowledge.vcf_nodes_root = nodes;
    knowledge.vct_nodes_root = nodes;
    knowledge.prior_temperature = kPriorTemperature;
    return {params, knowledge};
}

}  // namespace tengen
