#pragma once

#include <span>
#include <vector>

#include "game/point_set.h"

namespace tengen {

/// How the attacker wins by threats, move by move: what a solver claims, for somebody else to verify.
///
/// A node is a position with the attacker to move: its move, and a node for each reply. A reply at kNoCell stands for
/// all replies that have no node of their own. Equal positions share a node. Children come before their parents, so the
/// last node is the root.
struct ThreatTree {
    struct Reply {
        Cell cell;
        int node;
    };
    struct Node {
        Cell move;
        int first_reply;
        int reply_count;
    };

    std::vector<Node> nodes;
    std::vector<Reply> replies;

    bool empty() const { return nodes.empty(); }
    int root() const { return static_cast<int>(nodes.size()) - 1; }
    std::span<const Reply> replies_of(int node) const {
        return {replies.data() + nodes[node].first_reply, static_cast<std::size_t>(nodes[node].reply_count)};
    }

    int add(Cell move, std::span<const Reply> to) {
        nodes.push_back({move, static_cast<int>(replies.size()), static_cast<int>(to.size())});
        replies.insert(replies.end(), to.begin(), to.end());
        return root();
    }
    /// A line of forced moves, attack and reply in turn. Returns the node of its first move.
    int add_line(std::span<const Cell> line) {
        int node = -1;
        for (int ply = (static_cast<int>(line.size()) - 1) / 2 * 2; ply >= 0; ply -= 2) {
            const Reply next{node < 0 ? kNoCell : line[ply + 1], node};
            node = add(line[ply], {&next, node < 0 ? std::size_t{0} : 1});
        }
        return node;
    }
};

}  // namespace tengen
