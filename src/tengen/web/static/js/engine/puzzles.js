// Puzzles: one that suits a person, and what the solvers say of an attempt; as tengen.puzzles and tengen.web.puzzles.
import { FIVE, FOUR, OPEN_FOUR, Position, Refusal } from "./position.js";
import { Thinking } from "./thinking.js";

const NEARBY = 12; // of about the right strength, of which one is drawn

/** A puzzle that is about as strong as the person, and not among those that they have seen. */
export function choosePuzzle({ rule = "freestyle", rating = 1200, seen = [] }, { size, shipped }) {
  const every = shipped[rule] ?? [];
  if (!every.length) throw new Refusal(`there are no puzzles for the rule ${rule}`);
  const known = new Set(seen);
  const unseen = every.filter(([name]) => !known.has(name));
  const fresh = unseen.length ? unseen : every;
  const distance = ([, , strength]) => Math.abs(strength - rating);
  const near = [...fresh].sort((a, b) => distance(a) - distance(b)).slice(0, NEARBY);
  const [name, goal, strength, moves, line] = near[Math.floor(Math.random() * near.length)];
  const game = { size, rule, moves: moves.split(" ") };
  const length = Math.ceil(line.split(" ").length / 2);
  return { name, game, goal, rating: strength, length, total: every.length, left: fresh.length };
}

/** A verdict on the last move, or the next move for whoever asks for it: {verdict, line}. */
export function judgeAttempt({ game, goal, name = null, played = [], hint = false }, { core, facts }) {
  const { shipped, effort } = facts.puzzles;
  const known = name ? shipped[game.rule]?.find((entry) => entry[0] === name) : null;
  if (name && !known) throw new Refusal(`there is no puzzle "${name}"`);
  if (!hint && !played.length) throw new Refusal("an attempt needs a move");
  const start = new Position(core, game);
  const judge = new Judge(start, effort, facts.search);
  try {
    const attempt = new Attempt(start, goal, known ? known[4].split(" ") : [], judge);
    if (!hint) return attempt.judge(played);
    const move = attempt.nextMove(played);
    return { verdict: "hint", line: move ? [move] : [] };
  } finally {
    judge.free();
    start.free();
  }
}

/** A puzzle under way. */
class Attempt {
  constructor(start, goal, solution, judge) {
    Object.assign(this, { start, goal, solution, judge_: judge });
  }

  judge(played) {
    return after(this.start, played, (position) =>
      this.goal === "save" ? this.judgeDefence(position, played) : this.judgeAttack(position, played),
    );
  }

  judgeDefence(position, played) {
    const good = this.solution.length ? played[0] === this.solution[0] : this.judge_.holds(position);
    return good ? { verdict: "solved", line: [] } : { verdict: "wrong", line: this.judge_.win(position) };
  }

  judgeAttack(position, played) {
    if (position.outcome()) return { verdict: "solved", line: [] };
    if (this.isKnown(played)) {
      const rest = this.solution.slice(played.length);
      return { verdict: rest.length ? "right" : "solved", line: rest.slice(0, 1) };
    }
    const vital = this.isKnown(played.slice(0, -1)) ? this.solution[played.length - 1] : null;
    const reply = this.judge_.refutation(position, vital);
    const onlyAnother = this.solution.length > 0 && played.length === 1;
    if (reply || onlyAnother) return { verdict: "wrong", line: reply ? [reply] : [] };
    const best = this.judge_.bestReply(position);
    return { verdict: best ? "right" : "solved", line: best ? [best] : [] };
  }

  /** The move to play now; nothing where the attempt has gone wrong already. */
  nextMove(played) {
    if (this.isKnown(played) && played.length < this.solution.length) return this.solution[played.length];
    return after(this.start, played, (position) =>
      this.goal === "win" ? this.judge_.win(position)[0] : this.judge_.onlyDefence(position),
    );
  }

  isKnown(played) {
    return this.solution.length > 0 && played.every((move, ply) => move === this.solution[ply]);
  }
}

/** The solvers, for one puzzle: what they find out about a move, they know at the next one. Whoever makes it frees it. */
class Judge {
  constructor(start, effort, search) {
    Object.assign(this, { effort, search });
    this.solver = new start.core.Solver(start.board, effort.log2_remembered);
  }

  free() {
    this.solver.delete();
  }

  solve(position, kind) {
    this.solver.take(position.board);
    const { status, line } = this.solver.solve(kind, this.effort[`${kind}_nodes`], 0);
    return status === "win" ? position.points(line) : [];
  }

