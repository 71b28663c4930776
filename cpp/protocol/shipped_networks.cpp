#include "protocol/shipped_networks.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

#include "eval/expert_evaluator.h"
#include "eval/network_evaluator.h"
#include "nn/network_file.h"

namespace tengen {
namespace {

const char* name(Rule rule) {
    switch (rule) {
        case Rule::kStandard: return "standard";
        case Rule::kRenju: return "renju";
        case Rule::kCaro: return "caro";
        default: return "freestyle";
    }
}

}  // namespace

std::unique_ptr<Evaluator> best_evaluator(const std::vector<std::string_view>& files, Rule rule, int side) {
    std::pair<int, std::int64_t> best_rank{std::numeric_limits<int>::max(), 0};
    std::unique_ptr<Evaluator> best = std::make_unique<ExpertEvaluator>();
    for (const std::string_view bytes : files) {
        const NetworkFile file = NetworkFile::parse(bytes);
        if (std::ranges::find(file.rules, name(rule)) == file.rules.end()) continue;
        for (const int size : file.sizes) {
            const std::pair rank(std::abs(size - side), -file.games);
            if (rank >= best_rank) continue;
            best_rank = rank;
            best = std::make_unique<NetworkEvaluator>(file.network);
        }
    }
    return best;
}

}  // namespace tengen
