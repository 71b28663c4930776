// The library where there is no server: finished games in this browser's own storage; as tengen.library.
import { toXY } from "../points.js";
import { Refusal } from "./position.js";
import { writeSgf } from "./sgf.js";

/** Keeps a finished game; resolves to its number. */
export function keepGame({ game, black = "", white = "", result }) {
  const entry = { played: new Date().toISOString(), game, black, white, result, mistakes: [] };
  return inStore("readwrite", (games) => games.add(entry));
}

/** Keeps what a review found of a game. */
export async function noteReview({ number, black, white }) {
  const entry = await inStore("readonly", (games) => games.get(number));
  if (!entry) throw new Refusal(`there is no game ${number} in the library`);
  return inStore("readwrite", (games) => games.put({ ...entry, mistakes: [black, white] }));
}

/** Some of the games that are looked for, the latest first, and how many there are. */
export async function searchGames({ text = "", rule, result, offset = 0, delete: gone = null }, most) {
  if (gone !== null) await inStore("readwrite", (games) => games.delete(gone));
  const part = text.toLowerCase().split(/\s+/).filter(Boolean).join(" ");
  const has = (name) => name.toLowerCase().includes(part);
  const found = (await everyGame()).filter(
    ({ game, black, white, result: end }) =>
      (!rule || game.rule === rule) &&
      (!result || end === result) &&
      (!part || has(black) || has(white) || game.moves.join(" ").startsWith(part)),
  );
  return { games: found.reverse().slice(offset, offset + most), total: found.length };
}

/** Every game as SGF, the oldest first. */
export async function gamesAsSgf() {
  const written = (await everyGame()).map(({ game, black, white, result }) => {
    const nodes = [null, ...game.moves].map((move, index) => ({
      parent: index - 1,
      point: move && toXY(move, game.size),
    }));
    return writeSgf({ ...game, black, white, result, nodes });
  });
  return written.join("");
}

function everyGame() {
  return inStore("readonly", (games) => games.getAll());
}

/** What a request to the store of games comes to. */
async function inStore(mode, ask) {
  try {
    const opening = indexedDB.open("tengen", 1);
    opening.onupgradeneeded = () =>
      opening.result.createObjectStore("games", { keyPath: "number", autoIncrement: true });
    const database = await outcome(opening);
    try {
      return await outcome(ask(database.transaction("games", mode).objectStore("games")));
    } finally {
      database.close();
    }
  } catch (error) {
    throw new Refusal(`the library cannot be used: ${error.message}`); // in a private window, or a full disk
  }
}

function outcome(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
