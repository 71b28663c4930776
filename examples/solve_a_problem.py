"""A forced win: black makes threats until white cannot answer them all."""

from tengen import Board, threats

board = Board.from_moves("h8 h9 i8 g8 j8 k8 i7 i9 j7 h7 j6 k5")
solution = threats.solve(board)
print(board)
print(f"{solution.status} by {solution.kind} after {solution.nodes:,} positions:")
print(" ".join(board.text(move) for move in solution.line))
