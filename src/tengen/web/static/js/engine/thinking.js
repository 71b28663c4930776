// One position, thought about within one budget; as tengen.thinking.thought.

/** A search on its way through its budget; `budget` has playouts and seconds, 0 for no limit. */
export class Thinking {
  /** `search` is a tree, which may be kept for the next position of the game, which must not be over. */
  constructor(position, search, budget, { best = 5, onlyMoveEnds = true } = {}) {
    this.budget = budget;
    this.best = best;
    this.report = null;
    this.search = search;
    this.search.take(position.board);
    this.search.begin(budget.playouts, budget.seconds, onlyMoveEnds);
  }

  get ended() {
    return this.report?.ended ?? null;
  }

  /** How much of the budget is used up, 0 to 1. */
  get share() {
    const { playouts, seconds } = this.budget;
    const used = [playouts && this.report.playouts / playouts, seconds && this.report.seconds / seconds];
    return Math.min(1, Math.max(...used));
  }

  /** Goes on for a while, 0 for until the end; returns what is known. */
  step(seconds) {
    if (!this.ended) {
      this.search.step(seconds);
      this.report = this.search.report(this.best, LINE);
    }
    return this.report;
  }

  stop() {
    this.search.stop();
  }

  /** Frees the search too, which is for those who do not keep it. */
  free() {
    this.search.delete();
  }

  /** What the evaluator thought of the best moves before the search, by their points. */
  priors(position, most) {
    const known = this.search.report(position.size ** 2, 0).moves.sort((a, b) => b.prior - a.prior);
    return Object.fromEntries(known.slice(0, most).map(({ move, prior }) => [position.point(move), rounded(prior)]));
  }
}

const LINE = 20; // moves of an expected continuation

/** Of what is drawn by chance. */
export const someSeed = () => Math.floor(Math.random() * 2 ** 52);

export const rounded = (value, digits = 4) => Number(value.toFixed(digits));

/** What a search knows, as messages write it; `line` limits the solver that completes the line of a win. */
export function thoughtOf(position, report, line) {
  const rate = (1 + report.value) / 2;
  return {
    win_rate: rounded(position.turn === "black" ? rate : 1 - rate),
    proof: report.proof,
    playouts: report.playouts,
    seconds: rounded(report.seconds, 3),
    depth: report.depth,
    candidates: withWinningLine(position, report, line).map((entry) => ({
      move: position.point(entry.move),
      visits: entry.visits,
      win_rate: rounded((1 + entry.value) / 2),
      prior: rounded(entry.prior),
      proof: entry.proof,
      line: position.points(entry.line),
    })),
  };
}

/** The moves, with the whole line of a win: the search stops at its first move, people want to see the rest. */
function withWinningLine(position, { proof, moves }, { nodes, seconds }) {
  const [best, ...others] = moves;
  if (proof !== "win" || best.line.length > 1) return moves;
  const { line } = solve(position, "auto", nodes, seconds);
  if (!line.length) return moves;
  return [{ ...best, move: line[0], line, visits: line[0] === best.move ? best.visits : 0 }, ...others];
}

/** A forced win: the first that a solver of the kind finds, or what the last one says. */
export function solve(position, kind, nodes, seconds = 0) {
  const solver = new position.core.Solver(position.board);
  try {
    let found;
    for (const name of kindsOf(kind)) {
      found = { kind: name, ...solver.solve(name, nodes, seconds) };
      if (found.status === "win") break;
    }
    return found;
  } finally {
    solver.delete();
  }
}

export const kindsOf = (kind) => (kind === "auto" ? ["vcf", "vct"] : [kind]);
