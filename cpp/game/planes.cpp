#include "game/planes.h"

#include <algorithm>
#include <array>

#include "game/board.h"

namespace tengen {

void encode_planes(const Board& board, const PlaneSpec& spec, float* out, int symmetry) {
    const int cells = board.cells();
    const Geometry& geometry = board.geometry();
    const Color first_side = spec.by_color ? Color::kBlack : board.turn();
    std::fill(out, out + spec.planes() * cells, 0.0F);

    // Newest stone first. A stone is in the position k steps ago if at least k stones came later: stones of both
    // colours, or of its own, as the step says.
    std::array<int, 2> later{};
    for (int ply = board.ply() - 1; ply >= 0; --ply) {
        const Color color = board.color_at(ply);
        const int side = color == first_side ? 0 : 1;
        const Cell cell = geometry.transform(board.move_at(ply), symmetry);
        const int age = spec.step == PlaneSpec::Step::kPly ? later[0] + later[1] : later[side];
        const int shown = std::min(spec.positions, age + 1);
        for (int k = 0; k < shown; ++k) out[(2 * k + side) * cells + cell] = 1.0F;
        ++later[side];
    }

    float* plane = out + 2 * spec.positions * cells;
    if (spec.last_move) {
        if (board.ply() > 0) plane[geometry.transform(board.last_move(), symmetry)] = 1.0F;
        plane += cells;
    }
    if (spec.side && board.turn() == Color::kBlack) std::fill(plane, plane + cells, 1.0F);
}

}  // namespace tengen
