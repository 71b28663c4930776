// Looking through a game move by move; as tengen.review.reviewer, whose limits and classes come with the facts.
import { Position } from "./position.js";
import { rounded, solve, Thinking } from "./thinking.js";

const PROVEN = { win: 1, loss: 0, draw: 0.5 };

/** Judges games. Key method: `verdicts`. */
export class Reviewer {
  /** `how`: vcf_nodes, vct_nodes and classes; `params` are those of the search, `slice` is how long a step takes. */
  constructor(how, playouts, params, slice) {
    Object.assign(this, { how, playouts, params, slice });
    this.search = null;
  }

  stop() {
    this.search?.stop();
  }

  free() {
    this.search?.delete();
  }

  /** Judges the positions of a game after `first` moves and on; null is a pause. */
  *verdicts(core, game, first) {
    let before = null;
    for (let ply = first; ply <= game.moves.length; ply++) {
      const position = new Position(core, { ...game, moves: game.moves.slice(0, ply) });
      try {
        const now = yield* this.look(position);
        now.shape = ply ? shapeMade(core, game, ply) : null;
        if (before) now.move = judgeMove(position, before, now, this.how.classes);
        yield { ply, ...now };
        before = now;
      } finally {
        position.free();
      }
    }
  }

  /** The win rate of the side to move, the best line, and the kind of forced win that it has. */
  *look(position) {
    const outcome = position.outcome();
    if (outcome) return verdict(position, outcome.winner ? Number(outcome.winner === position.turn) : 0.5);
    for (const kind of ["vcf", "vct"]) {
      const found = solve(position, kind, this.how[`${kind}_nodes`]);
      if (found.status === "win") return verdict(position, 1, position.points(found.line), kind);
      yield null;
    }
    const thinking = this.think(position);
    while (!thinking.ended) {
      thinking.step(this.slice);
      yield null;
    }
    const [best] = thinking.report.moves;
    if (thinking.ended === "only-move") return yield* this.lookBehind(position, position.point(best.move));
    const { proof, value } = thinking.report;
    return verdict(position, PROVEN[proof] ?? (1 + value) / 2, position.points(best.line));
  }

  /** What the only move is worth shows behind it, to the solvers too. */
  *lookBehind(position, move) {
    const after = position.copy();
    try {
      after.push(move);
      const behind = yield* this.look(after);
      return verdict(position, 1 - behind.rate, [move, ...behind.line]);
    } finally {
      after.free();
    }
  }

  think(position) {
    this.search ??= new position.core.Search(position.board, this.params);
    return new Thinking(position, this.search, { playouts: this.playouts, seconds: 0 });
  }
}

function verdict({ turn }, rate, line = [], forced = null) {
  return { turn, rate, line, forced, move: null };
}

/** What the move made that was the `ply`-th of a game. */
function shapeMade(core, game, ply) {
  const before = new Position(core, { ...game, moves: game.moves.slice(0, ply - 1) });
  try {
    return before.shapeAt(game.moves[ply - 1]);
  } finally {
    before.free();
  }
}

function judgeMove({ moves }, before, after, classes) {
  const rate = 1 - after.rate;
  // A move that the search would have played is no mistake, whatever the next position looks like.
  const isBest = moves.at(-1) === before.line[0];
  const [mistake = null] = isBest ? [] : (classes.find(([, limit]) => before.rate - rate >= limit) ?? []);
  const loss = Math.max(0, before.rate - rate);
  return { loss, mistake, missed: mistake ? before.forced : null, better: mistake ? before.line : [] };
}

/** A verdict as messages write it. */
export function reviewAnswer(id, total, { ply, turn, rate, line, forced, shape, move }) {
  const { loss = 0, mistake = null, missed = null, better = [] } = move ?? {};
  const win_rate = rounded(turn === "black" ? rate : 1 - rate);
  const done = ply === total - 1;
  return {
    type: "review",
    id,
    ply,
    total,
    done,
    win_rate,
    line,
    forced,
    shape,
    loss: rounded(loss),
    mistake,
    missed,
    theory: false, // the proofs stay with the server
    better,
  };
}
