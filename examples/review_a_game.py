"""The mistakes of a game, with what would have been better."""

import sys

from tengen import records
from tengen.review import reviewer_for
from tengen.review.reviewer import final_position

EXAMPLE = "h8 i9 h10 h9 g9 i11 i8 j8 f10 e11 f8 g8 f9 f11 f7"

game = records.load(sys.argv[1]) if len(sys.argv) > 1 else records.parse(EXAMPLE.encode(), "pos")
board = final_position(game)
for review in reviewer_for(board, playouts=300).review(game):
    if review.mistake:
        played, better = board.text(review.move), board.text(review.best)
        print(f"{review.number:3}. {played:4} {review.mistake}: loses {review.loss:.0%}; better {better}")
