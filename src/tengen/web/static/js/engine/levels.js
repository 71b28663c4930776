// A level at its move, as tengen.thinking.levels: how it plays, and how it draws, is the core's.
import { Thinking } from "./thinking.js";

/** Lives in the core's memory: whoever makes one frees it. */
export class Turn {
  /** Chance is fixed by a `seed`, and time may be another than the level's. */
  constructor(position, { level, seed, seconds, memory }) {
    this.turn = new position.core.LevelTurn(level, seed, position.board.ply());
    const search = this.turn.newSearch(position.board, memory);
    const budget = { playouts: this.turn.playouts, seconds: seconds ?? this.turn.seconds };
    this.thinking = new Thinking(position, search, budget, { best: this.turn.candidates });
  }

  /** The cell to play when the thinking has ended; to be asked once. */
  move() {
    return this.turn.choose(this.thinking.search);
  }

  free() {
    this.thinking.free();
    this.turn.delete();
  }
}
