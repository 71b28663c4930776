// pbrain-tengen: the engine for Gomocup managers, with its networks inside. It takes no arguments; managers tell it
// everything by INFO.

#include <csignal>
#include <cstdlib>
#include <random>

#include "mcts/clock.h"
#include "protocol/host.h"
#include "protocol/shipped_networks.h"

#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#endif

int main() {
    using namespace tengen;
#if defined(_WIN32)
    _setmode(0, _O_BINARY);  // lines end as they are written
    _setmode(1, _O_BINARY);
#else
    std::signal(SIGPIPE, SIG_IGN);  // that nobody listens any more is told by the write
#endif
    const auto evaluator = [](Rule rule, int side) { return best_evaluator(shipped_networks(), rule, side); };
    Engine engine(now);
    Thinker thinker(evaluator, now, std::random_device()());
    if (!Host(engine, thinker, Streams::of(0, 1)).run()) std::_Exit(0);  // a thread that reads cannot be ended
}
