#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "levels/level.h"
#include "protocol/engine.h"
#include "protocol/game_search.h"

namespace tengen {

/// What judges positions, for a rule and the longer side of a board. Called in a thread of its own.
using MakeEvaluator = std::function<std::unique_ptr<Evaluator>(Rule rule, int side)>;
using Tell = std::function<void(const std::string& text)>;

/// Answers an engine's questions with the tree search. Key method: `think`. One thread uses it.
class Thinker {
public:
    /// Plays at a level if one is given, whatever the manager says of nodes and strength; openings are decided at full
    /// strength. The same seed chooses the same opening stones, and the same moves of a level.
    Thinker(MakeEvaluator make_evaluator, Engine::Clock now, std::uint64_t seed, std::optional<Level> level = {});

    /// The answer to a question; whatever happens, a legal move where a move is asked for. It comes soon when `stop`
    /// becomes true. `tell` is called with what the search has found so far, if the manager wants to know.
    Answer think(const Question& question, const StopFlag& stop, const Tell& tell);
    /// Begins to make ready what the questions of such a game need, and does not wait for it.
    void anticipate(const Question& question) { load_for(question.board); }
    /// Thinks about a position of the opponent's until `stop` becomes true, or there is nothing more to find.
    void ponder(const Board& board, const StopFlag& stop);
    /// Takes over a position that was reached by the engine's own move, so that cutting the tree costs no time.
    void settle(const Board& board);

private:
    struct Loaded {
        std::shared_ptr<const Evaluator> evaluator;
        std::int64_t base;  ///< bytes that the process needs with it but without a tree
    };
    /// What makes another tree necessary.
    struct Key {
        int game, width, height;
        Rule rule;
        std::int64_t memory;
        int threads, nodes;
        const Evaluator* evaluator;
        friend bool operator==(const Key&, const Key&) = default;
    };

    Answer move(const Question& question, const StopFlag& stop, const Tell& tell);
    Answer level_move(const Question& question, const StopFlag& stop);
    Answer swap2(const Question& question, const StopFlag& stop);
    SearchReport look(const Board& board, const EngineSettings& settings, double deadline, int best,
                      const StopFlag& stop, const Tell& tell);
    void search_for(const Question& question, std::optional<double> patience);
    std::shared_ptr<const Evaluator> evaluator_for(const Board& board, std::optional<double> patience);
    const std::shared_future<Loaded>& load_for(const Board& board);
    Loaded load(const Board& board) const;

    MakeEvaluator make_evaluator_;
    Engine::Clock now_;
    std::uint64_t seed_;
    std::optional<Level> level_;
    std::shared_ptr<const Evaluator> stand_in_;
    std::int64_t base_;
    std::optional<Key> key_;
    std::unique_ptr<GameSearch> search_;
    std::unique_ptr<GameSearch> level_search_;  ///< of the last move; on a busy machine it may still be ending
    std::pair<Rule, int> loading_key_;
    std::shared_future<Loaded> loading_;
};

/// How to search within the limits of a manager, in a process that needs `base` bytes without a tree.
std::pair<SearchParams, KnowledgeParams> engine_search_params(const EngineSettings& settings, std::int64_t base);

}  // namespace tengen
