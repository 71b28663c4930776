// pbrain-tengen: the engine for Gomocup managers, with its networks inside. Managers tell it everything by INFO;
// `--level N` plays at a level of the web board, and `--seed N` fixes what is drawn by chance: a level's moves, the
// stones that are tried in Swap2.

#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <stdexcept>
#include <string_view>

#include "levels/level.h"
#include "mcts/clock.h"
#include "protocol/host.h"
#include "protocol/shipped_networks.h"

#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#endif

namespace {

using namespace tengen;

struct Options {
    std::uint64_t seed = std::random_device()();
    std::optional<Level> level;
};

/// Throws std::invalid_argument where the arguments make no sense.
Options read_options(int count, char** arguments) {
    Options options;
    for (int i = 1; i < count; i += 2) {
        const std::string_view name = arguments[i], text = i + 1 < count ? arguments[i + 1] : "";
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc() || end != text.data() + text.size() || (name != "--seed" && name != "--level")) {
            throw std::invalid_argument("usage: pbrain-tengen [--level N] [--seed N], started by a Gomocup manager");
        }
        if (name == "--seed") options.seed = number;
        if (name == "--level") options.level = find_level(static_cast<double>(number));
    }
    return options;
}

}  // namespace

int main(int count, char** arguments) {
    Options options;
    try {
        options = read_options(count, arguments);
    } catch (const std::invalid_argument& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
#if defined(_WIN32)
    _setmode(0, _O_BINARY);  // lines end as they are written
    _setmode(1, _O_BINARY);
#else
    std::signal(SIGPIPE, SIG_IGN);  // that nobody listens any more is told by the write
#endif
    const auto evaluator = [](Rule rule, int side) { return best_evaluator(shipped_networks(), rule, side); };
    Engine engine(now);
    Thinker thinker(evaluator, now, options.seed, options.level);
    if (!Host(engine, thinker, Streams::of(0, 1)).run()) std::_Exit(0);  // a thread that reads cannot be ended
}
