// Every row of a file, a level, a seed and a move, is what the engine plays in one position. The levels' limits of time
// are lifted, so that playouts alone decide and an emulator gets there too. Python's levels are compared with the same
// rows. Usage: level_moves ROWS NETWORK...

#include <cstdio>
#include <fstream>
#include <iterator>

#include "mcts/clock.h"
#include "protocol/position.h"
#include "protocol/shipped_networks.h"
#include "protocol/thinker.h"

using namespace tengen;

namespace {

constexpr double kAnHour = 3600;

std::string read_file(const char* path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

Cell answer(const Evaluator& network, const Board& board, int number, std::uint64_t seed) {
    Level level = find_level(number);
    level.seconds = kAnHour;
    Thinker thinker([&](Rule, int) { return network.clone(0); }, now, seed, level);
    const Question question{Question::Kind::kMove, board, EngineSettings{}, now() + 2 * kAnHour, 0, 0};
    return thinker.think(question, nullptr, {}).moves.at(0);
}

}  // namespace

int main(int count, char** arguments) {
    std::vector<std::string> files;
    for (int i = 2; i < count; ++i) files.push_back(read_file(arguments[i]));
    const auto network = best_evaluator({files.begin(), files.end()}, Rule::kFreestyle, 15);
    Position position(15, 15);
    position.add({7, 7}, false);
    position.add({8, 6}, true);
    position.add({6, 5}, false);
    const Board board = position.board(Rule::kFreestyle);

    std::ifstream rows(arguments[1]);
    int number = 0, x = 0, y = 0, wrong = 0, seen = 0;
    std::uint64_t seed = 0;
    for (char comma; rows >> number >> seed >> x >> comma >> y; ++seen) {
        const Cell move = answer(*network, board, number, seed);
        if (move == y * 15 + x) continue;
        std::fprintf(stderr, "level %d with seed %d plays %d,%d, not %d,%d\n", number, static_cast<int>(seed),
                     move % 15, move / 15, x, y);
        ++wrong;
    }
    if (wrong || !seen) return 1;
    std::puts("ok");
}
