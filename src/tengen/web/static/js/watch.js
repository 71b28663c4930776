// Watching a training run: its curves and its latest games, live while it trains.

import { BoardView } from "./board-view.js";
import { $, $$, h, redraw, svg } from "./dom.js";
import { number, t } from "./i18n.js";

const EVERY = 3000;
const STEP = 450;
const PAUSE = 3000;
const QUIET = 150; // seconds: a run writes more often while it trains
const WIDTH = 480;
const HEIGHT = 150;
const EDGE = { left: 44, right: 8, top: 8, bottom: 20 };

const CHARTS = [
  { title: "watch.strength", lines: ["elo"], from: "strength" },
  { title: "watch.loss", lines: ["policy_loss", "value_loss", "policy_entropy"] },
  { title: "watch.speed", lines: ["games_per_second"] },
  { title: "watch.balance", lines: ["black_wins"], range: [0, 1] },
  { title: "watch.length", lines: ["moves_per_game"] },
];
const NAMES = ["first", "second", "third"];

export class Watch {
  constructor(app) {
    this.app = app;
    this.run = null;
    this.data = null;
    this.game = null; // the game on the board
    this.shown = 0; // its moves so far
    $("#run").addEventListener("change", (event) => {
      this.run = event.target.value || null; // none: the newest, whichever that is
      this.clear();
      this.ask();
    });
  }

  get active() {
    return this.app.view === "watch";
  }

  viewChanged() {
    clearTimeout(this.timer);
    clearTimeout(this.player);
    if (!this.active) return;
    this.board ??= new BoardView($("#replay"), { play: () => {}, hover: () => {}, tentative: () => {} });
    this.ask();
    this.step();
  }

  ask() {
    clearTimeout(this.timer);
    this.app.connection?.send({ type: "watch", run: this.run }, (answer) => {
      if (!this.active) return;
      if (answer.type === "watch") this.take(answer);
      else this.run = null;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.ask(), EVERY);
    });
  }

  take(answer) {
    if (this.run && answer.run !== this.run) return; // another was chosen meanwhile
    if (this.data && this.data.run !== answer.run) this.clear(); // a new run has begun
    this.data = answer;
    if (!this.game && answer.games.length) this.select(answer.games[0]);
    this.render();
  }

  // -- replay

  clear() {
    clearTimeout(this.player);
    this.game = null;
    this.board.show({ size: this.board.size || 15, moves: [], playable: false }, this.app.settings);
    $("#replay-text").textContent = "";
  }

  select(game) {
    this.game = game;
    this.shown = Math.max(0, game.opening);
    this.step();
  }

  choose(game) {
    this.select(game);
    this.render();
  }

  step() {
    clearTimeout(this.player);
    if (!this.game || !this.active) return;
    const total = this.game.moves.length;
    this.board.show(
      { size: this.game.size, moves: this.game.moves.slice(0, this.shown), playable: false },
      this.app.settings,
    );
    $("#replay-text").textContent = t("watch.replay", { n: this.shown, total });
    if (this.shown < total) {
      this.shown += 1;
      this.player = setTimeout(() => this.step(), STEP);
      return;
    }
    this.player = setTimeout(() => {
      const { games } = this.data;
      if (!games.length) return this.clear();
      const next = (games.findIndex((game) => game.moves.join() === this.game.moves.join()) + 1) % games.length;
      this.select(games[next]);
      return this.render();
    }, PAUSE);
  }

  // -- showing

  render() {
    const { runs, run, quiet, curves, games } = this.data;
    $("#watch-empty").hidden = runs.length > 0;
    $("#run").parentElement.hidden = runs.length === 0;
    $("#replay-card").hidden = games.length === 0 && this.data.yardsticks.length === 0;
    $("#running").textContent = run
      ? t(quiet < QUIET ? "watch.running" : "watch.ended", { run, n: Math.round(quiet / 60) })
      : "";
    const listed = $$("#run option").map((option) => option.value);
    if (["", ...runs].join() !== listed.join()) {
      const names = ["", ...runs].map((name) => h("option", { value: name }, name || t("watch.newest")));
      $("#run").replaceChildren(...names); // closes an open list
    }
    $("#run").value = this.run ?? "";
    const last = curves.at(-1) ?? {};
    const tiles = [
      ["watch.minutes", last.minutes, 1],
      ["watch.played", last.games, 0],
      ["watch.positions", last.positions, 0],
      ["watch.speed", last.games_per_second, 1],
      ["watch.playouts", last.full_playouts, 0],
    ].filter(([, value]) => value !== undefined);
    $("#tiles").replaceChildren(
      ...tiles.map(([key, value, digits]) =>
        h(
          "div",
          { class: "tile" },
          h("strong", null, number(Number(value.toFixed(digits)))),
          h("span", { class: "muted small" }, t(key)),
        ),
      ),
    );
    const source = ({ from }) => this.data[from ?? "curves"];
    const charts = CHARTS.filter((chart) => source(chart).filter((entry) => chart.lines[0] in entry).length > 1);
    $("#curves").replaceChildren(...charts.map((chart) => drawCurves(chart, source(chart))));
    fillTable("#yardsticks", this.data.yardsticks, ({ opponent, elo, wins, losses, draws }) => [
      opponent,
      number(Math.round(elo)),
      wins,
      losses,
      draws,
    ]);
    fillTable("#nodes", this.data.nodes, (node) => [
      node.name,
      node.threads,
      node.games_per_second.toFixed(2),
      t("watch.ago", { n: Math.round(node.last_seen) }),
      node.network,
      node.queue,
    ]);
    redraw(
      $("#replay-games"),
      ...games.map((game, index) =>
        h(
          "button",
          {
            type: "button",
            "data-key": index,
            "aria-pressed": String(game.moves.join() === this.game?.moves.join()),
            onclick: () => this.choose(game),
          },
          t("watch.game", { n: index + 1 }),
        ),
      ),
    );
  }
}

