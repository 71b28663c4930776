#include "selfplay/game_record.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace tengen {
namespace {

constexpr float kValueScale = 32767;

constexpr std::array<std::uint32_t, 256> make_crc_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
        table[i] = crc;
    }
    return table;
}

std::uint32_t crc32(std::span<const std::byte> bytes) {
    static constexpr auto kTable = make_crc_table();
    std::uint32_t crc = ~0u;
    for (std::byte byte : bytes) crc = crc >> 8 ^ kTable[(crc ^ static_cast<std::uint32_t>(byte)) & 0xff];
    return ~crc;
}

/// Little-endian whatever the machine.
template <class Integer>
void put(std::string& bytes, Integer value) {
    for (std::size_t i = 0; i < sizeof value; ++i) {
        bytes.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> 8 * i & 0xff));
    }
}

/// Takes integers from the front of a span; `ok` turns false at its end.
struct Reader {
    std::span<const std::byte> bytes;
    bool ok = true;

    template <class Integer>
    Integer get() {
        if (bytes.size() < sizeof(Integer)) {
            ok = false;
            return 0;
        }
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < sizeof(Integer); ++i) value |= static_cast<std::uint64_t>(bytes[i]) << 8 * i;
        bytes = bytes.subspan(sizeof(Integer));
        return static_cast<Integer>(value);
    }
};

/// The first byte of another game than Gomoku, where a rule would be.
constexpr std::uint8_t kOtherGame = 255;

bool has_sound_samples(const GameRecord& game, int move_count) {
    for (const Sample& sample : game.samples) {
        if (sample.ply > game.moves.size()) return false;
        for (const auto& visit : sample.visits) {
            if (visit.move < 0 || visit.move >= move_count) return false;
        }
    }
    return game.opening_plies <= static_cast<int>(game.moves.size()) && game.result >= -1 &&
           game.result <= GameRecord::kUnfinished;
}

/// Plays a game through; takes its size from there.
bool is_sound(GameRecord& record) {
    std::unique_ptr<Game> game;
    try {
        game = record.kind.start();
    } catch (const std::invalid_argument&) {
        return false;
    }
    record.kind.width = game->width();
    record.kind.height = game->height();
    std::vector<Cell> legal;
    for (Cell move : record.moves) {
        game->legal_moves(legal);
        if (!std::ranges::binary_search(legal, move)) return false;
        game->play(move);
    }
    return has_sound_samples(record, game->move_count());
}

/// The same for Gomoku, of which there are millions: whether a point is empty, and no more.
bool is_sound_gomoku(const GameRecord& game) {
    const auto& [other, rules, width, height] = game.kind;
    if (width > kMaxSide || height > kMaxSide || rules.rule > Rule::kCaro) return false;
    PointSet seen;
    for (Cell move : game.moves) {
        if (move < 0 || move >= width * height || seen.contains(move)) return false;
        seen.add(move);
    }
    return has_sound_samples(game, width * height);
}

void put_kind(std::string& body, const GameKind& kind) {
    if (kind.is_gomoku()) {
        put<std::uint8_t>(body, static_cast<std::uint8_t>(kind.rules.rule));
        put<std::uint8_t>(body, static_cast<std::uint8_t>(kind.rules.n));
        put<std::uint8_t>(body, static_cast<std::uint8_t>(kind.width));
        put<std::uint8_t>(body, static_cast<std::uint8_t>(kind.height));
    } else {
        put<std::uint8_t>(body, kOtherGame);
        put<std::uint8_t>(body, static_cast<std::uint8_t>(kind.other.size()));
        body += kind.other;
    }
}

void get_kind(Reader& body, GameKind& kind) {
    const auto first = body.get<std::uint8_t>();
    if (first == kOtherGame) {
        for (int length = body.get<std::uint8_t>(); length > 0 && body.ok; --length) {
            kind.other.push_back(static_cast<char>(body.get<std::uint8_t>()));
        }
    } else {
        kind.rules.rule = static_cast<Rule>(first);
        kind.rules.n = body.get<std::uint8_t>();
        kind.width = body.get<std::uint8_t>();
        kind.height = body.get<std::uint8_t>();
    }
}

}  // namespace

void GameRecord::append_to(std::string& bytes) const {
    std::string body;
    put_kind(body, kind);
    put<std::uint16_t>(body, static_cast<std::uint16_t>(opening_plies));
    put<std::int8_t>(body, static_cast<std::int8_t>(result));
    put<std::uint16_t>(body, static_cast<std::uint16_t>(samples.size()));
    put<std::uint16_t>(body, static_cast<std::uint16_t>(moves.size()));
    for (Cell move : moves) put<std::uint16_t>(body, static_cast<std::uint16_t>(move));
    for (const Sample& sample : samples) {
        put<std::uint16_t>(body, sample.ply);
        put<std::int16_t>(body, static_cast<std::int16_t>(std::lround(sample.value * kValueScale)));
        put<std::uint16_t>(body, static_cast<std::uint16_t>(sample.visits.size()));
        for (const auto& visit : sample.visits) {
            put<std::uint16_t>(body, static_cast<std::uint16_t>(visit.move));
            put<std::uint16_t>(body, visit.weight);
        }
    }
    put<std::uint32_t>(bytes, static_cast<std::uint32_t>(body.size()));
    put<std::uint32_t>(bytes, crc32(std::as_bytes(std::span(body))));
    bytes += body;
}

std::optional<GameRecord> GameRecord::take_from(std::span<const std::byte>& bytes) {
    Reader header{bytes};
    const auto length = header.get<std::uint32_t>();
    const auto crc = header.get<std::uint32_t>();
    if (!header.ok || header.bytes.size() < length || crc32(header.bytes.first(length)) != crc) return std::nullopt;

    Reader body{header.bytes.first(length)};
    GameRecord game;
    get_kind(body, game.kind);
    game.opening_plies = body.get<std::uint16_t>();
    game.result = body.get<std::int8_t>();
    const auto samples = body.get<std::uint16_t>();
    const auto moves = body.get<std::uint16_t>();
    for (int i = 0; i < moves && body.ok; ++i) game.moves.push_back(static_cast<Cell>(body.get<std::uint16_t>()));
    for (int i = 0; i < samples && body.ok; ++i) {
        Sample sample;
        sample.ply = body.get<std::uint16_t>();
        sample.value = body.get<std::int16_t>() / kValueScale;
        const auto visits = body.get<std::uint16_t>();
        for (int k = 0; k < visits && body.ok; ++k) {
            const auto move = static_cast<Cell>(body.get<std::uint16_t>());
            sample.visits.push_back({move, body.get<std::uint16_t>()});
        }
        game.samples.push_back(std::move(sample));
    }
    if (!body.ok || !(game.kind.is_gomoku() ? is_sound_gomoku(game) : is_sound(game))) return std::nullopt;
    bytes = header.bytes.subspan(length);
    return game;
}

}  // namespace tengen
