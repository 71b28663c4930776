#include "proof/referee.h"

#include <algorithm>
#include <cstring>

namespace tengen {
namespace {

constexpr std::array<std::array<int, 2>, 4> kLines = {{{1, 0}, {0, 1}, {1, 1}, {1, -1}}};
constexpr int kNoNode = -1;

/// The node that follows exactly this reply (kNoCell: the one for all replies without their own), or kNoNode.
int node_after(const ThreatTree& tree, int node, Cell reply) {
    const auto replies = tree.replies_of(node);
    const auto found = std::ranges::find(replies, reply, &ThreatTree::Reply::cell);
    return found == replies.end() ? kNoNode : found->node;
}

int answer_to(const ThreatTree& tree, int node, Cell reply) {
    const int own = node_after(tree, node, reply);
    return own != kNoNode ? own : node_after(tree, node, kNoCell);
}

}  // namespace

Referee::Referee(int width, int height, Rules rules)
    : width_(width), height_(height), rules_(rules), windows_of_(width * height), stones_(width * height, kEmpty) {
    for (const auto& [dx, dy] : kLines) {
        for (int cell = 0; cell < width * height; ++cell) {
            const int last_x = cell % width + (kLength - 1) * dx, last_y = cell / width + (kLength - 1) * dy;
            if (last_x >= width || last_y < 0 || last_y >= height) continue;
            Window window;
            for (int k = 0; k < kLength; ++k) {
                window.cells[k] = static_cast<Cell>(cell + k * (dy * width + dx));
                windows_of_[window.cells[k]].push_back(static_cast<int>(windows_.size()));
            }
            windows_.push_back(window);
        }
    }
    contents_.resize(windows_.size(), 0);
    for (int cell = 0; cell < width * height; ++cell) all_.add(static_cast<Cell>(cell));
}

void Referee::put(Cell cell, Color color) {
    stones_[cell] = static_cast<std::uint8_t>(color);
    for (int window : windows_of_[cell]) contents_[window] += unit(color);
}

void Referee::lift(Cell cell) {
    const std::uint8_t one = unit(static_cast<Color>(stones_[cell]));
    for (int window : windows_of_[cell]) contents_[window] -= one;
    stones_[cell] = kEmpty;
}

void Referee::set_up(const Board& board) {
    std::ranges::fill(stones_, kEmpty);
    std::ranges::fill(contents_, 0);
    for (Color color : {Color::kBlack, Color::kWhite}) {
        board.stones(color).for_each([&](Cell cell) { put(cell, color); });
    }
}

/// The stones of `color` next to `cell` in one direction.
int Referee::row(Cell cell, Color color, int dx, int dy) const {
    int length = 0;
    int x = cell % width_ + dx, y = cell / width_ + dy;
    for (; x >= 0 && y >= 0 && x < width_ && y < height_; x += dx, y += dy, ++length) {
        if (stones_[y * width_ + x] != static_cast<std::uint8_t>(color)) break;
    }
    return length;
}

bool Referee::makes_five(Cell cell, Color color) const {
    return std::ranges::any_of(kLines, [&](const auto& line) {
        const int length = row(cell, color, -line[0], -line[1]) + 1 + row(cell, color, line[0], line[1]);
        return rules_.rule == Rule::kFreestyle ? length >= kLength : length == kLength;
    });
}

/// Adds the empty points of the windows that hold this many stones of `color` and none of the other.
void Referee::add_gaps(Color color, int stones, PointSet& points) const {
    const auto wanted = static_cast<std::uint8_t>(stones * unit(color));
    const std::uint8_t* const end = contents_.data() + contents_.size();
    const std::uint8_t* at = contents_.data();
    while ((at = static_cast<const std::uint8_t*>(std::memchr(at, wanted, end - at)))) {
        for (Cell cell : windows_[at - contents_.data()].cells) {
            if (is_empty(cell)) points.add(cell);
        }
        if (++at == end) break;
    }
}

PointSet Referee::fives(Color color) const {
    PointSet points, fives;
    add_gaps(color, kLength - 1, points);
    if (rules_.rule == Rule::kFreestyle) return points;
    points.for_each([&](Cell cell) {
        if (makes_five(cell, color)) fives.add(cell);
    });
    return fives;
}

bool Referee::answers(const ThreatTree& tree, Cell reply, Color attacker) {
    ++replies_;
    if (!is_empty(reply) || makes_five(reply, opponent(attacker))) return false;
    put(reply, opponent(attacker));
    const bool won = wins(tree, attacker);
    lift(reply);
    return won;
}

bool Referee::wins(const ThreatTree& tree, Color attacker) {
    last_position_ = positions_ + kMaxPositions;
    return wins(tree, tree.root(), attacker);
}

bool Referee::wins(const ThreatTree& tree, int node, Color attacker) {
    const Cell move = tree.nodes[node].move;
    if (++positions_ > last_position_ || !is_empty(move)) return false;
    if (makes_five(move, attacker)) return true;
    put(move, attacker);
    const bool won = holds(tree, node, attacker);
    lift(move);
    return won;
}

/// The attacker has made the node's move, and no five.
bool Referee::holds(const ThreatTree& tree, int node, Color attacker) {
    if (fives(opponent(attacker)).any()) return false;
    const PointSet threatened = fives(attacker);
    if (threatened.empty()) return holds_against_all(tree, node, attacker);
    return threatened.count() > 1 || holds_against(tree, node, threatened.first(), attacker);
}

bool Referee::holds_against(const ThreatTree& tree, int node, Cell reply, Color attacker) {
    ++replies_;
    const int answer = answer_to(tree, node, reply);
    if (answer == kNoNode) return false;
    put(reply, opponent(attacker));
    const bool won = wins(tree, answer, attacker);
    lift(reply);
    return won;
}

/// Every empty point is a reply. Those without a node of their own that cannot matter to the answer for all others need
/// not be tried: it has been, without any stone.
bool Referee::holds_against_all(const ThreatTree& tree, int node, Color attacker) {
    const int others = node_after(tree, node, kNoCell);
    PointSet matters = all_;
    if (others != kNoNode && wins(tree, others, attacker)) {
        matters = {};
        gather(tree, others, attacker, matters);
        for (const ThreatTree::Reply& reply : tree.replies_of(node)) {
            if (reply.cell != kNoCell) matters.add(reply.cell);
        }
    }
    bool won = true;
    for (std::size_t i = 0; i < stones_.size() && won; ++i) {
        const auto reply = static_cast<Cell>(i);
        if (!is_empty(reply)) continue;
        if (matters.contains(reply)) {
            won = holds_against(tree, node, reply, attacker);
        } else {
            ++replies_;
        }
    }
    return won;
}

/// Adds the points where one more stone of the defender could spoil a line of fours that wins without it.
///
/// The line is played again as it is: its moves and the points of its fives are in the set, and a stone elsewhere is in
/// no row of the attacker. So the replies stay forced unless the defender gets a point that makes five; then a window
/// holds four of its stones with the new one among them, so it held three before: the gaps of all such windows, at each
/// step of the line, are in the set. In a tree with threes everything matters.
void Referee::gather(const ThreatTree& tree, int node, Color attacker, PointSet& points) {
    const Cell move = tree.nodes[node].move;
    points.add(move);
    add_gaps(opponent(attacker), kLength - 2, points);
    if (makes_five(move, attacker)) return;
    put(move, attacker);
    const PointSet threatened = fives(attacker);
    points |= threatened.empty() ? all_ : threatened;
    if (threatened.count() == 1) {
        const Cell reply = threatened.first();
        put(reply, opponent(attacker));
        gather(tree, answer_to(tree, node, reply), attacker, points);
        lift(reply);
    }
    lift(move);
}

}  // namespace tengen
