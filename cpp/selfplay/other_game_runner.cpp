#include "selfplay/other_game_runner.h"

#include <algorithm>
#include <vector>

#include "games/registry.h"

namespace tengen {
namespace {

int result_for_first(Result result) {
    return result == Result::kFirstWins ? 1 : result == Result::kSecondWins ? -1 : 0;
}

int result_for_first(Proof proof, bool first_to_move) {
    if (proof == Proof::kDraw) return 0;
    return (proof == Proof::kWin) == first_to_move ? 1 : -1;
}

}  // namespace

std::optional<GameRecord> OtherGameRunner::play_game(GameUnderWay& under_way, const std::atomic<bool>& stop) {
    if (!under_way.copy()) begin(under_way);
    const GameRecord begun = *under_way.copy();
    const std::unique_ptr<Game> game = make_game(begun.game);
    for (Cell move : begun.moves) game->play(move);
    set_root(*game);
    const std::optional<int> result = play_to_the_end(*game, under_way, begun.opening_plies, stop);
    return result ? std::optional(under_way.finish(*result)) : std::nullopt;
}

void OtherGameRunner::begin(GameUnderWay& under_way) {
    const std::unique_ptr<Game> game = random_opening();
    GameRecord record{
        .game = params_.game, .width = game->width(), .height = game->height(), .opening_plies = game->ply()};
    for (int ply = 0; ply < game->ply(); ++ply) record.moves.push_back(game->move_at(ply));
    under_way.begin(std::move(record));
}

/// The result; nothing when `stop` became true before.
std::optional<int> OtherGameRunner::play_to_the_end(Game& game, GameUnderWay& under_way, int opening_plies,
                                                    const std::atomic<bool>& stop) {
    const bool adjudicated = random_.uniform() < params_.adjudicated_share;
    const auto play = [&](Cell move) {
        under_way.add(move);
        game.play(move);
        mcts_->advance(move);
    };
    std::vector<Cell> legal;
    while (game.result() == Result::kOpen) {
        game.legal_moves(legal);
        if (legal.size() == 1) {  // nothing to choose, nothing to learn
            play(legal.front());
            continue;
        }
        const bool full = random_.uniform() < params_.full_share;
        const Policy policy = search(full, stop);
        if (stop.load(std::memory_order_relaxed)) return std::nullopt;  // and the search was cut off
        if (full) under_way.add(to_sample(policy, game.ply()));
        if (const Proof proof = mcts_->root_proof(); adjudicated && proof != Proof::kNone) {
            return result_for_first(proof, game.is_first_to_move());
        }
        play(draw_move(policy, game.ply() - opening_plies));
    }
    return result_for_first(game.result());
}

/// Some random moves after which the game is still open.
std::unique_ptr<Game> OtherGameRunner::random_opening() {
    std::vector<Cell> legal;
    for (;;) {
        std::unique_ptr<Game> game = make_game(params_.game);
        const auto most = static_cast<std::uint32_t>(std::max(0, params_.opening_stones));
        for (std::uint32_t left = random_.below(most + 1); left > 0 && game->result() == Result::kOpen; --left) {
            game->legal_moves(legal);
            game->play(legal[random_.below(static_cast<std::uint32_t>(legal.size()))]);
        }
        if (game->result() == Result::kOpen) return game;
    }
}

void OtherGameRunner::set_root(const Game& game) {
    auto explorer = std::make_unique<GameExplorer>(game, evaluator_->clone(random_.next()), knowledge_);
    if (mcts_) {
        mcts_->set_root(std::move(explorer));
    } else {
        mcts_ = std::make_unique<Mcts>(std::move(explorer), search_params_);
    }
}

}  // namespace tengen
