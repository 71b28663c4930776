#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "eval/evaluator.h"
#include "game/random.h"
#include "mcts/params.h"
#include "mcts/tree_search.h"

namespace tengen {

/// How one level thinks: opponents for people, from a first game (1) to all the machine can do (10). Level 0 tries to
/// lose.
struct Level {
    /// Between two levels there are others, such as 3.4.
    double number = 0;
    /// A move, at most; 0 where time alone decides.
    std::int64_t playouts = 0;
    /// Time a move, at most. Where there are playouts, they decide on any machine that is not overloaded.
    double seconds = 3;
    /// Moves are drawn with probability visits ^ (1 / temperature); 0 takes the best.
    double temperature = 0;
    /// Above 1 the search trusts its first impression less and looks at odd moves.
    double prior_temperature = 1.35;
    /// Share of chance in the first impression.
    double noise = 0;
    /// Chance a move that the search does not see fives and fours before it walks into them.
    double blindness = 0;
    /// Nodes of the search for a win by fours; 0 for none.
    int vcf_nodes_root = 0;
    /// The same by threes and fours, and of the enemy's after the move that is about to be played.
    int vct_nodes_root = 0;
    /// The goal is to make the other side win.
    bool tries_to_lose = false;

    /// Calls `visit` with the name of every member and a pointer to it.
    template <class Visit>
    static void each_member(Visit visit) {
        visit("number", &Level::number);
        visit("playouts", &Level::playouts);
        visit("seconds", &Level::seconds);
        visit("temperature", &Level::temperature);
        visit("prior_temperature", &Level::prior_temperature);
        visit("noise", &Level::noise);
        visit("blindness", &Level::blindness);
        visit("vcf_nodes_root", &Level::vcf_nodes_root);
        visit("vct_nodes_root", &Level::vct_nodes_root);
        visit("tries_to_lose", &Level::tries_to_lose);
    }
};

/// All levels in their order, 0 first.
std::span<const Level> levels();

/// The level of that number, or one between two levels. Throws std::invalid_argument if there is none.
Level find_level(double number);

/// A level at one of its moves: how it searches this time, and which move it takes. The same position, level and seed
/// of the game give the same move, whoever asks.
class LevelTurn {
public:
    /// How many moves of the search's report `choose` wants to see.
    static constexpr int kCandidates = 12;
    /// Bytes of a tree that no level uses up in its time.
    static constexpr std::int64_t kMemory = 96 << 20;

    /// `ply` is the number of stones on the board.
    LevelTurn(const Level& level, std::uint64_t seed, int ply);

    const Level& level() const { return level_; }
    SearchParams search_params(std::int64_t memory = kMemory) const;
    KnowledgeParams knowledge_params() const;
    /// An opinion of its own, instead of the one that others ask; most levels have none.
    std::unique_ptr<Evaluator> own_evaluator() const;

    /// The place of the move to play among those of the report, best first; to be asked once.
    std::size_t choose(std::span<const MoveReport> moves);

private:
    Level level_;
    Random chance_;
    bool sees_;  ///< fives and fours before it walks into them
    std::uint64_t search_seed_;
};

}  // namespace tengen
