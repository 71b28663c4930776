#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "game/board.h"

namespace tengen {

/// What an empty point is worth for one colour: its shape on each of the four lines (indices 1 to 7 of Shape), and the
/// combinations on different lines that decide games, each counted once.
enum ExpertFeature : std::uint8_t {
    kPairTwos = 8,  ///< two or more open twos
    kTwoAndThree,   ///< an open three and another shape from an open two up to a sleeping three
    kPairThrees,    ///< two or more open threes
    kFourAndThree,  ///< a four and an open three
    kPairFours,     ///< fours on two lines
    kTempo,         ///< the right to move; not a property of a point
    kExpertFeatures
};

/// The weights of one feature. `mover` and `waiting` score a position, `attack` and `defence` a move.
struct ExpertWeights {
    int mover;    ///< for each point where the side to move has it
    int waiting;  ///< for each point where the other side has it
    int attack;   ///< a move there makes it
    int defence;  ///< a move there takes it from the enemy
};

/// The expert evaluation of the alpha-beta search: everything is a sum over the empty points of what either side would
/// make there. The whole knowledge is the one table `kWeights`.
///
/// It follows a board lazily: before an answer it compares stones with those it last saw and refreshes the lines
/// through the changed points only, about 0.1 us for each. Any board may be given at any time. Key method: `score`.
class Expert {
public:
    /// Indexed by Shape for the first eight rows, then by ExpertFeature. Fitted to games; see expert.cpp.
    static const std::array<ExpertWeights, kExpertFeatures> kWeights;
    /// Weights are in units of 1/256 of the log-odds of winning, so the expected result is tanh(score / 512).
    static constexpr float kValueScale = 512;
    /// Move scores are log-probabilities in units of 1/64.
    static constexpr float kMoveScale = 64;

    explicit Expert(const Board& board) { reset(board); }

    /// The position from the view of the side to move. Knows no threats beyond the weights: who can make five at once
    /// is the search's business.
    int score(const Board& board) {
        follow(board);
        const int mover = index(board.turn());
        return sums_[mover].mover - sums_[1 - mover].waiting + kWeights[kTempo].mover;
    }

    /// How good a move at an empty cell looks for the side to move; call after `follow`.
    int move_score(Cell cell, Color mover) const {
        const std::uint32_t code = codes_[cell];
        const PointValue& black = (*values_[0])[code & kCodeMask];
        const PointValue& white = (*values_[1])[code >> kWhiteShift];
        return mover == Color::kBlack ? black.attack + white.defence : white.attack + black.defence;
    }

    /// Brings the sums up to date with `board`.
    void follow(const Board& board);

    /// The expected result for the side to move, from -1 to 1.
    float value(const Board& board) { return squash(score(board)); }
    static float squash(int score);

    /// The points by threat. For boards without windows, whose own sets are empty, they come from the shapes.
    Threats threats(const Board& board, Color color);

private:
    static constexpr int kShapeBits = 3;
    static constexpr int kCodes = 1 << kShapeBits * kDirections;
    static constexpr std::uint32_t kCodeMask = kCodes - 1;
    static constexpr int kWhiteShift = 16;

    /// The sum of the weights of all features that a point has.
    struct PointValue {
        std::int32_t mover = 0, waiting = 0, attack = 0, defence = 0;
    };
    using PointValues = std::array<PointValue, kCodes>;

    static PointValues make_values(bool has_fouls);
    static const PointValues& values(bool has_fouls);

    void reset(const Board& board);
    void refresh_lines(const Board& board, Cell cell);
    std::uint32_t shapes_at(const Board& board, Cell cell, int direction) const;
    void set_shapes(Cell cell, int direction, std::uint32_t shapes);

    const Geometry* geometry_ = nullptr;
    Rules rules_;
    /// By window: black's shape in the low three bits, white's in the next; zero where the centre is occupied.
    const std::vector<std::uint8_t>* window_shapes_ = nullptr;
    std::array<const PointValues*, 2> values_{};
    std::array<PointSet, 2> stones_;
    std::array<PointValue, 2> sums_;
    /// For each point black's four shapes, three bits each, and from kWhiteShift on white's.
    std::array<std::uint32_t, kMaxCells> codes_;
};

}  // namespace tengen
