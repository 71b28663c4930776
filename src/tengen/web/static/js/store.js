// What survives a reload: settings for the browser, the game for the tab; and the position in the address.

import { preferredLanguage } from "./i18n.js";
import { isOn, split } from "./points.js";
import { address, at, fromMoves, pack, unpack } from "./tree.js";

export const RULES = ["freestyle", "standard", "renju", "caro"];
const GAME = "tengen.game";
const SETTINGS = "tengen.settings";

const DEFAULT_SETTINGS = {
  language: null,
  theme: "auto",
  numbers: false,
  coordinates: true,
  confirm: true,
  animation: true,
  best: 5,
  heat: false,
  threats: false,
  lastGame: {},
};

function read(storage, key) {
  try {
    return JSON.parse(storage.getItem(key));
  } catch {
    return null;
  }
}

function write(storage, key, value) {
  try {
    storage.setItem(key, JSON.stringify(value));
  } catch {
    // A browser that stores nothing still plays.
  }
}

export function loadSettings() {
  const settings = { ...DEFAULT_SETTINGS, ...read(localStorage, SETTINGS) };
  settings.language ??= preferredLanguage();
  return settings;
}

export function saveSettings(settings) {
  write(localStorage, SETTINGS, settings);
}

/** A game as it was asked for; an opening procedure is begun by whoever asked. */
export function newGame({ human = "black", opening: _, ...options } = {}, head = fromMoves([])) {
  return {
    size: 15,
    rule: "freestyle",
    mode: "computer",
    level: 5,
    human: human === "random" ? (Math.random() < 0.5 ? "black" : "white") : human,
    minutes: 0,
    used: { black: 0, white: 0 },
    ended: null, // {winner, reason} by resignation or time
    announced: false, // the end dialog was shown
    opening: null, // an opening procedure that is under way
    ...options,
    head, // where the game is
    tail: head, // where it was before moves were taken back
    current: head, // what is shown
  };
}

export function saveGame(game, view) {
  const { head, tail, current, ...rest } = game;
  const saved = {
    ...rest,
    view,
    tree: pack(head.root()),
    head: address(head),
    tail: address(tail),
    current: address(current),
  };
  write(sessionStorage, GAME, saved);
  write(localStorage, GAME, saved);
  history.replaceState(null, "", fragment(game, current));
}

export function fragment(game, node) {
  return `#${game.size}/${game.rule}/${node.moves().join("")}`;
}

/** The game of this tab, or the one that the address names, or the last one of this browser. */
export function loadGame() {
  const named = fromFragment(location.hash);
  for (const storage of [sessionStorage, localStorage]) {
    const saved = read(storage, GAME);
    if (!saved) continue;
    try {
      const { tree, head, tail, current, view, ...rest } = saved;
      const root = unpack(tree);
      const game = {
        ...newGame(),
        ...rest,
        head: at(root, head),
        tail: at(root, tail ?? head),
        current: at(root, current),
      };
      if (!named || fragment(game, game.current) === fragment(named, named.current)) return { game, view };
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
  const good = size >= 5 && size <= 20 && RULES.includes(match[2]) && moves.every((move) => isOn(move, size));
  if (!good || new Set(moves).size !== moves.length) return null;
  return newGame({ size, rule: match[2], mode: "people" }, fromMoves(moves));
}
