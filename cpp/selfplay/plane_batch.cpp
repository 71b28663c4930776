#include "selfplay/plane_batch.h"

#include <memory>
#include <stdexcept>

#include "games/game_kind.h"

namespace tengen {
namespace {

float value_target(const GameRecord& record, const Sample& sample, float result_share) {
    if (record.result == GameRecord::kUnfinished) return sample.value;
    const int result = sample.ply % 2 == 0 ? record.result : -record.result;
    return result_share * static_cast<float>(result) + (1 - result_share) * sample.value;
}

}  // namespace

PlaneBatch plane_batch(const SampleBuffer& buffer, int count, float result_share, const PlaneSpec& spec,
                       Random& random) {
    PlaneBatch batch;
    if (buffer.positions() == 0) return batch;
    const GameKind& kind = buffer.draw(random).game.kind;
    const std::unique_ptr<Game> start = kind.start();
    batch.positions = count;
    batch.planes = start->plane_count(spec);
    batch.height = start->height();
    batch.width = start->width();
    batch.moves = start->move_count();
    const std::size_t inputs = static_cast<std::size_t>(batch.planes) * batch.height * batch.width;
    batch.inputs.resize(inputs * count);
    batch.policy.resize(static_cast<std::size_t>(batch.moves) * count);
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        const auto [record, sample] = buffer.draw(random);
        if (record.kind.other != kind.other || record.kind.width != kind.width || record.kind.height != kind.height) {
            throw std::invalid_argument("the games of the buffer are not all of one kind and size");
        }
        const std::unique_ptr<Game> game = start->clone();
        for (int ply = 0; ply < sample.ply; ++ply) game->play(record.moves[static_cast<std::size_t>(ply)]);
        const int symmetry = static_cast<int>(random.below(static_cast<std::uint32_t>(game->symmetries())));
        game->encode(spec, &batch.inputs[i * inputs], symmetry);
        float total = 0;
        for (const auto& visit : sample.visits) total += visit.weight;
        for (const auto& visit : sample.visits) {
            batch.policy[i * batch.moves + game->transform(visit.move, symmetry)] = visit.weight / total;
        }
        batch.value.push_back(value_target(record, sample, result_share));
    }
    return batch;
}

}  // namespace tengen
