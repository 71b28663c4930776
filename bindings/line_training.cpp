// Training a line network: positions to distinct windows, and the fused forward and backward pass. NumPy in and out.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "bindings.h"
#include "game/geometry.h"
#include "leaving.h"
#include "nn/fused_training.h"
#include "nn/line_weights.h"
#include "nn/window_encoder.h"
#include "nn/window_training.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tengen {
namespace {

template <class T, int kDimensions>
using Array = nb::ndarray<nb::numpy, T, nb::ndim<kDimensions>, nb::c_contig, nb::device::cpu>;

template <class T, int kDimensions>
Array<T, kDimensions> make_array(const std::array<std::size_t, kDimensions>& shape) {
    std::size_t size = 1;
    for (std::size_t side : shape) size *= side;
    T* data = new T[size]();
    const nb::capsule owner(data, [](void* memory) noexcept { delete[] static_cast<T*>(memory); });
    return Array<T, kDimensions>(data, kDimensions, shape.data(), owner);
}

void check(bool fits, const char* what) {
    if (!fits) throw std::invalid_argument(what);
}

Array<std::int32_t, 3> add(WindowEncoder& self, Array<const std::uint8_t, 2> stones, int width, int height,
                           Array<const std::uint8_t, 1> conditions) {
    const std::size_t positions = stones.shape(0), cells = stones.shape(1);
    check(cells == static_cast<std::size_t>(width) * height, "stones must be [positions, width * height]");
    check(conditions.shape(0) == positions, "there must be one condition for each position");
    auto rows = make_array<std::int32_t, 3>({positions, cells, 4});
    const WithoutGil release;
    self.add({stones.data(), stones.size()}, width, height, {conditions.data(), positions}, rows.data());
    return rows;
}

using Windows = Array<const std::uint32_t, 1>;

Array<std::uint32_t, 1> finish(WindowEncoder& self) {
    const std::vector<std::uint32_t> windows = self.finish();
    auto array = make_array<std::uint32_t, 1>({windows.size()});
    std::ranges::copy(windows, array.data());
    return array;
}

void check_windows(const Windows& windows, int radius) {
    const std::uint32_t count = kLineConditions * WindowCode(radius).count();
    for (std::size_t i = 0; i < windows.size(); ++i) check(windows.data()[i] < count, "there is no such window");
}

auto inputs_of(Windows windows, int radius) {
    check_windows(windows, radius);
    const std::size_t inputs = window_inputs(radius);
    auto forward = make_array<float, 2>({windows.size(), inputs});
    auto reversed = make_array<float, 2>({windows.size(), inputs});
    encode_windows(radius, {windows.data(), windows.size()}, forward.data(), reversed.data());
    return std::make_tuple(forward, reversed);
}

Array<float, 2> make_table(Windows windows, int radius, int channels, int hidden, Array<const float, 1> parameters) {
    const LineConfig config{radius, channels, hidden};
    check_windows(windows, radius);
    check(parameters.size() == static_cast<std::size_t>(window_parameters(config)), "parameters has the wrong size");
    auto table = make_array<float, 2>({windows.size(), static_cast<std::size_t>(channels)});
    const WithoutGil release;
    window_forward(config, {windows.data(), windows.size()}, parameters.data(), table.data());
    return table;
}

Array<float, 1> window_gradient(Windows windows, int radius, int hidden, Array<const float, 1> parameters,
                                Array<const float, 2> table, Array<const float, 2> table_gradient) {
    const LineConfig config{radius, static_cast<int>(table.shape(1)), hidden};
    check_windows(windows, radius);
    check(parameters.size() == static_cast<std::size_t>(window_parameters(config)), "parameters has the wrong size");
    check(table.shape(0) == windows.size() && table_gradient.shape(0) == windows.size() &&
              table_gradient.shape(1) == table.shape(1),
          "table and its gradient must be [windows, channels]");
    auto gradient = make_array<float, 1>({parameters.size()});
    const WithoutGil release;
    window_backward(config, {windows.data(), windows.size()}, parameters.data(), table.data(), table_gradient.data(),
                    gradient.data());
    return gradient;
}

Array<std::uint8_t, 2> candidates(Array<const std::uint8_t, 2> stones, int width, int height) {
    check(stones.shape(1) == static_cast<std::size_t>(width) * height, "stones must be [positions, width * height]");
    auto marked = make_array<std::uint8_t, 2>({stones.shape(0), stones.shape(1)});
    const WithoutGil release;
    mark_candidates({stones.data(), stones.size()}, width, height, marked.data());
    return marked;
}

using GroupArrays = std::tuple<int, int, Array<const std::int32_t, 3>, Array<const std::int32_t, 1>,
                               Array<const std::uint8_t, 2>, Array<const float, 2>, Array<const float, 2>>;

TrainingGroup to_group(const GroupArrays& arrays, std::size_t windows) {
    const auto& [width, height, rows, empty, candidates, policy, outcome] = arrays;
    const std::size_t cells = static_cast<std::size_t>(width) * height, positions = empty.shape(0);
    check(rows.shape(0) >= positions && rows.shape(1) == cells && rows.shape(2) == 4,
          "rows must be [positions + empties, cells, 4]");
    check(candidates.shape(0) == positions && candidates.shape(1) == cells, "candidates must be [positions, cells]");
    check(policy.shape(0) == positions && policy.shape(1) == cells, "policy must be [positions, cells]");
    check(outcome.shape(0) == positions && outcome.shape(1) == 3, "outcome must be [positions, 3]");
    const std::size_t empties = rows.shape(0) - positions;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        check(static_cast<std::uint32_t>(rows.data()[i]) < windows, "rows must name windows of the table");
    }
    for (std::size_t i = 0; i < positions; ++i) {
        check(static_cast<std::uint32_t>(empty.data()[i]) < empties, "empty must name one of the empty boards");
    }
    return {width,         height,       static_cast<int>(positions), static_cast<int>(empties),
            rows.data(),   empty.data(), candidates.data(),           policy.data(),
            outcome.data()};
}

