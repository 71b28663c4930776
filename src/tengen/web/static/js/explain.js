// A tree search, step by step. The server searches and gives the steps as data; this page draws them.

import { $, h } from "./dom.js";
import { drawTree, plain, position, signed } from "./explain-tree.js";
import { sentences, t } from "./i18n.js";
import { SidePage } from "./side-page.js";

const PHASES = ["select", "expand", "evaluate", "back up", "play"];
const key = (kind) => (kind === "back up" ? "backUp" : kind);

class Explain extends SidePage {
  constructor() {
    super();
    this.size = 3;
    this.steps = [];
    this.at = 0;
    this.listen();
    this.applySettings();
    this.ask();
  }

  // -- the search

  async ask() {
    const request = { type: "explain", playouts: Number($("#playouts").value), evaluator: $("#evaluator").value };
    if ($("#position").value === "empty") request.moves = [];
    const answer = await this.answer("explanation", request);
    if (!answer) return;
    this.steps = answer.steps;
    this.size = answer.size;
    $("#step").max = this.steps.length - 1;
    this.go(0);
  }

  // -- showing

  go(index) {
    this.at = Math.max(0, Math.min(this.steps.length - 1, index));
    this.render();
  }

  render() {
    const step = this.steps[this.at];
    if (!step) return;
    $("#step").value = this.at;
    $("#back").disabled = this.at === 0;
    for (const id of ["forward", "playout", "end"]) $(`#${id}`).disabled = this.at === this.steps.length - 1;
    $("#phases").replaceChildren(
      ...PHASES.map((kind) => h("li", { "aria-current": step.kind === kind && "step" }, t(`explain.${key(kind)}`))),
    );
    $("#sentence").textContent = sentences(t("explain.number", { n: step.playout }), this.sentence(step));
    $("#phase-about").textContent = t(`explain.${key(step.kind)}.about`);
    const { picture, x } = drawTree(this.steps, this.at, this.size);
    $("#tree").replaceChildren(picture);
    $("#tree").setAttribute("aria-label", `${t("explain.title")}: ${this.sentence(step)}`);
    $("#tree").scrollLeft = x - $("#tree").clientWidth / 2;
    this.drawNumbers(step);
  }

  sentence(step) {
    const { kind, children, chosen, value, result } = step;
    const color = t(`color.${step.to_move}`);
    const best = children.find((child) => child.move === chosen);
    if (kind === "select" && !best) return t("explain.select.first");
    if (kind === "select") {
      return t("explain.select.text", {
        color,
        move: chosen,
        score: plain(best.mean + best.bonus),
        count: children.length,
      });
    }
    if (kind === "expand") return t("explain.expand.text", { color, count: children.length });
    if (result)
      return t("explain.evaluate.over", { color, value: signed(value), result: t(`explain.result.${result}`) });
    if (kind === "evaluate") return t("explain.evaluate.text", { color, value: signed(value) });
    if (kind === "back up") return t("explain.backUp.text");
    const total = children.reduce((sum, child) => sum + child.visits, 0);
    return t(total ? "explain.play.text" : "explain.play.none", { color, move: chosen, visits: best.visits, total });
  }

  drawNumbers(step) {
    const moves = step.kind === "select" || step.kind === "play" || step.kind === "expand";
    const table = moves ? this.tableOfMoves(step) : step.updates.length ? this.tableOfUpdates(step) : null;
    const parts = [position(step.moves, this.size, { class: "position" }), table];
    if (step.kind === "select" && table) parts.push(h("p", { class: "muted small" }, t("explain.formula")));
    $("#numbers").replaceChildren(...parts.filter(Boolean));
  }

  tableOfMoves({ children, chosen }) {
    if (!children.length) return null;
    const rows = children.map(({ move, visits, total, mean, prior, bonus }) => {
      const cells = [move, visits, ...[total, mean, prior, bonus, mean + bonus].map(plain)];
      return h("tr", { class: move === chosen && "chosen" }, ...cells.map((cell) => h("td", null, String(cell))));
    });
    return tableOf([t("explain.move"), "N", "W", "Q", "P", "U", "Q + U"], rows);
  }

  tableOfUpdates({ updates }) {
    const rows = updates.map(({ path, added, visits, total, mean }) => {
      const values = path.length ? [signed(added), visits, plain(total), plain(mean)] : ["", visits, "", ""];
      const cells = [path.join(" ") || t("explain.root"), ...values];
      return h("tr", null, ...cells.map((cell) => h("td", null, String(cell))));
    });
    return tableOf([t("explain.node"), t("explain.added"), "N", "W", "Q"], rows);
  }

  // -- what people do

  nextPlayout() {
    const { playout } = this.steps[this.at];
    const next = this.steps.findIndex(
      (step, index) => index > this.at && (step.playout !== playout || step.kind === "play"),
    );
    this.go(next < 0 ? this.steps.length - 1 : next);
  }

  listen() {
    const on = (id, action) => $(`#${id}`).addEventListener("click", action);
    on("back", () => this.go(this.at - 1));
    on("forward", () => this.go(this.at + 1));
    on("playout", () => this.nextPlayout());
    on("end", () => this.go(this.steps.length - 1));
    $("#step").addEventListener("input", (event) => this.go(Number(event.target.value)));
    for (const id of ["position", "evaluator", "playouts"]) $(`#${id}`).addEventListener("change", () => this.ask());
    addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (event.target.closest?.("input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    const moves = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.steps.length - 1 };
    if (!(event.key in moves)) return;
    event.preventDefault();
    this.go(moves[event.key]);
  }
}

function tableOf(heads, rows) {
  const head = h("tr", null, ...heads.map((name) => h("th", { scope: "col" }, name)));
  return h("table", null, h("thead", null, head), h("tbody", null, ...rows));
}

window.explain = new Explain();
