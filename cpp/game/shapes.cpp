#include "game/shapes.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace tengen {
namespace {

constexpr std::int8_t kEmpty = 0, kOwn = 1, kEnemy = 2;

/// One stone fewer: what a line is that can become `best`.
constexpr Shape one_step_below(Shape best) {
    switch (best) {
        case Shape::kOpenFour: return Shape::kOpenThree;
        case Shape::kFour: return Shape::kSleepingThree;
        case Shape::kOpenThree: return Shape::kOpenTwo;
        case Shape::kSleepingThree: return Shape::kSleepingTwo;
        default: return Shape::kNone;
    }
}

struct Row {
    int length;
    bool ends_held;
};

Row row_through(LineCells line, int centre) {
    int first = centre, last = centre;
    const int size = static_cast<int>(line.size());
    while (first > 0 && line[first - 1] == kOwn) --first;
    while (last + 1 < size && line[last + 1] == kOwn) ++last;
    const bool ends_held = first > 0 && line[first - 1] == kEnemy && last + 1 < size && line[last + 1] == kEnemy;
    return {last - first + 1, ends_held};
}

/// The definition of the shapes, for a line whose centre holds an own stone. `with_stone(point)` gives the shape that
/// the centre has after one more own stone at `point`; memory or recursion behind it is the caller's choice.
template <class WithStone>
LineShape classify_by(LineCells line, int centre, Rules rules, Color color, WithStone&& with_stone) {
    const Row row = row_through(line, centre);
    if (rules.row_wins(color, row.length, row.ends_held)) return {Shape::kFive};
    if (row.length > rules.n) return {.overline = true};

    Shape best = Shape::kNone;
    int completions = 0, first_completion = 0, last_completion = 0;
    const int reach = rules.n - 1;  // beyond it a stone cannot share a row of n with the centre
    for (int point = std::max(0, centre - reach); point <= std::min<int>(line.size() - 1, centre + reach); ++point) {
        if (line[point] != kEmpty) continue;
        const Shape shape = with_stone(point);
        best = std::max(best, shape);
        if (shape != Shape::kFive) continue;
        if (completions++ == 0) first_completion = point;
        last_completion = point;
    }
    if (completions == 0) return {one_step_below(best)};
    if (completions == 1) return {Shape::kFour};
    // Renju's black has an open four only as a straight one; two completions any other way are two fours, a foul.
    const bool must_be_straight = rules.has_forbidden_points() && color == Color::kBlack;
    if (must_be_straight && last_completion - first_completion != rules.n) return {Shape::kFour, false, true};
    return {Shape::kOpenFour};
}

/// `stones_to_add` bounds the recursion: a two is three stones short of a row.
LineShape classify_within(LineCells line, int centre, Rules rules, Color color, int stones_to_add) {
    return classify_by(line, centre, rules, color, [&](int point) {
        if (stones_to_add == 0) return Shape::kNone;
        line[point] = kOwn;
        const Shape shape = classify_within(line, centre, rules, color, stones_to_add - 1).shape;
        line[point] = kEmpty;
        return shape;
    });
}

std::uint8_t pack(LineShape shape) {
    return static_cast<std::uint8_t>(static_cast<int>(shape.shape) | shape.overline << 3 | shape.two_fours << 4);
}

Threat threat_of(LineShape shape, bool has_fouls) {
    if (has_fouls && shape.overline) return kThreatOverline;
    if (shape.two_fours) return kThreatTwoFours;
    switch (shape.shape) {
        case Shape::kFive: return kThreatFive;
        case Shape::kOpenFour: return kThreatOpenFour;
        case Shape::kFour: return kThreatFour;
        case Shape::kOpenThree: return kThreatOpenThree;
        default: return kThreatNone;
    }
}

}  // namespace

LineShape classify(LineCells line, int centre, Rules rules, Color color) {
    return classify_within(line, centre, rules, color, 3);
}

const ShapeTable* ShapeTable::get(Rules rules, int radius) {
    if (!covers(rules, radius)) return nullptr;
    static std::mutex mutex;
    static std::map<std::tuple<Rule, int, int>, std::unique_ptr<const ShapeTable>> instances;
    std::lock_guard lock(mutex);
    auto& instance = instances[{rules.rule, rules.n, radius}];
    if (!instance) instance.reset(new ShapeTable(rules, radius));
    return instance.get();
}

ShapeTable::ShapeTable(Rules rules, int radius) : rules_(rules), code_(radius) {
    for (auto& shapes : shapes_) shapes.assign(code_.count(), kUnknown);
    threats_.assign(code_.count(), 0);
    for (std::uint32_t window = 0; window < code_.count(); ++window) {
        const std::uint32_t centre = window / code_.halves() % 3;
        for (Color color : {Color::kBlack, Color::kWhite}) {
            const std::uint32_t own = color == Color::kBlack ? kOwn : kEnemy;
            std::uint8_t& packed = shapes_[index(color)][window];
            if (centre != kEmpty && centre != own) {
                packed = 0;
                continue;
            }
            packed = packed_shape(centre == own ? window : window + own * code_.step(0), color);
            if (centre != kEmpty) continue;
            const bool has_fouls = rules.has_forbidden_points() && color == Color::kBlack;
            threats_[window] |= threat_of(shape(window, color), has_fouls) << 4 * index(color);
        }
    }
}

/// Every added stone leads to a window with a higher index, whose shape is computed once and remembered.
std::uint8_t ShapeTable::packed_shape(std::uint32_t window, Color color) {
    std::uint8_t& packed = shapes_[index(color)][window];
    if (packed != kUnknown) return packed;
    const std::uint32_t own = color == Color::kBlack ? kOwn : kEnemy;
    WindowCode::Cells cells = code_.decode(window);
    if (color == Color::kWhite) {
        for (auto& cell : cells) cell = cell == kOwn ? kEnemy : cell == kEnemy ? kOwn : cell;
    }
    const int centre = code_.radius();
    const LineCells line(cells.data(), 2 * centre + 1);
    return packed = pack(classify_by(line, centre, rules_, color, [&](int point) {
               return static_cast<Shape>(packed_shape(window + own * code_.step(point - centre), color) & 7);
           }));
}

}  // namespace tengen
