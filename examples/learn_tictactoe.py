"""From random weights to a player of tic-tac-toe: a whole training run, and then a match. Needs PyTorch."""

import sys
import tempfile
from pathlib import Path

from tengen.arena import GameSetup, Match
from tengen.train.loop import Trainer
from tengen.train.params import load_preset
from tengen.train.run_folder import OpenRun

minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
with tempfile.TemporaryDirectory() as place:
    with OpenRun(Path(place) / "tictactoe") as folder:
        trainer = Trainer(folder, load_preset("tictactoe"), lambda line: None, minutes)
        trainer.run()
    print(f"learned from {trainer.counters.games:,} games")
    network = folder.path / "networks" / "newest.safetensors"
    players = [f"net:model={network},playouts=50", "random"]
    match = Match(players, games=20, seed=1, setup=GameSetup(game="tictactoe"))
    print(f"scores {match.run().pair().score:.0%} against random moves")