auto train(const std::vector<GroupArrays>& group_arrays, Array<const float, 2> table, Array<const float, 1> parameters,
           float value_weight) {
    const std::size_t channels = table.shape(1);
    const std::size_t wanted = board_parameters(static_cast<int>(channels));
    check(parameters.size() == wanted, "parameters does not fit the table's channels");
    auto table_gradient = make_array<float, 2>({table.shape(0), channels});
    auto gradient = make_array<float, 1>({wanted});
    auto cell = make_array<double, 2>({2, channels}), pool = make_array<double, 2>({2, channels});
    auto hidden = make_array<double, 2>({2, LineWeights::kPolicyHidden});
    TrainingMoments moments{cell.data(), pool.data(), hidden.data()};
    TrainingLoss loss;
    {
        const WithoutGil release;
        std::vector<TrainingGroup> groups;
        for (const GroupArrays& arrays : group_arrays) groups.push_back(to_group(arrays, table.shape(0)));
        loss = fused_training(static_cast<int>(channels), groups, table.data(), parameters.data(), value_weight,
                              table_gradient.data(), gradient.data(), moments);
    }
    return std::make_tuple(loss.policy, loss.value, table_gradient, gradient, cell, pool, hidden, moments.cells);
}

}  // namespace

void bind_line_training(nb::module_& module) {
    module.attr("LINE_CONDITIONS") = kLineConditions;
    module.attr("LINE_CAP") = LineWeights::kCap;
    module.attr("LINE_TABLE_LIMIT") = LineWeights::kTableLimit;
    module.attr("LINE_DEPTHWISE_LIMIT") = LineWeights::kDepthwiseLimit;
    module.attr("LINE_POINTWISE_LIMIT") = LineWeights::kPointwiseLimit;
    module.attr("LINE_POINTWISE_WEIGHT_LIMIT") = LineWeights::kPointwiseWeightLimit;
    module.attr("LINE_POOL_SCALE") = LineWeights::kPoolScale;
    nb::class_<WindowEncoder>(module, "WindowEncoder")
        .def(nb::init<int>(), "radius"_a)
        .def("add", &add, "stones"_a, "width"_a, "height"_a, "conditions"_a,
             "Stones [positions, cells] to rows of the table of distinct windows [positions, cells, 4].")
        .def("finish", &finish, "The distinct windows, by row.");
    module.def("window_inputs", &inputs_of, "windows"_a, "radius"_a,
               "Inputs of the window MLP for these windows and for their reverses.");
    module.def("window_table", &make_table, "windows"_a, "radius"_a, "channels"_a, "hidden"_a, "parameters"_a,
               "The window MLP's output [windows, channels].");
    module.def("window_gradient", &window_gradient, "windows"_a, "radius"_a, "hidden"_a, "parameters"_a, "table"_a,
               "table_gradient"_a, "The gradient of the window MLP's parameters.");
    module.def("mark_candidates", &candidates, "stones"_a, "width"_a, "height"_a,
               "1 at the empty cells within two of a stone, for each position.");
    module.def("fused_training", &train, "groups"_a, "table"_a, "parameters"_a, "value_weight"_a,
               "Losses (policy, value), gradients (table, parameters), moments (cells, pool, policy units) and the "
               "number of candidate cells.");
}

}  // namespace tengen
