#include "selfplay/plane_batch.h"

#include <memory>
#include <stdexcept>

#include "game/board.h"
#include "games/registry.h"

namespace tengen {
namespace {

/// One kind of game as planes: what differs between Gomoku and the others.
struct Encoder {
    int planes = 0, width = 0, height = 0, moves = 0;

    virtual ~Encoder() = default;
    /// Writes the planes after `ply` moves of the game; `transform` afterwards tells where symmetry takes a move.
    virtual void encode(const GameRecord& record, int ply, Random& random, float* out) = 0;
    virtual Cell transform(Cell move) const = 0;
};

struct GomokuEncoder final : Encoder {
    GomokuEncoder(const GameRecord& first, const PlaneSpec& spec) : spec_(spec) {
        planes = spec.planes();
        width = first.width;
        height = first.height;
        moves = width * height;
    }
    void encode(const GameRecord& record, int ply, Random& random, float* out) override {
        board_.emplace(record.width, record.height, record.rules);
        for (int i = 0; i < ply; ++i) board_->play(record.moves[static_cast<std::size_t>(i)]);
        symmetry_ = static_cast<int>(random.below(width == height ? kSymmetries : 4));
        encode_planes(*board_, spec_, out, symmetry_);
    }
    Cell transform(Cell move) const override { return board_->geometry().transform(move, symmetry_); }

private:
    PlaneSpec spec_;
    std::optional<Board> board_;
    int symmetry_ = 0;
};

struct OtherEncoder final : Encoder {
    explicit OtherEncoder(const GameRecord& first) : start_(make_game(first.game)) {
        planes = start_->plane_count();
        width = start_->width();
        height = start_->height();
        moves = start_->move_count();
    }
    void encode(const GameRecord& record, int ply, Random& random, float* out) override {
        const std::unique_ptr<Game> game = start_->clone();
        for (int i = 0; i < ply; ++i) game->play(record.moves[static_cast<std::size_t>(i)]);
        symmetry_ = static_cast<int>(random.below(static_cast<std::uint32_t>(game->symmetries())));
        game->encode(out, symmetry_);
    }
    Cell transform(Cell move) const override { return start_->transform(move, symmetry_); }

private:
    std::unique_ptr<Game> start_;
    int symmetry_ = 0;
};

std::unique_ptr<Encoder> make_encoder(const GameRecord& first, const PlaneSpec& spec) {
    if (first.game.empty()) return std::make_unique<GomokuEncoder>(first, spec);
    return std::make_unique<OtherEncoder>(first);
}

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
    const GameRecord& kind = buffer.draw(random).game;
    const std::unique_ptr<Encoder> encoder = make_encoder(kind, spec);
    batch.positions = count;
    batch.planes = encoder->planes;
    batch.height = encoder->height;
    batch.width = encoder->width;
    batch.moves = encoder->moves;
    const std::size_t inputs = static_cast<std::size_t>(batch.planes) * batch.height * batch.width;
    batch.inputs.resize(inputs * count);
    batch.policy.resize(static_cast<std::size_t>(batch.moves) * count);
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        const auto [record, sample] = buffer.draw(random);
        if (record.game != kind.game || record.width != kind.width || record.height != kind.height) {
            throw std::invalid_argument("the games of the buffer are not all of one kind and size");
        }
        encoder->encode(record, sample.ply, random, &batch.inputs[i * inputs]);
        float total = 0;
        for (const auto& visit : sample.visits) total += visit.weight;
        for (const auto& visit : sample.visits) {
            batch.policy[i * batch.moves + encoder->transform(visit.move)] = visit.weight / total;
        }
        batch.value.push_back(value_target(record, sample, result_share));
    }
    return batch;
}

}  // namespace tengen
