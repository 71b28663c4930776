// What answers each request: iterators of messages, each step a slice; as tengen.web.jobs. Null is a pause.
import { analyseEqually } from "./equal.js";
import { Turn } from "./levels.js";
import { gamesAsSgf, keepGame, noteReview, searchGames } from "./library.js";
import { Position } from "./position.js";
import { choosePuzzle, judgeAttempt } from "./puzzles.js";
import { readRecord, writeRecord } from "./records.js";
import { Reviewer, reviewAnswer } from "./review.js";
import { kindsOf, rounded, someSeed, Thinking, thoughtOf } from "./thinking.js";

const FIRST_NODES = 100_000; // of a solver that looks up now and then whether somebody wants it to stop
const GROWTH = 4;

/** Work for one request, which may be asked to stop. */
export class Job {
  constructor() {
    this.stopped = false;
    this.discarded = false;
    this.busyWith = null;
  }

  stop(discard) {
    this.discarded ||= discard;
    this.stopped = true;
    this.busyWith?.stop();
  }

  attend(to) {
    this.busyWith = to;
    if (this.stopped) to.stop();
  }

  /** A search to its end: what it knows where a report is due and at the end; else null. */
  *steps(thinking, { slice, update }) {
    this.attend(thinking);
    let reported = null;
    while (!thinking.ended) {
      const found = thinking.step(slice);
      const due = reported === null || thinking.ended || found.seconds - reported > update;
      if (due) reported = found.seconds;
      yield due ? found : null;
    }
  }
}

/** The answers, by the type of the request. `engine` has the core and the facts. */
export const ANSWERS = {
  *state({ id, game }, { core, facts }) {
    yield* at(core, game, function* (position) {
      yield { id, type: "state", state: position.state(facts.openings) };
    });
  },

  *threats({ id, game }, { core }) {
    yield* at(core, game, function* (position) {
      yield { id, type: "threats", threats: position.threats() };
    });
  },

  *think({ id, game, level = 5, purpose = "move", seed = someSeed() }, { core, facts }, job) {
    yield* at(core, game, function* (position) {
      yield { id, type: "state", state: position.state(facts.openings) }; // whoever moved is spared the question
      position.mustGoOn();
      const who = purpose === "hint" ? facts.hint : { level };
      const turn = new Turn(position, { ...who, seed, memory: facts.search.memory });
      const thought = (report) => thoughtOf(position, report, facts.line);
      try {
        for (const found of job.steps(turn.thinking, facts)) {
          if (!found || turn.thinking.ended) yield null;
          else yield { id, type: "progress", share: rounded(turn.thinking.share, 3), thought: thought(found) };
        }
        const known = thought(turn.thinking.report);
        const move = position.point(turn.move());
        position.push(move);
        yield { id, type: "move", purpose, move, thought: known, state: position.state(facts.openings) };
      } finally {
        turn.free();
      }
    });
  },

  *analyse({ id, game, best = 5, equal = false }, { core, facts }, job) {
    yield* at(core, game, function* (position) {
      position.mustGoOn();
      const answer = (found, heat, ended) => {
        const thought = thoughtOf(position, found, facts.line);
        return { id, type: "analysis", thought, heat, done: ended !== null, ended };
      };
      if (equal) yield* analyseEqually(position, best, job, facts, answer);
      else yield* analyse(position, best, job, facts, answer);
    });
  },

  *review({ id, game, playouts, first = 0 }, { core, facts }, job) {
    const { review, search, slice } = facts;
    const reviewer = new Reviewer(review, playouts ?? review.playouts, search, slice);
    job.attend(reviewer);
    try {
      for (const verdict of reviewer.verdicts(core, game, Math.min(first, game.moves.length))) {
        if (job.stopped) return;
        yield verdict && reviewAnswer(id, game.moves.length + 1, verdict);
      }
    } finally {
      reviewer.free();
    }
  },

  *solve({ id, game, kind = "auto" }, { core, facts }, job) {
    yield* at(core, game, function* (position) {
      const solver = new core.Solver(position.board);
      const started = performance.now();
      try {
        const found = yield* look(solver, kind, facts.limits, job);
        const seconds = rounded((performance.now() - started) / 1000, 3);
        yield { id, type: "solution", ...found, line: position.points(found.line), seconds };
      } finally {
        solver.delete();
      }
    });
  },

  *puzzle(request, { facts }) {
    yield { id: request.id, type: "puzzle", ...choosePuzzle(request, facts.puzzles) };
  },

  *attempt(request, engine) {
    yield { id: request.id, type: "attempt", ...judgeAttempt(request, engine) };
  },

  *import(request, { core, facts }) {
    yield { id: request.id, type: "import", ...readRecord(core, request, facts.limits) };
  },

  *export(request, { core, facts }) {
    const { id, format } = request;
    yield { id, type: "export", format, text: writeRecord(core, request, facts.limits) };
  },

  async *keep(request) {
    yield { id: request.id, type: "kept", number: await keepGame(request) };
  },

  async *note(request) {
    yield { id: request.id, type: "kept", number: await noteReview(request) };
  },

  async *library(request, { facts }) {
    yield { id: request.id, type: "library", ...(await searchGames(request, facts.limits.listed_games)) };
  },

  async *"library.sgf"({ id }) {
    yield { id, type: "export", format: "sgf", text: await gamesAsSgf() };
  },
};

/** Work on the position of a game, which is freed afterwards. */
function* at(core, game, work) {
  const position = new Position(core, game);
  try {
    yield* work(position);
  } finally {
    position.free();
  }
}

function* analyse(position, best, job, facts, answer) {
  const search = new position.core.Search(position.board, { ...facts.search, seed: someSeed() });
  const thinking = new Thinking(position, search, { playouts: 0, seconds: 0 }, { best, onlyMoveEnds: false });
  let heat = null;
  try {
    for (const found of job.steps(thinking, facts)) {
      if (found?.seconds > facts.limits.analysis_seconds) thinking.stop(); // a page that was left open
      heat ??= found && thinking.priors(position, facts.limits.priors);
      yield found && answer(found, heat, thinking.ended);
    }
  } finally {
    thinking.free();
  }
}

/** A forced win, looked for with more and more nodes: between two looks others get their turn. */
function* look(solver, kind, { solve_nodes, solve_seconds }, job) {
  const end = performance.now() + 1000 * solve_seconds;
  let nodes = 0;
  let found = { status: "unknown", line: [] };
  for (const name of kindsOf(kind)) {
    for (let most = FIRST_NODES; ; most *= GROWTH) {
      const left = Math.max(1e-3, (end - performance.now()) / 1000);
      found = solver.solve(name, Math.min(most, solve_nodes), left);
      nodes += found.nodes;
      if (found.status !== "unknown" || most >= solve_nodes || left <= 1e-3 || job.stopped) break;
      yield null;
    }
    found.kind = name;
    if (found.status === "win") break;
  }
  return { ...found, nodes };
}
