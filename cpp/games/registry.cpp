#include "games/registry.h"

#include <array>
#include <cstdio>
#include <stdexcept>
#include <string_view>

#include "games/connect_four.h"
#include "games/misere.h"
#include "games/mnk.h"
#include "games/othello.h"

namespace tengen {
namespace {

struct Entry {
    std::string_view name;
    std::unique_ptr<Game> (*make)();
};

/// Every game by name: a new one is a header and a line here.
constexpr std::array kGames{
    Entry{"connect4", []() -> std::unique_ptr<Game> { return std::make_unique<ConnectFour>(); }},
    Entry{"misere", []() -> std::unique_ptr<Game> { return std::make_unique<Misere>(); }},
    Entry{"othello6", []() -> std::unique_ptr<Game> { return std::make_unique<Othello>(6); }},
    Entry{"othello8", []() -> std::unique_ptr<Game> { return std::make_unique<Othello>(8); }},
    Entry{"tictactoe", []() -> std::unique_ptr<Game> { return std::make_unique<Mnk>(3, 3, 3); }},
};

/// "mnk:WxHxK", or nothing.
std::unique_ptr<Game> make_mnk(const std::string& name) {
    int width = 0, height = 0, in_row = 0, end = 0;
    if (std::sscanf(name.c_str(), "mnk:%2dx%2dx%2d%n", &width, &height, &in_row, &end) != 3) return nullptr;
    if (end != static_cast<int>(name.size())) return nullptr;
    const bool fits = width >= 1 && width <= kMaxSide && height >= 1 && height <= kMaxSide && in_row >= 1;
    return fits ? std::make_unique<Mnk>(width, height, in_row) : nullptr;
}

}  // namespace

std::unique_ptr<Game> make_game(const std::string& name) {
    for (const Entry& entry : kGames) {
        if (entry.name == name) return entry.make();
    }
    if (auto game = make_mnk(name)) return game;
    std::string names;
    for (const std::string& known : game_names()) names += known + ", ";
    throw std::invalid_argument("there is no game \"" + name + "\"; the games are " + names + "mnk:WxHxK");
}

std::vector<std::string> game_names() {
    std::vector<std::string> names;
    for (const Entry& entry : kGames) names.emplace_back(entry.name);
    return names;
}

}  // namespace tengen
