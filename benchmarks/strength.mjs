// How near "Follow my strength" comes to people of known strength in thirty games, by the page's own rating.
//
//   node benchmarks/strength.mjs
//
// "possible" is what the information in the same games allows a method that knows nothing else.
import { readFileSync } from "node:fs";
import { eloAt, fitted, levelFor } from "../src/tengen/web/static/js/rating.js";

const GAMES = 30;
const PERSONS = 200; // of each strength
const CLOSE = 100;
const Q = Math.LN10 / 400;
const WELCOME = [1, 3, 5, 9]; // the levels that the first visit offers

const source = readFileSync(new URL("../src/tengen/thinking/levels.py", import.meta.url), "utf8");
const table = [...source.matchAll(/^ {4}(\d+): (-?\d+),/gm)].map(([, level, elo]) => [Number(level), Number(elo)]);
const facts = { levels: table.map(([level]) => level), elos: table.map(([, elo]) => elo) };

const chance = (elo, truth) => 1 / (1 + 10 ** ((elo - truth) / 400));

/** The share of a normal distribution within so many standard deviations. */
function within(deviations) {
  const t = 1 / (1 + 0.3275911 * (deviations / Math.SQRT2));
  const sum = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592].reduce((all, part) => all * t + part, 0);
  return 1 - t * sum * Math.exp(-(deviations ** 2) / 2);
}

/** A person after thirty games against the level that follows them: {error, covered, possible}. */
function play(truth, start) {
  const results = [];
  let person = fitted(start, results);
  for (let game = 0; game < GAMES; game++) {
    const elo = eloAt(levelFor(person, facts), facts);
    results.push([elo, Math.random() < chance(elo, truth) ? 1 : 0]);
    person = fitted(start, results);
  }
  const information = results.reduce((sum, [elo]) => sum + Q * Q * chance(elo, truth) * (1 - chance(elo, truth)), 0);
  const error = Math.abs(person.rating - truth);
  return { error, covered: error < 1.96 * person.deviation, possible: within(CLOSE * Math.sqrt(information)) };
}

function report(name, startOf) {
  const found = [];
  for (let truth = eloAt(1, facts) + 50; truth < eloAt(10, facts) - 50; truth += 50) {
    for (let person = 0; person < PERSONS; person++) found.push(play(truth, startOf(truth)));
  }
  const share = (of) => `${((100 * found.reduce((sum, entry) => sum + Number(of(entry)), 0)) / found.length).toFixed(1)} %`;
  console.log(`${name}: ${found.length} persons, within ${CLOSE} Elo ${share(({ error }) => error < CLOSE)}`);
  console.log(`  possible ${share(({ possible }) => possible)}, in the interval that is shown ${share(({ covered }) => covered)}`);
}

const offered = WELCOME.map((level) => eloAt(level, facts));
report("all begin at level 1", () => offered[0]);
report("begin at the nearest level that is offered", (truth) =>
  offered.reduce((a, b) => (Math.abs(a - truth) < Math.abs(b - truth) ? a : b)),
);
