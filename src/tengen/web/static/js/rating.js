// How strong somebody is, and how sure that is: Glicko (Glickman, 1995), one result at a time.
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

/** A rating as people read it: with half of its 95 % interval. */
export function ratingText({ rating, deviation }) {
  return `${Math.round(rating)} ± ${Math.round(1.96 * deviation)}`;
}
