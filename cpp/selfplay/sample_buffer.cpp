#include "selfplay/sample_buffer.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace tengen {

void SampleBuffer::set_capacity(std::int64_t positions) {
    capacity_ = positions;
    drop_oldest();
}

void SampleBuffer::drop_oldest() {
    while (positions() > capacity_ && games_.size() > 1) {
        while (!index_.empty() && index_.front().game == first_game_) index_.pop_front();
        games_.pop_front();
        ++first_game_;
    }
}

std::size_t SampleBuffer::add(std::span<const std::byte> bytes) {
    const std::size_t before = bytes.size();
    while (auto game = GameRecord::take_from(bytes)) {
        const std::int64_t number = first_game_ + games();
        for (std::size_t i = 0; i < game->samples.size(); ++i) index_.push_back({number, static_cast<std::int32_t>(i)});
        games_.push_back(std::move(*game));
    }
    drop_oldest();
    return before - bytes.size();
}

SampleBuffer::Position SampleBuffer::draw(Random& random) const {
    const Place place = index_[random.below(static_cast<std::uint32_t>(index_.size()))];
    const GameRecord& from = game(place.game);
    return {from, from.samples[static_cast<std::size_t>(place.sample)]};
}

std::vector<SampleGroup> SampleBuffer::sample(int count, float result_share, Random& random) const {
    std::vector<SampleGroup> groups;
    std::optional<Rule> rule;
    for (int i = 0; i < count && !index_.empty();) {
        const auto [from, sample] = draw(random);
        const GameKind& kind = from.kind;
        if (rule.value_or(kind.rules.rule) != kind.rules.rule) continue;
        rule = kind.rules.rule;
        ++i;
        if (!kind.is_gomoku()) throw std::invalid_argument("these are games of " + kind.other + ", not of Gomoku");
        auto group = std::ranges::find_if(
            groups, [&](const SampleGroup& g) { return g.width == kind.width && g.height == kind.height; });
        if (group == groups.end()) {
            group = groups.insert(groups.end(), SampleGroup{});
            group->width = kind.width;
            group->height = kind.height;
        }
        append(*group, from, sample, result_share);
    }
    return groups;
}

void SampleBuffer::append(SampleGroup& group, const GameRecord& game, const Sample& sample, float result_share) {
    const std::size_t cells = static_cast<std::size_t>(game.kind.width) * game.kind.height;
    // Colours alternate from black, so the mover's stones are those of its parity.
    const int mover = sample.ply % 2;
    const std::size_t start = group.stones.size();
    group.stones.resize(start + cells);
    for (int ply = 0; ply < sample.ply; ++ply) group.stones[start + game.moves[ply]] = ply % 2 == mover ? 1 : 2;
    group.rules.push_back(static_cast<std::uint8_t>(game.kind.rules.rule));
    group.turns.push_back(static_cast<std::uint8_t>(mover));

    group.policy.resize(start + cells);
    float total = 0;
    for (const auto& visit : sample.visits) total += visit.weight;
    for (const auto& visit : sample.visits) group.policy[start + visit.move] = visit.weight / total;

    if (game.result == GameRecord::kUnfinished) result_share = 0;
    const int result = mover == 0 ? game.result : -game.result;
    const float rest = 1 - result_share;
    group.outcome.push_back(result_share * (result > 0) + rest * (1 + sample.value) / 2);
    group.outcome.push_back(result_share * (result == 0));
    group.outcome.push_back(result_share * (result < 0) + rest * (1 - sample.value) / 2);
}

double SampleBuffer::policy_entropy(int count) const {
    double sum = 0;
    int counted = 0;
    for (auto place = index_.rbegin(); place != index_.rend() && counted < count; ++place) {
        const Sample& sample = game(place->game).samples[place->sample];
        if (sample.visits.empty()) continue;
        double total = 0, entropy = 0;
        for (const auto& visit : sample.visits) total += visit.weight;
        for (const auto& visit : sample.visits) entropy -= visit.weight / total * std::log(visit.weight / total);
        sum += entropy;
        ++counted;
    }
    return counted ? sum / counted : 0;
}

}  // namespace tengen
