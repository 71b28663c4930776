#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "game/rules.h"

namespace tengen {

inline constexpr int kMaxEngineThreads = 256;

/// What a manager tells an engine with INFO, in the protocol's units. Key method: `update`.
struct EngineSettings {
    std::int64_t timeout_turn = 5000;       ///< milliseconds a move, 0 for as fast as possible
    std::int64_t timeout_match = 0;         ///< milliseconds a game, 0 for no limit
    std::optional<std::int64_t> time_left;  ///< milliseconds left of the game, where the manager has said
    std::int64_t max_memory = 0;            ///< bytes for the process, 0 for no limit
    Rule rule = Rule::kFreestyle;
    std::int64_t max_node = 0;   ///< playouts a move, 0 for no limit
    std::int64_t max_depth = 0;  ///< moves of the expected line after which the search ends, 0 for no limit
    std::int64_t hash_size = 0;  ///< kilobytes for the tree, 0 for no limit beyond max_memory
    int thread_num = 1;
    bool show_detail = false;  ///< whether to tell what the search finds, while it runs and at its end
    bool pondering = false;    ///< whether to think in the opponent's time
    int strength = 100;        ///< from 0 to 100; below 100 the playouts are limited

    /// Takes over one INFO. Unknown keys and values that make no sense are ignored, as the protocol asks.
    void update(std::string_view key, std::string_view value);
    /// Playouts a move, 0 for no limit: the smaller one of what max_node and strength allow.
    std::int64_t playouts() const;
};

/// The rule of INFO's bit mask: 1 exactly five, 2 a continuous game, 4 renju, 8 caro.
///
/// A bare 2 is renju in managers that follow Yixin; continuous games, which mean nothing to an engine, are always sent
/// with another bit or as 0 by those that follow Gomocup.
Rule rule_of_mask(std::int64_t mask);

/// How long to think about a move: seconds from the arrival of the question to the end of the search.
///
/// With one limit T for the move and L left for the game, in milliseconds:
///
///     usable(t) = t - max(45, t / 10)                     but never less than t / 5
///     budget    = min(usable(T), usable(L / max(35 - own moves, 12)))
///
/// Without a limit for the game the second part is left out. T = 0 counts as 40 ms of thinking. Where the manager has
/// not sent time_left, the engine counts for itself what is left of timeout_match, from the seconds it has spent.
double time_budget(const EngineSettings& settings, int own_moves, double spent);

}  // namespace tengen
