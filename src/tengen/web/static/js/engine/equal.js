// Analysis that searches the best moves equally, a tree behind each; as tengen.web.equal.
import { someSeed, Thinking } from "./thinking.js";

const OPPOSITE = { win: "loss", loss: "win" };

/** Searches until it is stopped; `answer` makes a message of what is known, first impressions and why it is over. */
export function* analyseEqually(position, best, job, facts, answer) {
  const chosen = think(position, facts, { playouts: facts.equal_playouts, best });
  try {
    for (const _ of job.steps(chosen, facts)) yield null;
    const heat = chosen.priors(position, facts.limits.priors);
    const first = chosen.report;
    if (first.proof || job.stopped || first.moves.length < 2) yield answer(first, heat, chosen.ended);
    else yield* searchBehind(position, first, job, facts, (found, ended) => answer(found, heat, ended));
  } finally {
    chosen.free();
  }
}

function think(position, facts, { playouts = 0, best = 1 }) {
  const search = new position.core.Search(position.board, { ...facts.search, seed: someSeed() });
  return new Thinking(position, search, { playouts, seconds: 0 }, { best, onlyMoveEnds: false });
}

function* searchBehind(position, first, job, facts, answer) {
  const branches = [];
  const each = { ...facts, search: { ...facts.search, memory: Math.floor(facts.search.memory / first.moves.length) } };
  try {
    for (const move of first.moves) branches.push(branchBehind(position, move, each));
    job.attend({ stop: () => branches.forEach(({ thinking }) => void thinking.stop()) });
    for (const { thinking } of branches) {
      thinking.step(facts.slice);
      yield null;
    }
    const going = () => branches.filter(({ thinking }) => !thinking.ended);
    while (going().length) {
      going()
        .reduce((a, b) => (b.thinking.report.playouts < a.thinking.report.playouts ? b : a))
        .thinking.step(facts.update);
      const found = together(first, branches);
      if (found.seconds > facts.limits.analysis_seconds) job.stop(false); // a page that was left open
      yield answer(found, null);
    }
    yield answer(together(first, branches), job.stopped ? "stopped" : "solved");
  } finally {
    for (const { after, thinking } of branches) {
      thinking.free();
      after.free();
    }
  }
}

function branchBehind(position, move, facts) {
  const after = position.copy();
  after.push(position.point(move.move)); // the game goes on: a move that ends it is a proof
  return { move, after, thinking: think(after, facts, {}) };
}

/** One report of the position, the moves in the order of their win rates. */
function together(first, branches) {
  const found = branches.map(({ thinking }) => thinking.report);
  const moves = branches.map(({ move }, index) => {
    const { playouts, value, proof, moves: next } = found[index];
    return {
      ...move,
      visits: playouts,
      value: -value,
      proof: OPPOSITE[proof] ?? proof,
      line: [move.move, ...next[0].line],
    };
  });
  moves.sort((a, b) => b.value - a.value);
  return {
    ...first,
    value: moves[0].value,
    playouts: found.reduce((sum, entry) => sum + entry.playouts, 0),
    seconds: Math.max(...found.map((entry) => entry.seconds)),
    depth: 1 + Math.max(...found.map((entry) => entry.depth)),
    moves,
  };
}
