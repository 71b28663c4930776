// What the core computes, as numbers that must be the same on every machine and in every build: those of `tengen bench`
// for rules, threats and alpha-beta, and for each network file that is named, those of its evaluations and of a search
// with it. Usage: signatures POSITIONS [NETWORK...]

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "bench/alpha_beta_bench.h"
#include "bench/net_bench.h"
#include "bench/rules_bench.h"
#include "bench/threats_bench.h"
#include "eval/network_evaluator.h"
#include "mcts/gomoku_explorer.h"
#include "mcts/mcts.h"
#include "nn/network_file.h"

using namespace tengen;

namespace {

constexpr std::uint64_t kSeed = 1;
constexpr int kPlayoutsPerPosition = 100;  // as long as the rest takes, so that an emulator comes to an end too

void print(const char* name, std::uint64_t signature) {
    std::printf("%-10s %016" PRIx64 "\n", name, signature);
    std::fflush(stdout);
}

/// Visits, moves and values of a search in a position with a few stones.
std::uint64_t search_signature(const std::shared_ptr<const LineNetwork>& network, int playouts) {
    Board board(15, 15, {});
    for (const Cell cell : {112, 97, 128, 114, 98}) board.play(cell);
    SearchParams params;
    params.memory = 64 << 20;
    Mcts search(std::make_unique<GomokuExplorer>(board, std::make_unique<NetworkEvaluator>(network), KnowledgeParams{}),
                params);
    search.search({.playouts = playouts});
    std::uint64_t signature = 0;
    for (const MoveReport& move : search.report(225).moves) {
        signature =
            split_mix(signature ^ static_cast<std::uint64_t>(move.visits) << 32 ^ static_cast<unsigned>(move.move) ^
                      static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(move.value)) << 16);
    }
    return signature;
}

void print_network(const char* path, int positions) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const auto network = NetworkFile::parse(bytes).network;
    const NetBench bench = bench_net(network, positions, 3, kSeed);
    print("net", bench.signature);
    print("search", search_signature(network, kPlayoutsPerPosition * positions));
    std::fprintf(stderr, "%.0f evaluations/s\n", bench.evaluations_per_second);
}

}  // namespace

int main(int count, char** arguments) {
    const int positions = count > 1 ? std::atoi(arguments[1]) : 20;
    print("rules", bench_rules(positions, kSeed).signature);
    print("threats", bench_threats(positions, kSeed).signature);
    print("alphabeta", bench_alpha_beta(4, 20, 0, positions, kSeed).signature);
    try {
        for (int i = 2; i < count; ++i) print_network(arguments[i], positions);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
