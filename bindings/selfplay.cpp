// Self-play threads, game records and the buffer of samples.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <mutex>

#include "bindings.h"
#include "leaving.h"
#include "params.h"
#include "selfplay/guest_game.h"
#include "selfplay/plane_batch.h"
#include "selfplay/pool.h"
#include "selfplay/sample_buffer.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tengen {
namespace {

/// "gomoku" is no other game.
std::string other_game(const std::string& name) {
    return name == "gomoku" ? "" : name;
}

GameKind game_kind(const nb::object& from) {
    GameKind kind;
    kind.other = other_game(nb::cast<std::string>(from.attr("game")));
    kind.rules.rule = nb::cast<Rule>(from.attr("rule"));
    read(from, "n_in_row", kind.rules.n, 1);
    read(from, "width", kind.width, 1);
    read(from, "height", kind.height, 1);
    return kind;
}

SelfPlayParams selfplay_params(const nb::object& from, const std::vector<nb::object>& kinds) {
    SelfPlayParams params;
    for (const nb::object& kind : kinds) params.kinds.push_back(game_kind(kind));
    read(from, "full_playouts", params.full_playouts, 1);
    read(from, "fast_playouts", params.fast_playouts, 1);
    read(from, "count_kept", params.count_kept);
    read(from, "full_share", params.full_share);
    read(from, "gumbel_moves", params.gumbel_moves, 0);
    read(from, "gumbel_value_scale", params.gumbel_value_scale);
    params.noise_at = noise_at(from);
    read(from, "root_noise", params.root_noise);
    read(from, "root_noise_total_alpha", params.root_noise_total_alpha, 0.0f);
    read(from, "early_temperature", params.early_temperature, 0.0f);
    read(from, "late_temperature", params.late_temperature, 0.0f);
    read(from, "early_moves", params.early_moves);
    read(from, "opening_stones", params.opening_stones, 0);
    read(from, "opening_empty", params.opening_empty);
    read(from, "opening_loose", params.opening_loose);
    read(from, "opening_balance", params.opening_balance);
    read(from, "opening_tries", params.opening_tries);
    read(from, "adjudicated_share", params.adjudicated_share);
    read(from, "longest_game", params.longest_game);
    read(from, "least_visits", params.least_visits);
    read(from, "surprise_share", params.surprise_share);
    read(from, "round_games", params.round_games, 0);
    read(from, "opposition_threshold", params.opposition_threshold);
    read(from, "opposition_probability", params.opposition_probability);
    return params;
}

/// A sample as Python gives it: ply, value, moves with their weights.
using SampleTuple = std::tuple<std::uint16_t, float, std::vector<std::pair<Cell, std::uint16_t>>>;

std::shared_ptr<const Evaluator> share(const Evaluator& evaluator) {
    return evaluator.clone(0);
}

nb::bytes to_bytes(const std::string& text) {
    return nb::bytes(text.data(), text.size());
}

std::span<const std::byte> as_span(const nb::bytes& bytes) {
    return {reinterpret_cast<const std::byte*>(bytes.c_str()), bytes.size()};
}

std::vector<GameRecord> read_games(const nb::bytes& bytes) {
    std::vector<GameRecord> games;
    std::span<const std::byte> rest = as_span(bytes);
    while (auto game = GameRecord::take_from(rest)) games.push_back(std::move(*game));
    return games;
}

/// Hands a vector over to numpy without a copy.
template <class Value>
nb::ndarray<nb::numpy, Value> to_array(std::vector<Value>&& values, std::initializer_list<std::size_t> shape) {
    auto* owned = new std::vector<Value>(std::move(values));
    nb::capsule owner(owned, [](void* pointer) noexcept { delete static_cast<std::vector<Value>*>(pointer); });
    return nb::ndarray<nb::numpy, Value>(owned->data(), shape, owner);
}

nb::dict to_dict(SampleGroup&& group) {
    const auto count = static_cast<std::size_t>(group.positions());
    const auto cells = static_cast<std::size_t>(group.width) * group.height;
    nb::dict result;
    result["width"] = group.width;
    result["height"] = group.height;
    result["stones"] = to_array(std::move(group.stones), {count, cells});
    result["rules"] = to_array(std::move(group.rules), {count});
    result["turns"] = to_array(std::move(group.turns), {count});
    result["policy"] = to_array(std::move(group.policy), {count, cells});
    result["outcome"] = to_array(std::move(group.outcome), {count, std::size_t{3}});
    return result;
}

void require_playable(const Evaluator& evaluator, const SelfPlayParams& params) {
    if (params.kinds.empty()) throw std::invalid_argument("self-play needs a rule and a size of board");
    for (const GameKind& kind : params.kinds) require_no_objection(evaluator.objection(*kind.start()));
}

/// A pool whose threads end before Python does.
class Pool final : public SelfPlayPool {
public:
    using SelfPlayPool::SelfPlayPool;

