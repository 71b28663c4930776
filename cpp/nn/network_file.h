#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "nn/line_network.h"

namespace tengen {

/// A line network as a model file holds it (safetensors; src/tengen/nets/files.py writes them).
struct NetworkFile {
    std::vector<std::string> rules;  ///< that it was trained for
    std::vector<int> sizes;          ///< of the boards that it was trained on
    std::int64_t games = 0;          ///< that it has seen
    std::shared_ptr<const LineNetwork> network;

    /// Throws std::invalid_argument if the bytes are no such file. Checksums are not looked at: tensors that do not fit
    /// the file or leave their ranges are found, other damage is not.
    static NetworkFile parse(std::string_view bytes);
};

}  // namespace tengen
