#include "interrupt.h"

#include "bindings.h"

namespace nb = nanobind;

namespace tengen {

void bind_interrupt(nb::module_& module) {
    nb::class_<StopFlag>(module, "StopFlag", "Ends a search from another thread.")
        .def(nb::init<>())
        .def("set", [](StopFlag& self) { self.value.store(true, std::memory_order_relaxed); })
        .def("clear", [](StopFlag& self) { self.value.store(false, std::memory_order_relaxed); })
        .def("is_set", [](const StopFlag& self) { return self.value.load(std::memory_order_relaxed); });
}

}  // namespace tengen
