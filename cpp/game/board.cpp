#include "game/board.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#include "game/zobrist.h"

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif

namespace tengen {
namespace {

int default_radius(Rules rules) {
    return std::clamp(rules.reach(), WindowCode::kMinRadius, WindowCode::kMaxRadius);
}

/// A vector of 32-bit words; the compiler splits it as the target needs.
typedef std::uint32_t Lanes __attribute__((vector_size(4 * Geometry::kLanes)));

inline Lanes load(const void* from) {
    Lanes lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

inline void store(void* to, Lanes lanes) {
    std::memcpy(to, &lanes, sizeof lanes);
}

/// A byte for each of 64 points, in a vector that every processor can shift: what a shift by a few bits carries over to
/// the next byte stays in its lowest or highest bits.
typedef std::uint16_t Points __attribute__((vector_size(64)));

inline Points load_points(const std::uint8_t* from) {
    Points points;
    std::memcpy(&points, from, sizeof points);
    return points;
}

/// One bit of each byte.
template <int kBit>
inline std::uint64_t bit_of_each(Points points) {
#if defined(__AVX512BW__)
    return _mm512_test_epi8_mask(reinterpret_cast<__m512i>(points), _mm512_set1_epi8(static_cast<char>(1 << kBit)));
#elif defined(__AVX2__)
    points <<= 7 - kBit;
    std::uint64_t bits = 0;
    for (int half = 0; half < 2; ++half) {
        const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(&points) + half);
        bits |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(v))) << 32 * half;
    }
    return bits;
#else
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) {
        std::uint64_t eight;
        std::memcpy(&eight, reinterpret_cast<const char*>(&points) + 8 * i, sizeof eight);
        // Adds eight numbers, each with one of the bits in its place of the highest byte, and never a carry.
        bits |= (((eight >> kBit) & 0x0101010101010101) * 0x0102040810204080 >> 56) << 8 * i;
    }
    return bits;
#endif
}

}  // namespace

Board::Board(int width, int height, Rules rules, int radius)
    : geometry_(&Geometry::get(width, height, radius ? radius : default_radius(rules))),
      shape_table_(ShapeTable::get(rules, geometry_->code.radius())),
      rules_(rules) {
    windows_ = {};
    line_threats_ = {};
    for (auto& view : windows_) std::ranges::copy(geometry_->empty_windows(), view.begin());
}

Board Board::with_radius(int radius) const {
    if (radius == 0 || radius == geometry_->code.radius()) return *this;
    Board copy(width(), height(), rules_, radius);
    for (int ply = 0; ply < ply_; ++ply) copy.place(move_at(ply), color_at(ply));
    copy.set_turn(turn_);
    return copy;
}

void Board::set_turn(Color color) {
    if (color == turn_) return;
    turn_ = color;
    hash_ ^= kZobrist.white_to_move;
}

std::uint64_t Board::hash_change(Color mover, Cell cell) {
    return kZobrist.stones[index(mover)][cell] ^ kZobrist.white_to_move;
}

void Board::place(Cell cell, Color color) {
    assert(cell >= 0 && cell < cells() && is_empty(cell));
    history_[ply_] = {cell, color, wins_at(cell, color)};
    reached_[ply_ + 1] = reached_[ply_] | geometry_->neighbourhood(cell);
    ++ply_;
    hash_ ^= kZobrist.stones[index(color)][cell];
    occupied_.add(cell);
    stones_[index(color)].add(cell);
    put_windows(cell, color);
    set_turn(opponent(color));
}

void Board::undo() {
    assert(ply_ > 0);
    const Played last = history_[--ply_];
    hash_ ^= kZobrist.stones[index(last.color)][last.cell];
    occupied_.remove(last.cell);
    stones_[index(last.color)].remove(last.cell);
    lift_windows(last.cell, last.color);
    set_turn(last.color);
}

void Board::put_windows(Cell cell, Color color) {
    if (has_windows()) update_windows<true>(cell, color);
}

