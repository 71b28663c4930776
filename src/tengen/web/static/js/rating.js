// How strong somebody is, and how sure that is: Glicko (Glickman, 1995), one result at a time.
import { t } from "./i18n.js";

const Q = Math.LN10 / 400;
export const NEWCOMER = { rating: 1200, deviation: 350, games: 0 };
/** Nobody is ever known so well that results stop to matter. */
const LEAST_DEVIATION = 45;

const weight = (deviation) => 1 / Math.sqrt(1 + (3 * Q * Q * deviation * deviation) / (Math.PI * Math.PI));

/** The score that is expected against an opponent of known strength, from 0 to 1. */
export function expected({ rating }, opponent) {
  return 1 / (1 + 10 ** ((weight(opponent.deviation) * (opponent.rating - rating)) / 400));
}

/** A person after one more result: 1 won, 0 lost, 0.5 drawn. */
export function updated(person, opponent, score) {
  const { rating, deviation, games } = person;
  const g = weight(opponent.deviation);
  const chance = expected(person, opponent);
  const information = 1 / deviation ** 2 + Q * Q * g * g * chance * (1 - chance);
  return {
    rating: rating + (Q / information) * g * (score - chance),
    deviation: Math.max(LEAST_DEVIATION, Math.sqrt(1 / information)),
    games: games + 1,
  };
}

/** The score that a person should have against an opponent who follows them: a little more than half. */
const AIM = 0.55;
/** How far somebody may be from the level that they chose for a start: the width of the prior. */
const START_DEVIATION = 800;
const LONGEST_STEP = 200; // of Newton's method, where few results would throw it far away
const STEPS = 30;

/** A value between those of a list, as the keys are between theirs; both lists rise. */
function between(keys, values, key) {
  const upper = Math.max(
    1,
    keys.findIndex((entry) => entry >= key),
  );
  if (key >= keys.at(-1)) return values.at(-1);
  const share = (key - keys[upper - 1]) / (keys[upper] - keys[upper - 1]);
  return values[upper - 1] + Math.max(0, share) * (values[upper] - values[upper - 1]);
}

/** What the page calls the strength of level 1: as measured it is below zero, and nobody wants to be that. */
const LOWEST_ELO = 1000;
/** Games after which a strength means enough to be told. */
export const ENOUGH_GAMES = 5;

/** The levels that want to win, with their strengths on the page's scale; `facts` are the server's. */
function ladder({ levels, elos }) {
  const first = levels.indexOf(1);
  return [levels.slice(first), elos.slice(first).map((elo) => elo - elos[first] + LOWEST_ELO)];
}

/** The strength of a level, also of one between two. */
export function eloAt(level, facts) {
  const [levels, elos] = ladder(facts);
  return between(levels, elos, level);
}

/**
 * The likeliest strength of a person after results [elo of the opponent, score], from a start that is hardly known.
 *
 * All results at once find somebody who began far off; one update at a time would be sure of itself too early.
 */
export function fitted(start, results) {
  let rating = start;
  let information = 1 / START_DEVIATION ** 2;
  for (let step = 0; step < STEPS; step++) {
    let slope = (start - rating) / START_DEVIATION ** 2;
    information = 1 / START_DEVIATION ** 2;
    for (const [elo, score] of results) {
      const chance = 1 / (1 + 10 ** ((elo - rating) / 400));
      slope += Q * (score - chance);
      information += Q * Q * chance * (1 - chance);
    }
    rating += Math.max(-LONGEST_STEP, Math.min(LONGEST_STEP, slope / information));
  }
  return { rating, deviation: Math.sqrt(1 / information), games: results.length };
}

/** The level that is as strong as a rating, to a tenth. */
function levelAt(rating, facts) {
  const [levels, elos] = ladder(facts);
  return Math.round(10 * between(elos, levels, rating)) / 10;
}

/** The level against which a person should win a little more than half of the games. */
export function levelFor({ rating }, facts) {
  return levelAt(rating - 400 * Math.log10(AIM / (1 - AIM)), facts);
}

/** What people are told of their strength: nothing that a few games cannot tell. */
export function strengthText(strength, facts) {
  const { games, rating } = strength;
  if (games < ENOUGH_GAMES) return t("strength.soon", { n: ENOUGH_GAMES - games });
  return t("strength.known", { rating: ratingText(strength), level: levelAt(rating, facts), n: games });
}

/** A rating as people read it: with half of its 95 % interval. */
export function ratingText({ rating, deviation }) {
  return `${Math.round(rating)} ± ${Math.round(1.96 * deviation)}`;
}
