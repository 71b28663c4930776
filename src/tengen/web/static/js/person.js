// The person at this browser: ratings, streaks and mistakes. Nothing of it leaves the machine.
import { t } from "./i18n.js";
import { ENOUGH_GAMES, eloAt, fitted, NEWCOMER } from "./rating.js";
import { attempt, read } from "./store.js";

const KEY = "tengen.person";
const MOST_MISTAKES = 300;
const MOST_SEEN = 5000;
const MOST_GAMES = 60; // people change
const MOST_POINTS = 200; // of a curve

export class Person {
  constructor() {
    const kept = read("localStorage", KEY) ?? {};
    this.puzzles = kept.puzzles ?? {}; // by rule: {person, streak, best, seen}
    this.mistakes = kept.mistakes ?? []; // [{game, goal}], the latest last
    this.ladder = kept.ladder ?? null; // games against the levels: {start: level, results: [[level, score]]}
  }

  save() {
    const { puzzles, mistakes, ladder } = this;
    attempt(() => localStorage.setItem(KEY, JSON.stringify({ puzzles, mistakes, ladder })));
  }

  /** What is known of somebody's strength against the levels as `facts` rate them; nothing before the first game. */
  strength(facts) {
    if (!this.ladder || !facts) return null;
    const { start, results } = this.ladder;
    return fitted(
      eloAt(start, facts),
      results.map(([level, score]) => [eloAt(level, facts), score]),
    );
  }

  /** How strength and puzzles went, game by game and puzzle by puzzle: [{title, values}]. */
  curves(facts) {
    const { start, results } = this.ladder ?? { start: 1, results: [] };
    const levels = results.map(([level, score]) => [eloAt(level, facts), score]);
    const strength = levels.map((_, index) => fitted(eloAt(start, facts), levels.slice(0, index + 1)).rating);
    const puzzles = Object.entries(this.puzzles).map(([rule, { curve = [] }]) => ({
      title: t("progress.puzzles", { rule: t(`rule.${rule}`) }),
      values: curve,
    }));
    const games = { title: t("progress.strength"), values: strength.slice(ENOUGH_GAMES - 1) };
    return [games, ...puzzles];
  }

  /** A game against a level is over. */
  countGame(level, score) {
    const { start, results } = this.ladder ?? { start: level, results: [] };
    this.ladder = { start, results: [...results, [level, score]].slice(-MOST_GAMES) };
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
    record.curve = [...(record.curve ?? []), Math.round(person.rating)].slice(-MOST_POINTS);
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
