#pragma once

// Parameters come as any Python object with attributes of the same names (tengen.search.SearchParams ...).

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "mcts/read_params.h"

namespace tengen {

namespace nb = nanobind;

template <>
struct ParameterSource<nb::object> {
    template <class Value>
    static Value get(const nb::object& from, const char* name) {
        return nb::cast<Value>(from.attr(name));
    }
};

/// An evaluator's objection to a board (see `Evaluator::objection`) as an exception.
inline void require_no_objection(const std::string& objection) {
    if (!objection.empty()) throw std::invalid_argument(objection);
}

}  // namespace tengen
