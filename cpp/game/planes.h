#pragma once

#include <cstdint>

namespace tengen {

class Board;

/// Which input planes a convolutional network of Gomoku sees; `planes.py` names the combinations of the source
/// documents.
///
/// The planes in order: for each of `positions` positions, newest first, the stones of one side and those of the other;
/// then the optional planes. A plane is one float for each point, row by row, 1 where it says yes and 0 elsewhere.
struct PlaneSpec {
    /// What one step back in time means.
    enum class Step : std::uint8_t {
        kPly,      ///< both sides' planes show the position one ply earlier, as in AlphaGo Zero
        kOwnMove,  ///< each side's plane lacks one more of that side's own latest stones
    };

    int positions = 1;  ///< how many positions, the present one included
    Step step = Step::kPly;
    bool by_color = false;   ///< black's stones first instead of the mover's
    bool last_move = false;  ///< a plane with the latest stone alone
    bool side = false;       ///< a plane that is 1 everywhere when black, the first player, is to move

    int planes() const { return 2 * positions + (last_move ? 1 : 0) + (side ? 1 : 0); }
};

/// Writes the planes of a position, spec.planes() * board.cells() floats, as seen after a symmetry of the board (see
/// Geometry::transform; rows have the length of the transformed board's). No Python, no heap: search threads fill
/// their share of a batch with it. The network's policy for `cell` is then at geometry().transform(cell, symmetry).
void encode_planes(const Board& board, const PlaneSpec& spec, float* out, int symmetry = 0);

}  // namespace tengen
