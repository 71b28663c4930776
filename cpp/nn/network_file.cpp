#include "nn/network_file.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "json/json.h"

namespace tengen {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are read as they are stored");

constexpr int kFormatVersion = 1;
/// Units of the window MLP in files that do not say.
constexpr int kFirstHidden = 64;

std::vector<float> read_tensor(const Json& entry, std::string_view data) {
    const auto begin = static_cast<std::size_t>(entry["data_offsets"].array().at(0).number());
    const auto end = static_cast<std::size_t>(entry["data_offsets"].array().at(1).number());
    if (entry["dtype"].string() != "F32" || begin > end || end > data.size() || (end - begin) % sizeof(float)) {
        throw std::invalid_argument("a tensor of the network file is not one of 32-bit numbers inside the file");
    }
    std::vector<float> tensor((end - begin) / sizeof(float));
    std::memcpy(tensor.data(), data.data() + begin, end - begin);
    return tensor;
}

}  // namespace

NetworkFile NetworkFile::parse(std::string_view bytes) {
    std::uint64_t length = 0;
    if (bytes.size() < sizeof length) throw std::invalid_argument("this is no network file");
    std::memcpy(&length, bytes.data(), sizeof length);
    bytes.remove_prefix(sizeof length);
    if (length > bytes.size()) throw std::invalid_argument("this is no network file");
    const Json header = Json::parse(bytes.substr(0, length));
    const Json model = Json::parse(header["__metadata__"]["tengen"].string());
    const Json& info = model["info"];
    if (model["format_version"].number() != kFormatVersion || info["architecture"].string() != "line") {
        throw std::invalid_argument("this network file is of another format or holds another kind of network");
    }
    NamedArrays arrays;
    for (const auto& [name, entry] : header.object()) {
        if (name != "__metadata__") arrays[name] = read_tensor(entry, bytes.substr(length));
    }
    const Json& config = info["config"];
    const LineConfig sizes{
        .radius = static_cast<int>(config["radius"].number()),
        .channels = static_cast<int>(config["channels"].number()),
        .hidden = config["hidden"].is_null() ? kFirstHidden : static_cast<int>(config["hidden"].number())};
    NetworkFile file;
    file.games = static_cast<std::int64_t>(info["games"].number());
    file.network = std::make_shared<LineNetwork>(sizes, arrays);
    for (const Json& rule : info["rules"].array()) file.rules.push_back(rule.string());
    for (const Json& size : info["sizes"].array()) file.sizes.push_back(static_cast<int>(size.number()));
    return file;
}

}  // namespace tengen