    void stop() {
        std::lock_guard lock(stopping_);
        SelfPlayPool::stop();
    }

private:
    std::mutex stopping_;
    UnderWay under_way_{[this] { stop(); }, UnderWay::kBeforeItReturns};
};

void bind_guest_game(nb::module_& module) {
    nb::class_<GuestGame>(module, "GuestGame",
                          "A game of a network against somebody else, for learning: as self-play on the one side.")
        .def(
            "__init__",
            [](GuestGame* self, const Evaluator& evaluator, const nb::object& params,
               const std::vector<nb::object>& kinds, const nb::object& search, std::uint64_t seed) {
                const SelfPlayParams given = selfplay_params(params, kinds);
                require_playable(evaluator, given);
                const SearchParams how = search_params(search);
                const KnowledgeParams knowledge = knowledge_params(search);
                const nb::gil_scoped_release release;
                new (self) GuestGame(share(evaluator), given, how, knowledge, seed);
            },
            "evaluator"_a, "params"_a, "kinds"_a, "search"_a, "seed"_a)
        .def("move", &GuestGame::move, nb::call_guard<nb::gil_scoped_release>(),
             "The network's move; a proven result may end the game instead.")
        .def("play", &GuestGame::play, "move"_a, "The guest's move; it is not checked.")
        .def("stop", &GuestGame::stop, "Ends a search that another thread is waiting for.")
        .def_prop_ro("is_over", &GuestGame::is_over)
        .def_prop_ro("record", &GuestGame::record, "The game so far.");
}

void bind_pool(nb::module_& module) {
    nb::class_<Pool>(module, "SelfPlayPool")
        .def(nb::new_([](const Evaluator& evaluator, const nb::object& params, const std::vector<nb::object>& kinds,
                         const nb::object& search, int threads, std::uint64_t seed, const nb::bytes& begun,
                         std::int64_t number) {
                 const SelfPlayParams given = selfplay_params(params, kinds);
                 require_playable(evaluator, given);
                 if (threads < 1) throw std::invalid_argument("self-play needs at least one thread");
                 const SearchParams how = search_params(search);
                 const KnowledgeParams knowledge = knowledge_params(search);
                 std::vector<GameRecord> games = read_games(begun);
                 for (const GameRecord& game : games) require_no_objection(evaluator.objection(*game.kind.start()));
                 const WithoutGil release;  // threads that began must end if another one cannot begin
                 return share_with_threads(
                     new Pool(share(evaluator), given, how, knowledge, threads, seed, std::move(games), number));
             }),
             "evaluator"_a, "params"_a, "kinds"_a, "search"_a, "threads"_a, "seed"_a, "begun"_a = nb::bytes("", 0),
             "number"_a = 0)
        .def(
            "set_evaluator",
            [](Pool& self, const Evaluator& evaluator, std::int64_t number) {
                self.set_evaluator(share(evaluator), number);
            },
            "evaluator"_a, "number"_a = 0)
        .def(
            "set_params",
            [](Pool& self, const nb::object& params, const std::vector<nb::object>& kinds) {
                const SelfPlayParams given = selfplay_params(params, kinds);
                require_playable(*self.evaluator(), given);
                self.set_params(given);
            },
            "params"_a, "kinds"_a)
        .def(
            "take_games",
            [](Pool& self, double seconds) {
                std::string games;
                {
                    WithoutGil release;
                    games = self.take_games(seconds);
                }
                return to_bytes(games);
            },
            "seconds"_a)
        .def_prop_ro("oldest_network", &Pool::oldest_network,
                     "The smallest number of a network that played one of the games that `take_games` gave last.")
        .def_prop_ro("counts", &Pool::counts)
        .def_prop_ro("games_under_way", [](const Pool& self) { return to_bytes(self.games_under_way()); })
        .def("next_round", &Pool::next_round)
        .def("set_paused", &Pool::set_paused, "paused"_a)
        .def("stop", &Pool::stop, nb::call_guard<WithoutGil>());
}

nb::dict to_dict(PlaneBatch&& batch) {
    const auto count = static_cast<std::size_t>(batch.positions), planes = static_cast<std::size_t>(batch.planes);
    const auto width = static_cast<std::size_t>(batch.width), height = static_cast<std::size_t>(batch.height);
    nb::dict result;
    result["planes"] = to_array(std::move(batch.inputs), {count, planes, height, width});
    result["policy"] = to_array(std::move(batch.policy), {count, static_cast<std::size_t>(batch.moves)});
    result["value"] = to_array(std::move(batch.value), {count});
    return result;
}

}  // namespace

