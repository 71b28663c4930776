#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "mcts/explorer.h"
#include "mcts/params.h"

namespace tengen {

/// One move of the root as the search sees it.
struct MoveReport {
    Cell move = kNoCell;
    std::int64_t visits = 0;
    float value = 0;  ///< mean result for the mover; the proof's value if there is one
    float prior = 0;
    Proof proof = Proof::kNone;
    std::vector<Cell> line;  ///< the move and the expected continuation

    /// Better moves first: proven wins, then visits, refuted moves last.
    static bool is_better(const MoveReport& a, const MoveReport& b);
};

/// What a search knows at one moment.
struct SearchReport {
    Proof proof = Proof::kNone;
    float value = 0;            ///< for the side to move
    std::int64_t playouts = 0;  ///< of the running or last search
    std::int64_t visits = 0;    ///< of the root, earlier searches included
    double seconds = 0;
    std::int64_t memory = 0;  ///< bytes of tree in use
    int depth = 0;            ///< of the deepest playout
    SearchEnd ended = SearchEnd::kRunning;
    /// Best first. Never empty once the position is expanded and its game is not over.
    std::vector<MoveReport> moves;
};

/// A search as those see it who use it. One thread at a time calls begin(), step(), set_root() and advance(); any
/// thread may call stop(), report() and best_move() meanwhile.
class TreeSearch {
public:
    virtual ~TreeSearch() = default;

    /// Begins a search, computes nothing. A stop() from now on is heeded.
    virtual void begin(SearchLimits limits) = 0;
    /// Works on the search for about so long, 0 for until its end; at least for one playout or question to a solver.
    /// True if it has ended: a limit is reached, the root is solved, or stop() was called. The root is expanded then.
    virtual bool step(double seconds = 0) = 0;
    /// A search in one step.
    void search(SearchLimits limits) {
        begin(limits);
        step();
    }
    /// Ends the search that was begun, soon.
    virtual void stop() = 0;

    /// Forgets what it knows and takes another position, of which `explorer` is a fresh explorer.
    virtual void set_root(std::unique_ptr<Explorer> explorer) = 0;
    /// Plays `move` at the root and keeps what is known about the position after it. False if nothing was.
    virtual bool advance(Cell move) = 0;

    virtual SearchReport report(int best_moves, int max_line = 20) const = 0;
    /// The first move that a report would list: the most visited or the safest one that is not refuted, or the proven
    /// winning one; kNoCell if the game is over.
    virtual Cell best_move() const = 0;
};

}  // namespace tengen
