// The keyboard outside of the board: one table, which Help shows too.
import { $, h } from "./dom.js";
import { t } from "./i18n.js";

/** What each key does, in the order of the help. */
const ACTIONS = {
  n: "action.new",
  u: "action.undo",
  r: "action.redo",
  h: "action.hint",
  a: "keys.analyse",
  " ": "keys.pause",
  m: "review.next",
  ArrowLeft: "nav.previous",
  ArrowRight: "nav.next",
  Home: "nav.first",
  End: "nav.last",
  "?": "header.help",
};
const SAME = { "[": "ArrowLeft", "]": "ArrowRight" };
const NAMES = { " ": "keys.space", ArrowLeft: "←  [", ArrowRight: "→  ]" };

/** `actions`: a function for each key. */
export function listenToKeys(actions) {
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest?.("input, textarea, select, dialog, [role=slider], .tree")) return;
    if (key === " " && target.closest?.("button, a")) return; // which it presses
    const name = SAME[key] ?? (key.length === 1 ? key.toLowerCase() : key);
    if (!actions[name]) return;
    event.preventDefault();
    actions[name]();
  });
}

/** The list of all keys. */
export function drawKeys(host) {
  const rows = Object.entries(ACTIONS).map(([key, text]) => [
    NAMES[key] ? t(NAMES[key]) : key.length === 1 ? key.toUpperCase() : key,
    t(text),
  ]);
  const onBoard = [
    ["Tab", t("nav.skip")],
    ["← ↑ → ↓", t("keys.move")],
    ["Enter", t("action.place")],
  ];
  host.replaceChildren(...[...onBoard, ...rows].flatMap(([key, text]) => [h("dt", null, key), h("dd", null, text)]));
}

/** Presses a button, if it is there to be pressed. */
export function press(id) {
  const button = $(`#${id}`);
  if (!button.disabled && button.offsetParent) button.click();
}