void Board::lift_windows(Cell cell, Color color) {
    if (has_windows()) update_windows<false>(cell, color);
}

template <bool kAdd>
void Board::update_windows(Cell cell, Color color) {
    const Lanes one = load(geometry_->steps().data());
    const Lanes two = one + one;
    const Lanes own = kAdd ? one : -one;
    const Lanes enemy = kAdd ? two : -two;
    const Lanes black = color == Color::kBlack ? own : enemy;
    const Lanes white = color == Color::kBlack ? enemy : own;
    const std::uint8_t* threats = shape_table_->threats();
    const int radius = geometry_->code.radius();
    for (int direction = 0; direction < kDirections; ++direction) {
        const auto [slot, first, last] = geometry_->runs(cell)[direction];
        std::uint32_t* white_windows = &windows_[index(Color::kWhite)][slot - radius];
        store(white_windows, load(white_windows) + white);
        std::uint32_t* black_windows = &windows_[index(Color::kBlack)][slot - radius];
        const Lanes now = load(black_windows) + black;
        store(black_windows, now);
        // The new windows are read back from an aligned copy: from the unaligned store itself it takes twice as long.
        alignas(64) std::uint32_t updated[Geometry::kLanes];
        store(updated, now);
        const std::ptrdiff_t stride = geometry_->stride(direction);
        const std::uint32_t* window = updated + radius + first;
        const std::uint32_t* end = updated + radius + last + 1;
        std::uint8_t* threat = &line_threats_[direction][cell] + first * stride;
#pragma GCC unroll 4
        for (; window != end; ++window, threat += stride) *threat = threats[*window];
    }
    threats_stale_ = true;
}

/// Gathers the points of each kind of threat, 64 points at a time: a byte holds what a point is on one of its four
/// lines, four bits for black and four for white, and all of it is computed for both colours at once.
void Board::collect_threats() const {
    threats_stale_ = false;
    if (!has_windows()) return;
    auto& [black, white] = threats_;
    for (int word = 0; 64 * word < cells(); ++word) {
        Points any = {}, two = {}, open_four = {}, overline = {}, three = {}, two_threes = {};
        for (int direction = 0; direction < kDirections; ++direction) {
            const Points line = load_points(&line_threats_[direction][64 * word]);
            const Points line_of_three = line & ~(line << 2);  // bit 3 without bit 1
            two |= any & line;
            any |= line;
            open_four |= line & line << 1;    // bit 2 with bit 1
            overline |= line & ~(line >> 1);  // bit 1 without bit 2: or two fours on one line
            two_threes |= three & line_of_three;
            three |= line_of_three;
        }
        const Points double_four = two | open_four;
        black.fives.set_word(word, bit_of_each<0>(any));
        black.fours.set_word(word, bit_of_each<2>(any));
        black.double_fours.set_word(word, bit_of_each<2>(double_four));
        black.open_threes.set_word(word, bit_of_each<3>(three));
        white.fives.set_word(word, bit_of_each<4>(any));
        white.fours.set_word(word, bit_of_each<6>(any));
        white.double_fours.set_word(word, bit_of_each<6>(double_four));
        white.open_threes.set_word(word, bit_of_each<7>(three));
        if (rules_.has_forbidden_points()) {
            foul_suspects_.set_word(word, bit_of_each<1>(overline) | bit_of_each<2>(two) | bit_of_each<3>(two_threes));
        }
    }
}

int Board::row_length(Cell cell, Color color, int dx, int dy) const {
    int length = 0;
    int x = geometry_->x(cell) + dx, y = geometry_->y(cell) + dy;
    for (; geometry_->on_board(x, y) && has_stone(geometry_->cell(x, y), color); x += dx, y += dy) ++length;
    return length;
}

