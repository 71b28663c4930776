#include "selfplay/policy.h"

#include <algorithm>
#include <cmath>

namespace tengen {

float gumbel_noise(Random& random) {
    return -std::log(-std::log(std::clamp(random.uniform(), 1e-7f, 1 - 1e-7f)));
}

Cell Policy::sample(float temperature, Random& random) const {
    const Move* best = &moves.front();
    float highest = -1e30f;
    for (const Move& move : moves) {
        const float score = std::log(std::max(move.probability, 1e-12f)) + temperature * gumbel_noise(random);
        if (score > highest) highest = score, best = &move;
    }
    return best->move;
}

float divergence(std::span<const Policy::Move> moves, std::span<const MoveReport> priors) {
    double sum = 0;
    for (const Policy::Move& move : moves) {
        const auto prior = std::ranges::find(priors, move.move, &MoveReport::move);
        if (move.probability <= 0 || prior == priors.end()) continue;
        sum += move.probability * std::log(move.probability / std::max(prior->prior, 1e-6f));
    }
    return std::max(0.0f, static_cast<float>(sum));
}

Policy visit_policy(const SearchReport& report, float least_visits) {
    Policy policy{.moves = {}, .value = report.value, .playouts = report.playouts};
    if (report.proof == Proof::kLoss) return policy;
    if (report.proof == Proof::kWin) {
        policy.moves.push_back({report.moves.front().move, 1});
        return policy;
    }
    std::int64_t most = 1;
    for (const MoveReport& move : report.moves) most = std::max(most, move.visits);
    const double least = std::max(1.0, least_visits * static_cast<double>(most));
    double sum = 0;
    for (const MoveReport& move : report.moves) {
        if (move.proof == Proof::kLoss || static_cast<double>(move.visits) < least) continue;
        policy.moves.push_back({move.move, static_cast<float>(move.visits)});
        sum += static_cast<double>(move.visits);
    }
    for (Policy::Move& move : policy.moves) move.probability /= static_cast<float>(sum);
    return policy;
}

Sample to_sample(const Policy& policy, int ply) {
    constexpr float kMost = 10'000;
    Sample sample{.ply = static_cast<std::uint16_t>(ply), .value = policy.value, .visits = {}};
    float highest = 0;
    for (const Policy::Move& move : policy.moves) highest = std::max(highest, move.probability);
    for (const Policy::Move& move : policy.moves) {
        const auto weight = static_cast<std::uint16_t>(std::lround(kMost * move.probability / highest));
        if (weight > 0) sample.visits.push_back({move.move, weight});
    }
    return sample;
}

}  // namespace tengen
