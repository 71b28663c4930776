// The review of a game as a page of its own, as `tengen review --html` writes it.
import { appear, otherLanguage } from "./appearance.js";
import { stoneIcon } from "./board-shapes.js";
import { BoardView } from "./board-view.js";
import { drawChart, mistakes, plyAt } from "./chart.js";
import { $, h } from "./dom.js";
import { number, percent, preferredLanguage, t } from "./i18n.js";
import { turnAt } from "./points.js";

class ReviewPage {
  /** `review`: {size, rule, playouts, black, white, result, positions: [{ply, move, best, line, verdict}]}. */
  constructor(review) {
    this.review = review;
    this.nodes = review.positions;
    this.found = mistakes(this.nodes);
    this.board = new BoardView($("#board"), { play: () => {}, hover: () => {}, tentative: () => {} });
    this.settings = { theme: "auto", language: preferredLanguage() };
    this.listen();
    this.go(this.nodes.length - 1);
  }

  get last() {
    return this.nodes.length - 1;
  }

  listen() {
    const steps = { first: () => 0, previous: () => this.ply - 1, next: () => this.ply + 1, last: () => this.last };
    for (const [id, target] of Object.entries(steps)) $(`#${id}`).addEventListener("click", () => this.go(target()));
    $("#language").addEventListener("click", () => {
      this.settings.language = otherLanguage();
      this.render();
    });
    $("#chart").addEventListener("click", (event) => this.go(plyAt(event, this.nodes.length)));
    document.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step && !$("#board").contains(event.target)) this.go(this.ply + step);
    });
  }

  go(ply) {
    this.ply = Math.max(0, Math.min(this.last, ply));
    this.render();
  }

  render() {
    appear(this.settings);
    document.title = `${t("review.page")} · Tengen`;
    $("#facts").textContent = this.facts().join(" · ");
    $("#place").textContent = `${this.ply} / ${this.last}`;
    this.renderBoard();
    drawChart($("#chart"), this.nodes, this.nodes[this.ply], this.found);
    $("#text").textContent = this.sentence();
    $("#rows").replaceChildren(...this.nodes.slice(1).map((node) => this.row(node)));
    const current = $("#rows").children[this.ply - 1];
    if (current) $("#list").scrollTop = current.offsetTop - $("#list").clientHeight / 2;
  }

  facts() {
    const { size, rule, playouts, black, white, result } = this.review;
    const names = black || white ? `${t("color.black")} ${black || "?"} – ${t("color.white")} ${white || "?"}` : "";
    const end = { draw: t("end.draw"), "": "" }[result] ?? t("end.wins", { color: t(`color.${result}`) });
    const searched = t("review.playouts", { n: number(playouts) });
    return [names, t(`rule.${rule}`), `${size}×${size}`, end, searched].filter(Boolean);
  }

  renderBoard() {
    const { move, best } = this.nodes[this.ply];
    const moves = this.nodes.slice(1, this.ply + 1).map((node) => node.move);
    const hint = best !== move ? best : undefined;
    this.board.show({ size: this.review.size, moves, hint }, { numbers: true, animation: false });
  }

  /** What there is to say about the move that led to the position. */
  sentence() {
    const { move, best, line, verdict } = this.nodes[this.ply];
    if (!move) return t("review.start");
    const rate = `${t("review.title")} ${percent(verdict.win_rate)}`;
    const judged = [`${this.ply}. ${t(`color.${turnAt(this.ply - 1)}`)} ${move}: ${rate}.`];
    const here = this.found.find((entry) => entry.node.ply === this.ply);
    if (here)
      judged.push(t("review.better", { kind: t(`review.${here.grade}`), move, drop: percent(here.drop), best }));
    if (verdict.missed) judged.push(t("review.missed", { kind: verdict.missed.toUpperCase() }));
    if (best !== move) judged.push(`${t("review.best")}: ${line.join(" ")}`);
    return judged.join(" ");
  }

  row({ ply, move, best, verdict }) {
    const { mistake, missed, loss, win_rate } = verdict;
    const judged = [mistake && t(`review.${mistake}`), missed?.toUpperCase()].filter(Boolean).join(", ");
    const button = h("button", { type: "button", class: "link", onclick: () => this.go(ply) }, move);
    return h(
      "tr",
      { "aria-current": ply === this.ply && "true", class: missed ? "blunder" : mistake },
      h("td", { class: "muted" }, String(ply)),
      h("td", null, stoneIcon(turnAt(ply - 1)), " ", button),
      h("td", null, percent(win_rate)),
      h("td", null, loss >= 0.005 ? percent(loss) : ""),
      h("td", null, judged),
      h("td", null, best === move ? "" : best),
    );
  }
}

export function show(review) {
  return new ReviewPage(review);
}
