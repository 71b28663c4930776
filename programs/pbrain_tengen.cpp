// pbrain-tengen: the engine for Gomocup managers, with its networks inside. Managers tell it everything by INFO;
// `--seed N` fixes what it draws by chance, the stones that it tries in Swap2.

#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>

#include "mcts/clock.h"
#include "protocol/host.h"
#include "protocol/shipped_networks.h"

#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#endif

namespace {

/// The seed that the arguments name, or one by chance; ends the program where they say anything else.
std::uint64_t seed_of(int count, char** arguments) {
    std::uint64_t seed = std::random_device()();
    if (count == 1) return seed;
    const std::string_view number = count == 3 && std::string_view(arguments[1]) == "--seed" ? arguments[2] : "";
    const char* end = number.data() + number.size();
    if (number.empty() || std::from_chars(number.data(), end, seed).ptr != end) {
        std::fputs("usage: pbrain-tengen [--seed N], started by a Gomocup manager\n", stderr);
        std::exit(2);
    }
    return seed;
}

}  // namespace

int main(int count, char** arguments) {
    using namespace tengen;
    const std::uint64_t seed = seed_of(count, arguments);
#if defined(_WIN32)
    _setmode(0, _O_BINARY);  // lines end as they are written
    _setmode(1, _O_BINARY);
#else
    std::signal(SIGPIPE, SIG_IGN);  // that nobody listens any more is told by the write
#endif
    const auto evaluator = [](Rule rule, int side) { return best_evaluator(shipped_networks(), rule, side); };
    Engine engine(now);
    Thinker thinker(evaluator, now, seed);
    if (!Host(engine, thinker, Streams::of(0, 1)).run()) std::_Exit(0);  // a thread that reads cannot be ended
}
