#include "eval/expert.h"

#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

namespace tengen {

// Mover and waiting: logistic regression of the results on 55,000 undecided positions of 4,000 freestyle games that
// searches of depth 3 and 4 played from random openings. Attack and defence: multinomial regression of the moves they
// chose. Set by hand, because such games show them rarely or never: attack and defence of open four, five and 4 + 4,
// attack of 4 + 3, mover of 4 + 3, waiting of 4 + 4, and small combinations whose fit was noise.
const std::array<ExpertWeights, kExpertFeatures> Expert::kWeights = {{
    //            mover waiting attack defence
    /* none        */ {0, 0, 0, 0},
    /* sleeping 2  */ {4, 2, 13, 0},
    /* open two    */ {2, 0, 114, 25},
    /* sleeping 3  */ {19, 20, 132, 53},
    /* open three  */ {47, 36, 279, 139},
    /* four        */ {80, 84, 303, 218},
    /* open four   */ {0, 230, 1500, 1000},
    /* five        */ {0, 0, 4000, 2000},
    /* 2 + 2       */ {23, 23, 0, 0},
    /* 3 + 2       */ {43, 47, 0, 21},
    /* 3 + 3       */ {20, 20, 0, 23},
    /* 4 + 3       */ {500, 195, 400, 124},
    /* 4 + 4       */ {0, 195, 600, 300},
    /* tempo       */ {127, 0, 0, 0},
}};

namespace {

using WindowShapes = std::vector<std::uint8_t>;

/// The shapes at the centre of every window, black's and white's in one byte; null when the rules need wider windows.
const WindowShapes* window_shapes(Rules rules, int radius) {
    const ShapeTable* table = ShapeTable::get(rules, radius);
    if (!table) return nullptr;
    static std::mutex mutex;
    static std::map<std::tuple<Rule, int, int>, std::unique_ptr<const WindowShapes>> instances;
    std::lock_guard lock(mutex);
    auto& instance = instances[{rules.rule, rules.n, radius}];
    if (instance) return instance.get();
    const WindowCode code(radius);
    auto shapes = std::make_unique<WindowShapes>(code.count());
    for (std::uint32_t window = 0; window < code.count(); ++window) {
        if (window / code.halves() % 3 != 0) continue;
        const int black = static_cast<int>(table->shape(window, Color::kBlack).shape);
        const int white = static_cast<int>(table->shape(window, Color::kWhite).shape);
        (*shapes)[window] = static_cast<std::uint8_t>(black | white << 3);
    }
    instance = std::move(shapes);
    return instance.get();
}

using ShapeCounts = std::array<int, 8>;

int count(const ShapeCounts& counts, Shape shape) {
    return counts[static_cast<int>(shape)];
}

/// The combinations among the shapes of one point.
std::vector<ExpertFeature> combinations(const ShapeCounts& counts) {
    const int twos = count(counts, Shape::kOpenTwo), sleeping = count(counts, Shape::kSleepingThree);
    const int threes = count(counts, Shape::kOpenThree), fours = count(counts, Shape::kFour);
    if (count(counts, Shape::kFive) || count(counts, Shape::kOpenFour)) return {};
    std::vector<ExpertFeature> found;
    if (fours >= 2) return {kPairFours};
    if (fours && threes) return {kFourAndThree};
    if (threes >= 2) return {kPairThrees};
    if (threes + fours && twos + sleeping) found.push_back(kTwoAndThree);
    if (twos >= 2) found.push_back(kPairTwos);
    return found;
}

/// Enough own stones near a point for any shape at all? A two is three stones short of a row.
bool worth_classifying(const Board& board, Cell cell, int direction, Color color) {
    const Geometry& geometry = board.geometry();
    const int n = board.rules().n;
    int own = 1;
    for (int k = 1 - n; k < n; ++k) {
        const int x = geometry.x(cell) + k * kDirectionX[direction], y = geometry.y(cell) + k * kDirectionY[direction];
        own += geometry.on_board(x, y) && board.has_stone(geometry.cell(x, y), color);
    }
    return own + 3 >= n;
}

}  // namespace

/// Black's points in renju that look like fouls are worth nothing to either side.
Expert::PointValues Expert::make_values(bool has_fouls) {
    PointValues values;
    for (int code = 0; code < kCodes; ++code) {
        ShapeCounts counts{};
        for (int direction = 0; direction < kDirections; ++direction) ++counts[code >> kShapeBits * direction & 7];
        const int fours = count(counts, Shape::kFour) + count(counts, Shape::kOpenFour);
        const bool foul = fours >= 2 || count(counts, Shape::kOpenThree) >= 2;
        if (has_fouls && foul && !count(counts, Shape::kFive)) continue;
        PointValue& value = values[code];
        auto add = [&](const ExpertWeights& weights, int times) {
            value.mover += times * weights.mover;
            value.waiting += times * weights.waiting;
            value.attack += times * weights.attack;
            value.defence += times * weights.defence;
        };
        for (int shape = 1; shape < 8; ++shape) add(kWeights[shape], counts[shape]);
        for (ExpertFeature feature : combinations(counts)) add(kWeights[feature], 1);
    }
    return values;
}

const Expert::PointValues& Expert::values(bool has_fouls) {
    static const std::array<PointValues, 2> tables = {make_values(false), make_values(true)};
    return tables[has_fouls];
}

void Expert::reset(const Board& board) {
    geometry_ = &board.geometry();
    rules_ = board.rules();
    window_shapes_ = window_shapes(rules_, geometry_->code.radius());
    values_ = {&values(rules_.has_forbidden_points()), &values(false)};
    for (Color color : {Color::kBlack, Color::kWhite}) stones_[index(color)] = board.stones(color);
    codes_ = {};
    sums_ = {};
    for (Cell cell = 0; cell < board.cells(); ++cell) {
        for (int direction = 0; direction < kDirections; ++direction) {
            set_shapes(cell, direction, shapes_at(board, cell, direction));
        }
    }
}

void Expert::follow(const Board& board) {
    if (geometry_ != &board.geometry() || rules_ != board.rules()) return reset(board);
    PointSet changed;
    for (Color color : {Color::kBlack, Color::kWhite}) {
        PointSet& seen = stones_[index(color)];
        const PointSet& now = board.stones(color);
        changed |= (seen - now) | (now - seen);
        seen = now;
    }
    changed.for_each([&](Cell cell) { refresh_lines(board, cell); });
}

inline void Expert::set_shapes(Cell cell, int direction, std::uint32_t shapes) {
    const int shift = kShapeBits * direction;
    const std::uint32_t old_code = codes_[cell];
    const std::uint32_t lines = ((shapes & 7) | (shapes & 56) << (kWhiteShift - kShapeBits)) << shift;
    const std::uint32_t code = (old_code & ~((7u | 7u << kWhiteShift) << shift)) | lines;
    if (code == old_code) return;
    codes_[cell] = code;
    auto move_sum = [](PointValue& sum, const PointValue& from, const PointValue& to) {
        sum.mover += to.mover - from.mover;
        sum.waiting += to.waiting - from.waiting;
    };
    move_sum(sums_[0], (*values_[0])[old_code & kCodeMask], (*values_[0])[code & kCodeMask]);
    move_sum(sums_[1], (*values_[1])[old_code >> kWhiteShift], (*values_[1])[code >> kWhiteShift]);
}

/// Everything that a change at `cell` can have changed.
void Expert::refresh_lines(const Board& board, Cell cell) {
    for (int direction = 0; direction < kDirections; ++direction) {
        const int stride = geometry_->stride(direction);
        if (window_shapes_) {
            const auto [slot, first, last] = geometry_->runs(cell)[direction];
            const std::uint32_t* windows = board.windows(Color::kBlack) + slot;
            for (int k = first; k <= last; ++k) {
                set_shapes(cell + k * stride, direction, (*window_shapes_)[windows[k]]);
            }
            continue;
        }
        for (int k = -rules_.reach(); k <= rules_.reach(); ++k) {
            const int x = geometry_->x(cell) + k * kDirectionX[direction];
            const int y = geometry_->y(cell) + k * kDirectionY[direction];
            if (!geometry_->on_board(x, y)) continue;
            set_shapes(cell + k * stride, direction, shapes_at(board, cell + k * stride, direction));
        }
    }
}

/// Black's shape in the low three bits, white's in the next; slow where there are no windows.
std::uint32_t Expert::shapes_at(const Board& board, Cell cell, int direction) const {
    if (window_shapes_) return (*window_shapes_)[board.windows(Color::kBlack)[geometry_->runs(cell)[direction].slot]];
    if (!board.is_empty(cell)) return 0;
    std::uint32_t shapes = 0;
    for (Color color : {Color::kBlack, Color::kWhite}) {
        if (!worth_classifying(board, cell, direction, color)) continue;
        const Shape shape = board.shape(cell, direction, color).shape;
        shapes |= static_cast<std::uint32_t>(shape) << kShapeBits * index(color);
    }
    return shapes;
}

float Expert::squash(int score) {
    return std::tanh(static_cast<float>(score) / kValueScale);
}

Threats Expert::threats(const Board& board, Color color) {
    if (board.has_windows()) return board.threats(color);
    follow(board);
    Threats found;
    const int shift = color == Color::kBlack ? 0 : kWhiteShift;
    for (Cell cell = 0; cell < board.cells(); ++cell) {
        ShapeCounts counts{};
        for (int direction = 0; direction < kDirections; ++direction) {
            ++counts[codes_[cell] >> (shift + kShapeBits * direction) & 7];
        }
        const int open_fours = count(counts, Shape::kOpenFour), fours = count(counts, Shape::kFour) + open_fours;
        if (count(counts, Shape::kFive)) found.fives.add(cell);
        if (fours) found.fours.add(cell);
        if (open_fours || fours >= 2) found.double_fours.add(cell);
        if (count(counts, Shape::kOpenThree)) found.open_threes.add(cell);
    }
    return found;
}

}  // namespace tengen
