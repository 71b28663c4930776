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

/// The lanes that are not zero, as a bit mask.
inline unsigned nonzero_lanes(Lanes lanes) {
#if defined(__AVX512F__)
    const __m512i v = reinterpret_cast<__m512i>(lanes);
    return _mm512_test_epi32_mask(v, v);
#elif defined(__AVX2__)
    unsigned mask = 0;
    for (int half = 0; half < 2; ++half) {
        const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(&lanes) + half);
        const __m256i zero = _mm256_cmpeq_epi32(v, _mm256_setzero_si256());
        mask |= (~static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(zero))) & 0xff) << 8 * half;
    }
    return mask;
#else
    unsigned mask = 0;
    for (int lane = 0; lane < Geometry::kLanes; ++lane) mask |= static_cast<unsigned>(lanes[lane] != 0) << lane;
    return mask;
#endif
}

}  // namespace

Board::Board(int width, int height, Rules rules, int radius)
    : geometry_(&Geometry::get(width, height, radius ? radius : default_radius(rules))),
      shape_table_(ShapeTable::get(rules, geometry_->code.radius())),
      rules_(rules) {
    windows_ = {};
    cell_threats_ = {};
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
        const std::ptrdiff_t stride = geometry_->stride(direction) * kDirections;
        const std::uint32_t* window = updated + radius + first;
        const std::uint32_t* end = updated + radius + last + 1;
        std::uint8_t* threat = &cell_threats_[cell][direction] + first * stride;
#pragma GCC unroll 4
        for (; window != end; ++window, threat += stride) *threat = threats[*window];
    }
    threats_stale_ = true;
}

/// Gathers the points of each kind of threat, sixteen points at a time: a word holds the four lines of a point, a byte
/// each, and in it four bits for each colour.
void Board::collect_threats() const {
    threats_stale_ = false;
    threats_ = {};
    foul_suspects_ = {};
    if (!has_windows()) return;
    const bool black_has_fouls = rules_.has_forbidden_points();
    for (int block = 0; block * Geometry::kLanes < cells(); ++block) {
        Lanes points = load(&cell_threats_[block * Geometry::kLanes]);
        if (nonzero_lanes(points) == 0) continue;
        for (int color = 0; color < 2; ++color, points >>= 4) {
            constexpr std::uint32_t kEachLine = 0x01010101;
            const Lanes bit0 = points & kEachLine, bit1 = points >> 1 & kEachLine;
            const Lanes bit2 = points >> 2 & kEachLine, bit3 = points >> 3 & kEachLine;
            const Lanes two_lines_of_four = bit2 & (bit2 - 1), threes = bit3 & ~bit1;
            Threats& found = threats_[color];
            found.fives.add_block(block, nonzero_lanes(bit0));
            found.fours.add_block(block, nonzero_lanes(bit2));
            found.double_fours.add_block(block, nonzero_lanes((bit1 & bit2) | two_lines_of_four));
            found.open_threes.add_block(block, nonzero_lanes(threes));
            if (black_has_fouls && color == index(Color::kBlack)) {
                const Lanes two_fours_or_overline = bit1 & ~bit2, two_lines_of_three = threes & (threes - 1);
                const Lanes suspects = two_fours_or_overline | two_lines_of_four | two_lines_of_three;
                foul_suspects_.add_block(block, nonzero_lanes(suspects));
            }
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
        std::uint32_t lines;
        std::memcpy(&lines, &cell_threats_[cell], sizeof lines);
        return (lines >> 4 * index(color) & kThreatFive * 0x01010101u) != 0;
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
