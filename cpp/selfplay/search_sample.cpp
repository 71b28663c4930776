#include "selfplay/search_sample.h"

#include <algorithm>
#include <cmath>

namespace tengen {

Sample search_sample(const SearchReport& report, int ply, float least_visits) {
    Sample sample{.ply = static_cast<std::uint16_t>(ply), .value = report.value, .visits = {}};
    if (report.proof == Proof::kLoss) return sample;
    if (report.proof == Proof::kWin) {
        sample.visits.push_back({report.moves.front().move, 1});
        return sample;
    }
    std::int64_t most = 1;
    for (const MoveReport& move : report.moves) most = std::max(most, move.visits);
    const double scale = most > 65535 ? 65535.0 / static_cast<double>(most) : 1.0;
    const double least = std::max(1.0, least_visits * static_cast<double>(most));
    for (const MoveReport& move : report.moves) {
        if (move.proof == Proof::kLoss || static_cast<double>(move.visits) < least) continue;
        const auto weight = static_cast<std::uint16_t>(std::lround(static_cast<double>(move.visits) * scale));
        if (weight > 0) sample.visits.push_back({move.move, weight});
    }
    return sample;
}

}  // namespace tengen
