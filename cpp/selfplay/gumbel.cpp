#include "selfplay/gumbel.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tengen {
namespace {

constexpr float kVisitOffset = 50;

/// A move that takes part, with its noise.
struct Contender {
    Cell move;
    float noise;
    float score = 0;
};

float log_prior(const MoveReport& move) {
    return std::log(std::max(move.prior, 1e-8f));
}

/// How much a value weighs: more when there are many visits behind it.
float weight_of_values(const std::vector<MoveReport>& moves, float value_scale) {
    std::int64_t most = 0;
    for (const MoveReport& move : moves) most = std::max(most, move.visits);
    return value_scale * (kVisitOffset + static_cast<float>(most));
}

/// What moves without visits are taken to be worth.
float mean_value(const std::vector<MoveReport>& moves, float otherwise) {
    double sum = 0, total = 0;
    for (const MoveReport& move : moves) {
        if (move.visits == 0) continue;
        sum += static_cast<double>(move.prior) * move.value;
        total += move.prior;
    }
    return total > 0 ? static_cast<float>(sum / total) : otherwise;
}

/// The moves that are not refuted.
std::vector<MoveReport> open_moves(const Mcts& mcts) {
    std::vector<MoveReport> moves = mcts.root_candidates();
    std::erase_if(moves, [](const MoveReport& move) { return move.proof == Proof::kLoss; });
    return moves;
}

bool is_settled(const Mcts& mcts, const std::atomic<bool>* stop) {
    return mcts.root_proof() != Proof::kNone || (stop && stop->load(std::memory_order_relaxed));
}

/// Best score first; refuted moves are dropped.
void rank(std::vector<Contender>& contenders, const Mcts& mcts, float value_scale) {
    const std::vector<MoveReport> moves = open_moves(mcts);
    const float weight = weight_of_values(moves, value_scale);
    const float mean = mean_value(moves, 0);
    std::erase_if(contenders, [&](Contender& contender) {
        const auto found = std::ranges::find(moves, contender.move, &MoveReport::move);
        if (found == moves.end()) return true;
        contender.score = contender.noise + log_prior(*found) + weight * (found->visits ? found->value : mean);
        return false;
    });
    std::ranges::sort(contenders, std::greater{}, &Contender::score);
}

std::vector<Contender> draw(const std::vector<MoveReport>& moves, int count, Random& random) {
    std::vector<Contender> drawn;
    for (const MoveReport& move : moves) {
        const float noise = gumbel_noise(random);
        drawn.push_back({move.move, noise, noise + log_prior(move)});
    }
    std::ranges::sort(drawn, std::greater{}, &Contender::score);
    if (static_cast<int>(drawn.size()) > count) drawn.resize(count);
    return drawn;
}

/// The softmax of the scores without noise.
Policy improved_policy(const Mcts& mcts, float value_scale) {
    const SearchReport report = mcts.report(1, 0);
    Policy policy{.moves = {}, .value = report.value};
    if (report.proof == Proof::kLoss) return policy;
    if (report.proof == Proof::kWin) {
        policy.moves.push_back({report.moves.front().move, 1});
        return policy;
    }
    const std::vector<MoveReport> moves = open_moves(mcts);
    const float weight = weight_of_values(moves, value_scale);
    const float mean = mean_value(moves, report.value);
    float highest = -1e30f;
    for (const MoveReport& move : moves) {
        const float score = log_prior(move) + weight * (move.visits ? move.value : mean);
        policy.moves.push_back({move.move, score});
        highest = std::max(highest, score);
    }
    float sum = 0;
    for (auto& move : policy.moves) sum += move.probability = std::exp(move.probability - highest);
    float value = 0;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        policy.moves[i].probability /= sum;
        value += policy.moves[i].probability * (moves[i].visits ? moves[i].value : mean);
    }
    if (!moves.empty()) policy.value = value;
    return policy;
}

}  // namespace

Policy gumbel_search(Mcts& mcts, int playouts, int most_moves, float value_scale, Random& random,
                     const std::atomic<bool>* stop) {
    std::int64_t made = 0;
    const auto search = [&](int count, Cell root_move) {
        mcts.search({.playouts = count, .stop = stop, .root_move = root_move});
        made += mcts.results();
    };
    search(1, kNoCell);
    std::vector<Contender> contenders = draw(open_moves(mcts), most_moves, random);
    int left = playouts - 1;
    const int rounds = std::max(1, static_cast<int>(std::bit_width(contenders.size())) - 1);
    while (left > 0 && !contenders.empty() && !is_settled(mcts, stop)) {
        const int share = std::max(1, (playouts - 1) / (rounds * static_cast<int>(contenders.size())));
        for (const Contender& contender : contenders) {
            const int count = std::min(share, left);
            if (count == 0 || is_settled(mcts, stop)) break;
            search(count, contender.move);
            left -= count;
        }
        rank(contenders, mcts, value_scale);
        if (contenders.size() > 2) contenders.resize((contenders.size() + 1) / 2);
    }
    Policy policy = improved_policy(mcts, value_scale);
    policy.playouts = made;
    return policy;
}

}  // namespace tengen
