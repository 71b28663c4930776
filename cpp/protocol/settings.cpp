#include "protocol/settings.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "protocol/text.h"

namespace tengen {
namespace {

constexpr std::int64_t kUnlimitedMs = 2147483647;

/// What is never thought away: for pipes, and for threads that have to wait for a busy processor.
constexpr double kMarginMs = 45, kMarginShare = 0.1;
/// With timeout_turn 0 the answer is wanted as fast as possible: what still gives a sensible move.
constexpr double kFastestMs = 40;
/// A game is taken to last this many own moves, and at least so many more from wherever it stands.
constexpr int kExpectedMoves = 35, kMovesToGo = 12;

double usable(double milliseconds) {
    return std::max(milliseconds - std::max(kMarginMs, kMarginShare * milliseconds), milliseconds / 5);
}

}  // namespace

void EngineSettings::update(std::string_view key, std::string_view value) {
    const std::optional<std::int64_t> number = to_integer(value);
    if (!number) return;
    const std::string name = to_lower(key);
    const std::array<std::pair<const char*, std::int64_t*>, 6> limits = {{{"timeout_turn", &timeout_turn},
                                                                          {"timeout_match", &timeout_match},
                                                                          {"max_memory", &max_memory},
                                                                          {"max_node", &max_node},
                                                                          {"max_depth", &max_depth},
                                                                          {"hash_size", &hash_size}}};
    for (const auto& [limit, to] : limits) {
        if (name == limit) *to = std::max<std::int64_t>(0, *number);
    }
    if (name == "rule") rule = rule_of_mask(*number);
    if (name == "time_left") time_left = *number >= kUnlimitedMs ? std::nullopt : number;
    if (name == "show_detail") show_detail = *number > 0;
    if (name == "pondering") pondering = *number > 0;
    if (name == "thread_num") thread_num = static_cast<int>(std::clamp<std::int64_t>(*number, 1, kMaxEngineThreads));
    if (name == "strength") strength = static_cast<int>(std::clamp<std::int64_t>(*number, 0, 100));
}

std::int64_t EngineSettings::playouts() const {
    if (strength >= 100) return max_node;
    const std::int64_t weak = std::llround(8 * std::exp2(strength / 7.0));  // 8 at 0, twice as many every 7 points
    return max_node ? std::min(max_node, weak) : weak;
}

Rule rule_of_mask(std::int64_t mask) {
    if (mask & 4 || mask == 2) return Rule::kRenju;
    if (mask & 8) return Rule::kCaro;
    return mask & 1 ? Rule::kStandard : Rule::kFreestyle;
}

double time_budget(const EngineSettings& settings, int own_moves, double spent) {
    double limit = settings.timeout_turn > 0 ? usable(static_cast<double>(settings.timeout_turn)) : kFastestMs;
    std::optional<double> left;
    if (settings.time_left) {
        left = static_cast<double>(*settings.time_left);
    } else if (settings.timeout_match > 0) {
        left = static_cast<double>(settings.timeout_match) - 1000 * spent;
    }
    if (left) limit = std::min(limit, usable(std::max(0.0, *left) / std::max(kExpectedMoves - own_moves, kMovesToGo)));
    return std::max(1.0, limit) / 1000;
}

}  // namespace tengen
