#pragma once

// Between the core and JavaScript: cells are integers, colours 0 and 1, everything else has a name.

#include <emscripten/val.h>

#include <string>
#include <type_traits>
#include <vector>

#include "game/board.h"
#include "mcts/read_params.h"

namespace tengen {

template <>
struct ParameterSource<emscripten::val> {
    template <class Value>
    static Value get(const emscripten::val& from, const char* name) {
        if constexpr (std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>) {
            return static_cast<Value>(from[name].as<double>());  // as JavaScript has no other numbers
        } else {
            return from[name].as<Value>();
        }
    }
};

inline emscripten::val cells(const std::vector<Cell>& list) {
    return emscripten::val::array(list);
}

}  // namespace tengen