void bind_selfplay(nb::module_& module) {
    nb::class_<SelfPlayCounts>(module, "SelfPlayCounts")
        .def_ro("games", &SelfPlayCounts::games)
        .def_ro("moves", &SelfPlayCounts::moves)
        .def_ro("samples", &SelfPlayCounts::samples)
        .def_ro("playouts", &SelfPlayCounts::playouts)
        .def_ro("opposition_moves", &SelfPlayCounts::opposition_moves)
        .def_ro("black_wins", &SelfPlayCounts::black_wins)
        .def_ro("white_wins", &SelfPlayCounts::white_wins)
        .def_ro("draws", &SelfPlayCounts::draws)
        .def_ro("unfinished", &SelfPlayCounts::unfinished)
        .def_ro("seconds", &SelfPlayCounts::seconds);
    nb::class_<GameRecord>(module, "GameRecord")
        .def_prop_ro("game", [](const GameRecord& self) { return self.kind.is_gomoku() ? "gomoku" : self.kind.other; })
        .def_prop_ro("rule", [](const GameRecord& self) { return self.kind.rules.rule; })
        .def_prop_ro("n_in_row", [](const GameRecord& self) { return self.kind.rules.n; })
        .def_prop_ro("width", [](const GameRecord& self) { return self.kind.width; })
        .def_prop_ro("height", [](const GameRecord& self) { return self.kind.height; })
        .def_ro("opening_plies", &GameRecord::opening_plies)
        .def_ro("result", &GameRecord::result)
        .def_ro("moves", &GameRecord::moves)
        .def_prop_ro(
            "positions", [](const GameRecord& self) { return self.samples.size(); },
            "How many samples there are; quicker than to make a list of them.")
        .def_prop_ro(
            "data",
            [](const GameRecord& self) {
                std::string bytes;
                self.append_to(bytes);
                return to_bytes(bytes);
            },
            "The game as bytes that `read_games` reads.")
        .def_prop_ro("samples", [](const GameRecord& self) {
            nb::list samples;
            for (const Sample& sample : self.samples) {
                std::vector<std::pair<int, int>> visits;
                for (const auto& visit : sample.visits) visits.emplace_back(visit.move, visit.weight);
                samples.append(nb::make_tuple(sample.ply, sample.value, visits));
            }
            return samples;
        });
    module.def("read_games", &read_games, "data"_a, "The complete, sound games at the beginning of `data`.");

    module.def(
        "write_game",
        [](Rule rule, int n_in_row, int width, int height, int opening_plies, int result,
           const std::vector<Cell>& moves, const std::vector<SampleTuple>& samples) {
            GameRecord game{.kind = {.rules = {rule, n_in_row}, .width = width, .height = height},
                            .opening_plies = opening_plies,
                            .result = result,
                            .moves = moves};
            for (const auto& [ply, value, visits] : samples) {
                Sample& sample = game.samples.emplace_back(Sample{.ply = ply, .value = value, .visits = {}});
                for (const auto& [move, weight] : visits) sample.visits.push_back({move, weight});
            }
            std::string bytes;
            game.append_to(bytes);
            return to_bytes(bytes);
        },
        "rule"_a, "n_in_row"_a, "width"_a, "height"_a, "opening_plies"_a, "result"_a, "moves"_a, "samples"_a,
        "A game as bytes that `read_games` reads; samples are (ply, value, [(move, weight), ...]).");

    bind_pool(module);
    bind_guest_game(module);

    nb::class_<SampleBuffer>(module, "SampleBuffer")
        .def(nb::init<std::int64_t>(), "capacity"_a)
        .def("set_capacity", &SampleBuffer::set_capacity, "positions"_a)
        .def(
            "add", [](SampleBuffer& self, const nb::bytes& data) { return self.add(as_span(data)); }, "data"_a)
        .def_prop_ro("positions", &SampleBuffer::positions)
        .def_prop_ro("games", &SampleBuffer::games)
        .def("policy_entropy", &SampleBuffer::policy_entropy, "count"_a)
        .def(
            "sample",
            [](const SampleBuffer& self, int count, float result_share, std::uint64_t seed) {
                std::vector<SampleGroup> groups;
                {
                    WithoutGil release;
                    Random random(seed);
                    groups = self.sample(count, result_share, random);
                }
                nb::list result;
                for (SampleGroup& group : groups) result.append(to_dict(std::move(group)));
                return result;
            },
            "count"_a, "result_share"_a, "seed"_a,
            "Random positions: a dict of arrays for each board size (stones, rules, turns, policy, outcome).")
        .def(
            "sample_planes",
            [](const SampleBuffer& self, int count, float result_share, const PlaneSpec& spec, std::uint64_t seed) {
                PlaneBatch batch;
                {
                    WithoutGil release;
                    Random random(seed);
                    batch = plane_batch(self, count, result_share, spec, random);
                }
                return to_dict(std::move(batch));
            },
            "count"_a, "result_share"_a, "spec"_a, "seed"_a,
            "Random positions of one kind of game in random symmetries, for a convolutional network: a dict of arrays\n"
            "(planes, policy, value). `spec` is for Gomoku; other games know their planes.");
}

}  // namespace tengen
