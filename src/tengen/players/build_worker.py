"""A player of another build of Tengen, asked line by line: what `build` runs with that build's Python.

It knows nothing of Tengen but what every version has: `Board`, `players.create` and the methods of a player. A question
and its answer are an object of JSON each; the line "stop" hurries the player, "leave" ends the program.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time
from typing import IO, Any

from tengen import Board, players
from tengen.errors import SetupError, TengenError
from tengen.players import Player


def answer(player: Player, question: dict[str, Any]) -> dict[str, Any]:
    """Does what a question asks for: a new game, to get ready for a board, or a move."""
    if "seed" in question:
        player.new_game(question["seed"])
        return {}
    board = Board.from_moves(**question["board"])
    if question["task"] == "prepare":
        player.prepare(board)
        return {}
    before = time.process_time()
    move = player.choose(board)
    seconds = time.process_time() - before
    thoughts = player.thoughts
    return {
        "move": board.text(move),
        "value": thoughts.value if thoughts else None,
        "playouts": thoughts.playouts if thoughts else 0,
        "cpu_seconds": seconds,
    }


def serve(player: Player, source: IO[str], target: IO[str]) -> None:
    """Answers until it is told to leave. One thread reads, so that a stop is heard while the player thinks."""
    questions: queue.SimpleQueue[str] = queue.SimpleQueue()

    def read() -> None:
        for line in source:
            if line == "stop\n":
                player.stop()
            else:
                questions.put(line)
        questions.put("leave\n")

    threading.Thread(target=read, daemon=True).start()
    while (line := questions.get()) != "leave\n":
        try:
            reply = answer(player, json.loads(line))
        except TengenError as error:
            reply = {"error": str(error), "setup": isinstance(error, SetupError)}
        print(json.dumps(reply), file=target, flush=True)
    player.close()


def main(spec: str) -> None:
    """Serves the standard streams; whatever else is printed must not look like an answer."""
    target = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    try:
        player = players.create(spec)
    except TengenError as error:
        print(json.dumps({"error": str(error), "setup": True}), file=target, flush=True)
        return
    serve(player, sys.stdin, target)


if __name__ == "__main__":
    main(sys.argv[1])
