#include "levels/level.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "eval/reluctant_evaluator.h"

namespace tengen {
namespace {

constexpr std::array kLevels = {
    Level{.number = 0, .playouts = 1'000, .tries_to_lose = true},
    Level{.number = 1, .playouts = 10, .temperature = 3.0, .prior_temperature = 2.6, .noise = 0.55, .blindness = 1.0},
    Level{.number = 2, .playouts = 22, .temperature = 1.5, .prior_temperature = 2.1, .noise = 0.5, .blindness = 0.95},
    Level{.number = 3, .playouts = 33, .temperature = 1.2, .prior_temperature = 1.9, .noise = 0.4, .blindness = 0.66},
    Level{.number = 4, .playouts = 52, .temperature = 0.95, .prior_temperature = 1.7, .noise = 0.33, .blindness = 0.43},
    Level{.number = 5, .playouts = 85, .temperature = 0.8, .prior_temperature = 1.55, .noise = 0.3, .blindness = 0.3},
    Level{.number = 6, .playouts = 200, .temperature = 0.55, .prior_temperature = 1.4, .noise = 0.2, .blindness = 0.1},
    Level{.number = 7, .playouts = 600, .temperature = 0.25, .prior_temperature = 1.3, .noise = 0.08},
    Level{.number = 8, .playouts = 900, .temperature = 0.25, .noise = 0.08, .vcf_nodes_root = 400},
    Level{.number = 9, .playouts = 6'000, .vcf_nodes_root = 10'000, .vct_nodes_root = 5'000},
    Level{.number = 10, .seconds = 2, .vcf_nodes_root = 20'000, .vct_nodes_root = 20'000},
};

/// A level between two: amounts of work by their ratio, everything else by its difference.
Level between(const Level& lower, const Level& upper, double number) {
    const double share = number - lower.number;
    const auto amount = [share]<class Amount>(Amount low, Amount high) {
        if (low == 0 || high == 0) return share < 0.5 ? low : high;  // one of the two has none, or no limit
        const double logarithm = (1 - share) * std::log(low) + share * std::log(high);
        return static_cast<Amount>(std::llround(std::exp(logarithm)));
    };
    const auto value = [share](double low, double high) { return low + share * (high - low); };
    return {
        .number = number,
        .playouts = amount(lower.playouts, upper.playouts),
        .seconds = value(lower.seconds, upper.seconds),
        .temperature = value(lower.temperature, upper.temperature),
        .prior_temperature = value(lower.prior_temperature, upper.prior_temperature),
        .noise = value(lower.noise, upper.noise),
        .blindness = value(lower.blindness, upper.blindness),
        .vcf_nodes_root = amount(lower.vcf_nodes_root, upper.vcf_nodes_root),
        .vct_nodes_root = amount(lower.vct_nodes_root, upper.vct_nodes_root),
    };
}

}  // namespace

std::span<const Level> levels() {
    return kLevels;
}

Level find_level(double number) {
    const double first = kLevels.front().number, last = kLevels.back().number, below = std::floor(number);
    const bool is_whole = below == number;
    // Who tries to lose is no neighbour of the others.
    if (!(number >= first && number <= last) || (!is_whole && number < first + 1)) {
        char text[96];
        std::snprintf(text, sizeof text, "there is no level %g; the levels are %g to %g", number, first, last);
        throw std::invalid_argument(text);
    }
    const Level& lower = kLevels[static_cast<std::size_t>(below)];
    return is_whole ? lower : between(lower, kLevels[static_cast<std::size_t>(below) + 1], number);
}

// Chance belongs to the game and the move, not to the order in which somebody asks.
LevelTurn::LevelTurn(const Level& level, std::uint64_t seed, int ply)
    : level_(level),
      chance_(split_mix(seed) + static_cast<std::uint64_t>(ply)),
      sees_(chance_.uniform() >= level.blindness),
      search_seed_(chance_.next()) {}

SearchParams LevelTurn::search_params(std::int64_t memory) const {
    SearchParams params;
    params.root_noise = static_cast<float>(level_.noise);
    params.vct_nodes_answer = level_.vct_nodes_root;
    if (level_.temperature > 0) params.lcb_deviations = 0;  // its moves are drawn by visits
    params.memory = memory;
    params.seed = search_seed_;
    return params;
}

KnowledgeParams LevelTurn::knowledge_params() const {
    const bool looks_for_fours = level_.vcf_nodes_root > 0;
    KnowledgeParams params;
    params.threats = sees_;
    if (!looks_for_fours) params.vcf_nodes = params.vcf_nodes_defence = 0;
    params.vcf_nodes_root = level_.vcf_nodes_root;
    params.vct_nodes_root = level_.vct_nodes_root;
    params.prior_temperature = static_cast<float>(level_.prior_temperature);
    if (level_.temperature > 0) params.threat_share = 0;  // who is to overlook things
    params.misere = level_.tries_to_lose;
    return params;
}

std::unique_ptr<Evaluator> LevelTurn::own_evaluator() const {
    return level_.tries_to_lose ? std::make_unique<ReluctantEvaluator>(search_seed_) : nullptr;
}

std::size_t LevelTurn::choose(std::span<const MoveReport> moves) {
    if (level_.temperature == 0 || moves[0].proof == Proof::kWin) return 0;
    std::vector<double> weights;
    double total = 0;
    for (const MoveReport& move : moves) {
        const double visits = move.proof == Proof::kLoss ? 0 : static_cast<double>(move.visits);
        total += weights.emplace_back(std::pow(visits, 1 / level_.temperature));
    }
    double rest = chance_.uniform() * total;
    std::size_t chosen = 0;  // the best where all are lost
    for (std::size_t place = 0; place < moves.size() && rest >= 0; ++place) {
        if (weights[place] == 0) continue;
        chosen = place;
        rest -= weights[place];
    }
    return chosen;
}

}  // namespace tengen