/// Does `cell` (holding a stone of `color`, or taken to) lie in a winning row in this direction?
bool Board::row_wins(Cell cell, Color color, int direction, int* before, int* after) const {
    const int dx = kDirectionX[direction], dy = kDirectionY[direction];
    *before = row_length(cell, color, -dx, -dy);
    *after = row_length(cell, color, dx, dy);
    auto held = [&](int steps) {
        const int x = geometry_->x(cell) + steps * dx, y = geometry_->y(cell) + steps * dy;
        return geometry_->on_board(x, y) && has_stone(geometry_->cell(x, y), opponent(color));
    };
    return rules_.row_wins(color, *before + 1 + *after, held(-*before - 1) && held(*after + 1));
}

bool Board::wins_at(Cell cell, Color color) const {
    if (has_windows()) {
        std::uint8_t lines = 0;
        for (const auto& line : line_threats_) lines |= line[cell];
        return (lines >> 4 * index(color) & kThreatFive) != 0;
    }
    for (int direction = 0; direction < kDirections; ++direction) {
        int before, after;
        if (row_wins(cell, color, direction, &before, &after)) return true;
    }
    return false;
}

void Board::legal_moves(std::vector<Cell>& moves) const {
    moves.clear();
    if (result() == Result::kOpen) moves = Board(*this).legal(empties()).members();
}

Result Board::result() const {
    if (last_move_won()) return color_at(ply_ - 1) == Color::kBlack ? Result::kFirstWins : Result::kSecondWins;
    if (is_full()) return Result::kDraw;
    // Forbidden points need stones around them: with room left on the board there is always another.
    const bool may_be_stuck = has_fouls(turn_) && cells() - ply_ <= ply_;
    return may_be_stuck && Board(*this).legal(empties()).empty() ? Result::kDraw : Result::kOpen;
}

Result Board::play_out(Random& random) {
    const int start = ply_;
    std::array<Cell, kMaxCells> empty;
    int count = 0;
    empties().for_each([&](Cell cell) { empty[count++] = cell; });
    Result result = Result::kDraw;
    while (count > 0) {
        const int pick = static_cast<int>(random.below(static_cast<std::uint32_t>(count)));
        const Cell cell = empty[pick];
        empty[pick] = empty[--count];
        if (wins_at(cell, turn_)) {
            result = turn_ == Color::kBlack ? Result::kFirstWins : Result::kSecondWins;
            break;
        }
        play(cell);
    }
    while (ply_ > start) undo();
    return result;
}

std::vector<Cell> Board::winning_line(Cell cell) const {
    std::vector<Cell> line;
    if (is_empty(cell)) return line;
    const Color color = has_stone(cell, Color::kBlack) ? Color::kBlack : Color::kWhite;
    for (int direction = 0; direction < kDirections && line.empty(); ++direction) {
        int before, after;
        if (!row_wins(cell, color, direction, &before, &after)) continue;
        const int stride = geometry_->stride(direction);
        for (int k = -before; k <= after; ++k) line.push_back(static_cast<Cell>(cell + k * stride));
    }
    return line;
}

LineShape Board::shape(Cell cell, int direction, Color color) const {
    if (has_windows()) {
        const int slot = geometry_->runs(cell)[direction].slot;
        return shape_table_->shape(windows_[index(Color::kBlack)][slot], color);
    }
    if (has_stone(cell, opponent(color))) return {};
    std::array<std::int8_t, 2 * kMaxSide + 1> line;
    constexpr int centre = kMaxSide;
    for (int k = -centre; k <= centre; ++k) {
        const int x = geometry_->x(cell) + k * kDirectionX[direction];
        const int y = geometry_->y(cell) + k * kDirectionY[direction];
        line[centre + k] = !geometry_->on_board(x, y)                          ? WindowCode::kBorder
                           : has_stone(geometry_->cell(x, y), color)           ? 1
                           : has_stone(geometry_->cell(x, y), opponent(color)) ? 2
                                                                               : 0;
    }
    line[centre] = 1;
    return classify(line, centre, rules_, color);
}

}  // namespace tengen
