// What survives a reload: settings for the browser, the game for the tab; and the position in the address.

import { preferredLanguage } from "./i18n.js";
import { isOn, split } from "./points.js";
import { address, at, fromMoves, pack, unpack } from "./tree.js";
import { EASY } from "./welcome.js";

const GAME = "tengen.game";
const SETTINGS = "tengen.settings";
const STORAGES = ["sessionStorage", "localStorage"]; // of the tab, of the browser
const SAVE_AFTER = 500; // browsers stop a page that changes its address a hundred times in half a minute
const MOST_COLUMNS = 26; // there are no more letters

const DEFAULT_SETTINGS = {
  language: null,
  theme: "auto",
  numbers: false,
  coordinates: true,
  confirm: true,
  sound: true,
  animation: true,
  best: 5,
  equal: false,
  heat: false,
  threats: false,
  thoughts: false,
  welcomed: false,
  lastGame: {},
};

/** What a storage holds; the mere name of one may be refused. */
export function read(storage, key) {
  try {
    return JSON.parse(window[storage].getItem(key));
  } catch {
    return null;
  }
}

export function attempt(action) {
  try {
    action();
  } catch {
    // A browser that stores nothing still plays.
  }
}

export function loadSettings() {
  const settings = { ...DEFAULT_SETTINGS, ...read("localStorage", SETTINGS) };
  settings.language ??= preferredLanguage();
  return settings;
}

export function saveSettings(settings) {
  attempt(() => localStorage.setItem(SETTINGS, JSON.stringify(settings)));
}

/** A game as it was asked for; an opening procedure is begun by whoever asked. */
export function newGame({ human = "black", opening: _, ...options } = {}, head = fromMoves([])) {
  return {
    size: 15,
    rule: "freestyle",
    mode: "computer",
    level: EASY,
    human: human === "random" ? (Math.random() < 0.5 ? "black" : "white") : human,
    network: null, // of a training run, instead of the one that ships
    foul: "refuse", // or "loses": what a forbidden point does to black
    follows: false, // the level is chosen by the person's strength
    helped: false, // by a hint, or by taking a move back
    proven: false, // Tengen plays what is proven to win: the levels were measured without that
    kept: false, // it is in the library
    number: null, // there
    rated: false, // its result has been counted
    coach: "off", // the mildest mistake at which the coach speaks
    minutes: 0,
    used: { black: 0, white: 0 },
    ended: null, // {winner, reason} by resignation or time
    opened: null, // an opening procedure that is over: {name, records}
    opening: null, // an opening procedure that is under way
    room: null, // of a game with a friend
    ...options,
    head, // where the game is
    tail: head, // where it was before moves were taken back
    current: head, // what is shown
  };
}

/** Keeps the game of a page: a moment after it changed, and when the page is left. */
export class Keeper {
  /** `state` gives the game, the view, and a game that was left for this one, if any. */
  constructor(state) {
    this.state = state;
    this.kept = ""; // what was saved last
    addEventListener("pagehide", () => this.timer && this.save());
  }

  /** Something may have changed. */
  note() {
    this.timer ??= setTimeout(() => this.save(), SAVE_AFTER);
  }

  save() {
    clearTimeout(this.timer);
    this.timer = undefined;
    const [game, view, left] = this.state();
    const text = JSON.stringify({ ...packGame(game), view, left: left && packGame(left) });
    if (text === this.kept) return;
    this.kept = text;
    for (const storage of STORAGES) attempt(() => window[storage].setItem(GAME, text));
    attempt(() => history.replaceState(history.state, "", fragment(game, game.current)));
  }
}

function packGame({ head, tail, current, ...rest }) {
  const nodes = { head: address(head), tail: address(tail), current: address(current) };
  return { ...rest, tree: pack(head.root()), ...nodes };
}

function unpackGame({ tree, head, tail, current, ...rest }) {
  const root = unpack(tree);
  return { ...newGame(), ...rest, head: at(root, head), tail: at(root, tail ?? head), current: at(root, current) };
}

/** Whether the server plays such games. */
export function isPossible({ size, rule }, { min_size, max_size, rules }) {
  return size >= min_size && size <= max_size && rules.includes(rule);
}

/** The room of a game with a friend that a link names. */
export function roomIn(hash) {
  return /^#friend\/([\w-]{16,64})$/.exec(hash)?.[1] ?? null;
}

export function fragment(game, node) {
  if (game.mode === "friend") return `#friend/${game.room}`;
  return `#${game.size}/${game.rule}/${node.moves().join("")}`;
}

/** The game of this tab, or the one that the address names, or the last one of this browser. */
export function loadGame() {
  // The address may lag behind a game that was just saved: who loads the page again does not mean it.
  const [{ type }] = performance.getEntriesByType("navigation");
  const again = type !== "navigate" && read("sessionStorage", GAME);
  const named = again ? null : fromFragment(location.hash);
  for (const storage of STORAGES) {
    const saved = read(storage, GAME);
    if (!saved) continue;
    try {
      const { view, left, ...kept } = saved;
      const game = unpackGame(kept);
      const same = !named || fragment(game, game.current) === fragment(named, named.current);
      if (same) return { game, view, left: left && unpackGame(left) };
    } catch {
      // Saved by another version.
    }
  }
  return named ? { game: named, view: "analyse" } : null;
}

export function fromFragment(hash) {
  const match = /^#(\d+)\/(\w+)\/([a-z0-9]*)$/.exec(hash);
  if (!match) return null;
  const size = Number(match[1]);
  const moves = split(match[3]);
  const whole = moves.join("") === match[3];
  const good = whole && size > 0 && size <= MOST_COLUMNS && moves.every((move) => isOn(move, size));
  if (!good || new Set(moves).size !== moves.length) return null;
  return newGame({ size, rule: match[2], mode: "people", kept: true }, fromMoves(moves));
}
