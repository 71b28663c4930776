// The person at this browser: ratings, streaks and mistakes. Nothing of it leaves the machine.
import { fitted, NEWCOMER } from "./rating.js";
import { attempt, read } from "./store.js";

const KEY = "tengen.person";
const MOST_MISTAKES = 300;
const MOST_SEEN = 5000;
const MOST_GAMES = 60; // people change

export class Person {
  constructor() {
    const kept = read("localStorage", KEY) ?? {};
    this.puzzles = kept.puzzles ?? {}; // by rule: {person, streak, best, seen}
    this.mistakes = kept.mistakes ?? []; // [{game, goal}], the latest last
    this.games = kept.games ?? null; // against the levels: {start, results}, results as [elo, score]
  }

  save() {
    const { puzzles, mistakes, games } = this;
    attempt(() => localStorage.setItem(KEY, JSON.stringify({ puzzles, mistakes, games })));
  }

  /** What is known of somebody's strength against the levels; nothing before the first game. */
  get strength() {
    return this.games && fitted(this.games.start, this.games.results);
  }

  /** A game against a level of known strength is over. */
  countGame(elo, score) {
    const { start, results } = this.games ?? { start: elo, results: [] };
    this.games = { start, results: [...results, [elo, score]].slice(-MOST_GAMES) };
    this.save();
  }

  /** How somebody stands at the puzzles of a rule. */
  record(rule) {
    this.puzzles[rule] ??= { person: NEWCOMER, streak: 0, best: 0, seen: [] };
    return this.puzzles[rule];
  }

  /** A puzzle counts once: by its first attempt. */
  count(rule, name, person, solved) {
    const record = this.record(rule);
    record.person = person;
    record.streak = solved ? record.streak + 1 : 0;
    record.best = Math.max(record.best, record.streak);
    record.seen = [...record.seen, name].slice(-MOST_SEEN);
    this.save();
  }

  /** Keeps a position in which the person had a win, or a defence, and did not see it. */
  keepMistake(game, goal) {
    const key = JSON.stringify(game);
    if (this.mistakes.some((entry) => JSON.stringify(entry.game) === key)) return;
    this.mistakes = [...this.mistakes, { game, goal }].slice(-MOST_MISTAKES);
    this.save();
  }

  /** A mistake that was put right is one no more. */
  forgetMistake(game) {
    const key = JSON.stringify(game);
    this.mistakes = this.mistakes.filter((entry) => JSON.stringify(entry.game) !== key);
    this.save();
  }
}
