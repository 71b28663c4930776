"""Two players meet on the board, and the game is kept as SGF."""

import sys

from tengen import Board, Color, players, records

board = Board(rule="renju")
black = players.create("tengen:playouts=100", seed=1)
white = players.create("alphabeta:depth=4", seed=2)
while not board.is_over:
    player = black if board.turn == Color.BLACK else white
    board.push(player.choose(board))

print(board)
print(board.outcome())
if len(sys.argv) > 1:
    records.save(records.Game.of_moves(board.moves, rule=board.rule), sys.argv[1])
