// A position in the core, with the checks that the core leaves to its callers; as tengen.board and tengen.web.positions.
import { isOn, other, toText, toXY, turnAt } from "../points.js";

/** What a person can cause: one sentence. */
export class Refusal extends Error {
  constructor(message, code = "illegal") {
    super(message);
    this.code = code;
  }
}

const THREE = 4; // the core's numbers of shapes
export const FOUR = 5;
export const OPEN_FOUR = 6;
export const FIVE = 7;
const COLORS = ["black", "white"];

/** Lives in the core's memory: whoever makes one frees it. */
export class Position {
  /** A game up to the position that is meant. As in records, it may have ended on a forbidden point. */
  constructor(core, { size, rule, moves }) {
    this.core = core;
    this.size = size;
    this.rule = rule;
    this.moves = [];
    this.foul = ""; // of the last move, where a forbidden one loses
    this.board = new core.Board(size, rule);
    try {
      for (const move of moves) this.push(move);
    } catch (error) {
      this.free();
      throw error;
    }
  }

  free() {
    this.board.delete();
  }

  copy() {
    return new Position(this.core, this);
  }

  get turn() {
    return turnAt(this.moves.length);
  }

  cell(point) {
    const [x, y] = toXY(point, this.size);
    return y * this.size + x;
  }

  point(cell) {
    return toText(cell % this.size, Math.floor(cell / this.size), this.size);
  }

  points(cells) {
    return cells.map((cell) => this.point(cell));
  }

  push(point) {
    if (!isOn(point, this.size)) throw new Refusal(`${point} is off the ${this.size}x${this.size} board`);
    if (this.hasEnded()) throw new Refusal(`${point} cannot be played: the game is over`);
    const cell = this.cell(point);
    if (!this.board.isEmpty(cell)) throw new Refusal(`${point} is occupied`);
    this.foul = this.turn === "black" ? this.board.foulAt(cell) : "";
    this.board.play(cell);
    this.moves.push(point);
  }

  /** Whether nothing can be played any more, forbidden points included. */
  hasEnded() {
    return Boolean(this.foul) || this.board.hasWon() || this.board.isFull();
  }

  /** Refuses to think where there is nothing to play. */
  mustGoOn() {
    if (this.outcome()) throw new Refusal("there is nothing to search: the game is over");
  }

  /** How the game ended, or null. */
  outcome() {
    if (this.foul) return { winner: "white", reason: "forbidden", line: [] };
    if (this.board.hasWon()) {
      return { winner: other(this.turn), reason: "five", line: this.points(this.board.winningLine()) };
    }
    return this.board.isFull() || !this.hasLegalPoint() ? { winner: null, reason: "draw", line: [] } : null;
  }

  hasLegalPoint() {
    // Forbidden points need stones around them: with room left on the board there is always another.
    const empty = this.size ** 2 - this.moves.length;
    if (this.rule !== "renju" || this.turn !== "black" || empty > this.moves.length) return true;
    return this.board.forbiddenPoints().length < empty;
  }

  /** The facts of the position, as messages write them; `openings` are those of renju. */
  state(openings) {
    const result = this.outcome();
    const opening = this.rule === "renju" ? this.opening(openings) : null;
    return { turn: this.turn, result, forbidden: result ? [] : this.forbidden(), opening };
  }

  forbidden() {
    if (this.rule !== "renju" || this.turn !== "black") return [];
    return this.board.forbiddenPoints().map((cell) => ({ point: this.point(cell), reason: this.board.foulAt(cell) }));
  }

  /** The opening that the first three stones form, the first of them on the centre. */
  opening({ places, names }) {
    const [first, ...others] = this.moves.slice(0, 3).map((move) => toXY(move, this.size));
    const centre = Math.floor(this.size / 2);
    if (others.length < 2 || first.some((value) => value !== centre)) return null;
    const place = others.map(([x, y]) => `${x - centre},${centre - y}`).join(" ");
    return names[places[place]] ?? null;
  }

  // -- threats by name

  /** The empty points where either side would make a four or an open three, with the name that players use. */
  threats() {
    const forbidden = new Set(this.board.forbiddenPoints());
    const found = [];
    for (const [index, color] of COLORS.entries()) {
      for (let cell = 0; cell < this.size ** 2; cell++) {
        if (!this.board.isEmpty(cell) || (color === "black" && forbidden.has(cell))) continue;
        const shape = nameOf(this.board.shapes(cell, index));
        if (shape) found.push({ point: this.point(cell), color, shape });
      }
    }
    return found;
  }

  /** What a move of the side to move would make. */
  shapeAt(point) {
    return nameOf(this.board.shapes(this.cell(point), this.board.turn()));
  }
}

/** The name of a point with these shapes; combinations are named after the two strongest. */
function nameOf(shapes) {
  const [best, second] = [...shapes].sort((a, b) => b - a);
  if (best === FIVE) return "five";
  if (best === OPEN_FOUR) return "open_four";
  if (best === FOUR) return second === FOUR ? "double_four" : second === THREE ? "four_three" : "four";
  if (best === THREE) return second === THREE ? "double_three" : "open_three";
  return null;
}