// A row for each entry, and no table without one.
function fillTable(id, entries, cells) {
  $(id).hidden = entries.length === 0;
  $(`${id} tbody`).replaceChildren(
    ...entries.map((entry) => h("tr", null, ...cells(entry).map((text) => h("td", null, String(text))))),
  );
}

function drawCurves({ title, lines, range }, curves) {
  const values = lines.flatMap((name) => curves.map((entry) => entry[name])).filter((value) => value !== undefined);
  const [low, high] = range ?? [Math.min(0, ...values), Math.max(...values) * 1.05 || 1];
  const end = curves.at(-1).minutes || 1;
  const x = (minutes) => EDGE.left + (minutes / end) * (WIDTH - EDGE.left - EDGE.right);
  const y = (value) => EDGE.top + (1 - (value - low) / (high - low)) * (HEIGHT - EDGE.top - EDGE.bottom);
  const chart = svg("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    class: "chart lines",
    role: "img",
    "aria-label": t(title),
  });
  for (let i = 0; i <= 2; i++) {
    const value = low + ((high - low) * i) / 2;
    chart.append(svg("line", { x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y(value), y2: y(value), class: "edge" }));
    chart.append(
      svg(
        "text",
        { x: EDGE.left - 6, y: y(value), class: "tick", "text-anchor": "end", "dominant-baseline": "central" },
        number(Number(value.toPrecision(2))),
      ),
    );
    const minutes = (end * i) / 2;
    const time = number(Number(minutes.toFixed(1)));
    chart.append(
      svg(
        "text",
        { x: x(minutes), y: HEIGHT - 4, class: "tick", "text-anchor": ["start", "middle", "end"][i] },
        i === 2 ? t("watch.after", { n: time }) : time,
      ),
    );
  }
  lines.forEach((name, index) => {
    const points = curves
      .filter((entry) => name in entry)
      .map((entry) => `${x(entry.minutes).toFixed(1)} ${y(entry[name]).toFixed(1)}`);
    if (points.length > 1) chart.append(svg("path", { d: `M${points.join("L")}`, class: NAMES[index] }));
  });
  const legend = lines.map((name, index) => h("span", { class: NAMES[index] }, t(`watch.${name}`)));
  return h(
    "section",
    { class: "card" },
    h("div", { class: "row spread" }, h("h2", null, t(title)), h("div", { class: "legend" }, ...legend)),
    chart,
  );
}
