// The cards of the two players and the list of moves with its variations.

import { stoneIcon } from "./board-shapes.js";
import { h, redraw } from "./dom.js";
import { t } from "./i18n.js";
import { clockText } from "./play.js";

export function drawPlayers(app, host) {
  const { game } = app;
  const result = app.result();
  const cards = ["black", "white"].map((color) => {
    const computer = game.mode === "computer" && color !== game.human;
    const name = nameOf(app, color, computer);
    const level =
      t(game.follows ? "level.follows" : "level", { n: game.level }) + (game.network ? ` · ${game.network}` : "");
    const detail = computer ? level : detailOf(app, color);
    const turn = !result && app.turn() === color;
    const end = result?.winner === color ? h("span", { class: "trophy" }, "★") : null;
    const clock =
      game.minutes && !end ? h("span", { class: "clock", "data-color": color }, clockText(game, color)) : end;
    return h(
      "div",
      { class: `player${turn ? " turn" : ""}`, "data-color": color },
      stoneIcon(color),
      h("span", null, h("strong", null, name), detail && h("span", { class: "muted small" }, ` ${detail}`)),
      clock,
    );
  });
  host.replaceChildren(...cards);
}

function nameOf({ game, friend }, color, computer) {
  if (game.mode === "people") return t(`color.${color}`);
  if (game.mode === "friend") return friend.nameOf(color);
  return t(computer ? "player.computer" : "player.you");
}

function detailOf({ game, friend }, color) {
  if (game.mode === "friend" && !friend.isHere(color)) return t("friend.absent");
  return game.mode === "people" || !game.human ? "" : t(`color.${color}`);
}

export function drawMoves(app, host) {
  const line = app.line();
  const signs = new Map(app.mistakes().map((entry) => [entry.node, entry.sign]));
  const entries = [];
  const button = (node) =>
    h(
      "button",
      {
        type: "button",
        "data-key": node.moves().join(""),
        "aria-current": node === app.current ? "true" : null,
        onclick: () => app.opening.active || app.goTo(node),
      },
      h("span", { class: "count" }, String(node.ply)),
      node.move,
      signs.has(node) ? h("span", { class: "sign" }, signs.get(node)) : null,
    );
  for (const node of line.slice(1)) {
    entries.push(button(node));
    const others = app.view === "analyse" ? node.parent.children.filter((child) => child !== node) : [];
    for (const child of others) {
      const moves = [child, ...child.end().path().slice(child.ply)].slice(0, 6);
      entries.push(h("div", { class: "variation" }, ...moves.map(button)));
    }
  }
  redraw(host, ...(entries.length ? entries : [h("span", { class: "muted small" }, t("moves.none"))]));
  const here = host.querySelector("[aria-current]");
  if (here) host.scrollTop = Math.max(0, here.offsetTop - host.offsetTop - host.clientHeight / 2);
}
