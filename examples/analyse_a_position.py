"""What Tengen thinks of a position: the value, and the best moves with the play that it expects."""

import tengen

board = tengen.Board.from_moves("h8 i9 h10 h9 g9")
analysis = tengen.analyse(board, playouts=2000)
print(f"{board.turn} to move, win rate {analysis.win_rate:.0%} after {analysis.playouts:,} playouts")
for candidate in analysis.candidates:
    line = " ".join(board.text(move) for move in candidate.line[:6])
    print(f"{(1 + candidate.value) / 2:6.1%}  {candidate.visits:6,} visits  {line}")
