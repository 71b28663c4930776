#include "pvs/opinion.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tengen {

std::int16_t Opinion::rarity_of(float prior) {
    constexpr float kLeastPrior = 1e-9f;
    return static_cast<std::int16_t>(std::lround(-64 * std::log2(std::max(kLeastPrior, prior))));
}

Opinion Opinion::of(std::uint64_t key, const Expansion& expansion) {
    Opinion opinion;
    opinion.key = key;
    opinion.value = expansion.value;
    opinion.winning_move = expansion.winning_move;
    opinion.proof = expansion.proof;
    opinion.evaluated = expansion.evaluated;
    opinion.complete = expansion.complete && expansion.count <= kMoves;
    opinion.count = static_cast<std::uint8_t>(std::min(expansion.count, kMoves));
    std::array<std::int16_t, kMaxCells> order;
    std::iota(order.begin(), order.begin() + expansion.count, std::int16_t{0});
    std::partial_sort(order.begin(), order.begin() + opinion.count, order.begin() + expansion.count, [&](int a, int b) {
        return expansion.priors[a] != expansion.priors[b] ? expansion.priors[a] > expansion.priors[b] : a < b;
    });
    for (int i = 0; i < opinion.count; ++i) {
        opinion.moves[i] = {expansion.moves[order[i]], rarity_of(expansion.priors[order[i]])};
    }
    return opinion;
}

}  // namespace tengen
