// A level at its move; as tengen.thinking.levels, whose numbers come with the facts.
import { Thinking } from "./thinking.js";

const SEEDS = 2 ** 52;

export class Turn {
  /** `level` is one of the facts, `params` are those of every search. */
  constructor(position, level, params) {
    this.temperature = level.temperature;
    const threats = Math.random() >= level.blindness;
    const seed = Math.floor(Math.random() * SEEDS);
    this.thinking = new Thinking(position, { ...params, ...level.params, threats, seed }, level, {
      best: level.candidates,
    });
  }

  /** The cell to play when the thinking has ended. */
  move() {
    const { moves } = this.thinking.report;
    const [best] = moves;
    if (!this.temperature || best.proof === "win") return best.move;
    const open = moves.filter((entry) => entry.proof !== "loss" && entry.visits);
    return drawn(open, (entry) => entry.visits ** (1 / this.temperature))?.move ?? best.move;
  }
}

/** One of some entries, by chance and by their weights; nothing if there are none. */
function drawn(entries, weight) {
  let rest = Math.random() * entries.reduce((sum, entry) => sum + weight(entry), 0);
  for (const entry of entries) {
    rest -= weight(entry);
    if (rest < 0) return entry;
  }
  return entries.at(-1);
}