  /** The line of a forced win of the side to move; empty if the solvers find none. */
  win(position) {
    if (position.outcome()) return [];
    const fours = this.solve(position, "vcf");
    return fours.length ? fours : this.solve(position, "vct");
  }

  /** What may stop a win by fours; nothing where none is threatened. */
  defences(position) {
    this.solver.take(position.board);
    return position.points(this.solver.defences(this.effort.vcf_nodes));
  }

  /** The reply after which whoever has just moved has no forced win. */
  refutation(position, vital) {
    if (position.outcome()) return undefined;
    return this.replies(position, vital).find((reply) => after(position, [reply], (next) => !this.win(next).length));
  }

  /** The reply that holds out longest where none saves. */
  bestReply(position) {
    const length = (reply) => after(position, [reply], (next) => this.win(next).length);
    const lengths = this.replies(position).map((reply) => [length(reply), reply]);
    return lengths.reduce((best, entry) => (best && best[0] >= entry[0] ? best : entry), undefined)?.[1];
  }

  /** What may stop an attack: the end of a five, a win of one's own, what takes a win by fours. */
  replies(position, vital = null) {
    const [own, ends] = [makes(position, 0, [FIVE]), makes(position, 1, [FIVE])];
    if (own.length || ends.length) return legal(position, (own.length ? own : ends).slice(0, 1));
    const counter = this.solve(position, "vcf").slice(0, 1);
    const found = [...counter, ...(vital ? [vital] : []), ...this.defences(position)];
    if (found.length < 2) found.push(...this.impressions(position).slice(0, this.effort.quiet));
    return legal(position, found);
  }

  /** The only move that saves the side to move from a win by fours. */
  onlyDefence(position) {
    if (makes(position, 0, [FIVE]).length || makes(position, 1, [FIVE]).length) return undefined;
    const candidates = this.defences(position);
    if (!candidates.length || this.win(position).length) return undefined;
    const order = this.impressions(position);
    const place = (move) => (order.includes(move) ? order.indexOf(move) : order.length);
    const every = legal(position, [...candidates, ...fours(position)]).sort((a, b) => place(a) - place(b));
    const saving = every.filter((move) => after(position, [move], (next) => this.holds(next)));
    return saving.length === 1 ? saving[0] : undefined;
  }

  /** Whether whoever has just moved is safe: the enemy has no forced win, or there is a defence after a four. */
  holds(position, delays = this.effort.delays) {
    if (position.outcome()) return true;
    const ends = makes(position, 1, [FIVE]);
    if (!ends.length || makes(position, 0, [FIVE]).length) return !this.win(position).length;
    if (ends.length > 1 || !legal(position, ends).length) return true; // a four that wins
    return after(position, ends, (blocked) => {
      if (blocked.outcome()) return false;
      const own = makes(blocked, 1, [FIVE]).slice(0, 1);
      const moves = own.length ? own : [...this.defences(blocked), ...fours(blocked)];
      if (!moves.length) return true; // the threat is gone
      const saves = (move) => after(blocked, [move], (next) => this.holds(next, delays - 1));
      return delays > 0 && legal(blocked, moves).some(saves);
    });
  }

  /** The moves in the order of the first impression. */
  impressions(position) {
    const params = { ...this.search, threats: false, vcf_nodes_root: 0, memory: 1 << 20 };
    const glance = new Thinking(position, new position.core.Search(position.board, params), {
      playouts: 1,
      seconds: 0,
    });
    try {
      glance.step(0);
      const { moves } = glance.search.report(position.size ** 2, 0);
      return position.points(moves.sort((a, b) => b.prior - a.prior).map(({ move }) => move));
    } finally {
      glance.free();
    }
  }
}

/** What `ask` says of the position after some moves. */
function after(position, moves, ask) {
  const next = position.copy();
  try {
    for (const move of moves) next.push(move);
    return ask(next);
  } finally {
    next.free();
  }
}

/** The empty points where the side to move (0), or the other one (1), makes one of these shapes. */
function makes(position, who, shapes) {
  const { board, size } = position;
  const color = board.turn() ^ who;
  const cells = Array.from({ length: size ** 2 }, (_, cell) => cell).filter((cell) => board.isEmpty(cell));
  return position.points(cells.filter((cell) => board.shapes(cell, color).some((shape) => shapes.includes(shape))));
}

function fours(position) {
  return [...makes(position, 0, [FOUR]), ...makes(position, 0, [OPEN_FOUR])];
}

/** Those of some moves that may be played, once each. */
function legal(position, moves) {
  const forbidden = new Set(position.forbidden().map(({ point }) => point));
  return [...new Set(moves)].filter((move) => !forbidden.has(move) && position.board.isEmpty(position.cell(move)));
}
