// Analysis: the best moves, first impressions, threats by name, forced wins, and the review of a game.

import { drawChart, mistakes, plyAt } from "./chart.js";
import { $, arrange, h, showProgress } from "./dom.js";
import { number, percent, short, t } from "./i18n.js";
import { turnAt } from "./points.js";

export class Analyse {
  constructor(app) {
    this.app = app;
    this.rows = new Map(); // move -> its row in the table
    this.pressed = false; // is a pointer down on that table?
    this.reset();
    this.listen();
  }

  reset() {
    this.stopAll();
    this.running = false;
    this.request = null; // {id, node}
    this.latest = null; // {node, thought, heat}
    this.threats = null; // {node, list}
    this.review = null; // {id, done, total}
    this.solving = null; // {id, node}
    this.solution = null; // {node, answer}
    this.shownLine = null;
  }

  stopAll() {
    for (const entry of [this.request, this.review, this.solving]) {
      if (entry) this.app.connection?.stop(entry.id, true);
    }
    clearTimeout(this.player);
  }

  disconnected() {
    this.request = null;
    this.review = null;
    this.solving = null;
  }

  viewChanged() {
    if (this.app.view === "analyse") return;
    this.stopAll();
    this.disconnected();
    for (const draw of ["drawCandidates", "drawHeat", "drawThreats", "drawLine"]) this.app.board[draw](null);
  }

  positionChanged() {
    if (this.app.view !== "analyse") return;
    this.shownLine = null;
    this.app.board.drawLine(null);
    this.stateArrived(this.app.current);
    this.askThreats();
    this.renderMarks();
  }

  stateArrived(node) {
    if (this.app.view !== "analyse" || node !== this.app.current || !node.state) return;
    if (this.request && this.request.node !== node) {
      this.app.connection.stop(this.request.id, true);
      this.request = null;
    }
    if (this.running && !this.request && !this.app.result(node)) this.start(node);
  }

  /** A node is about to leave the tree. */
  forget(node) {
    if (this.solution?.node.path().includes(node)) this.solution = null;
  }

  // -- running analysis

  start(node) {
    const { app } = this;
    if (this.latest?.node !== node) this.latest = null;
    const { best, equal } = app.settings;
    const id = app.connection.send({ type: "analyse", game: app.gameAt(node), best, equal }, (answer) => {
      if (this.request?.id !== id) return;
      if (answer.type === "error") {
        this.running = false;
        this.request = null;
        app.notice(app.errorText(answer));
        this.render();
      } else {
        this.latest = { node, thought: answer.thought, heat: answer.heat, ended: answer.ended };
        this.renderThought();
      }
    });
    this.request = id ? { id, node } : null;
  }

  toggle() {
    this.running = !this.running;
    if (!this.running && this.request) {
      this.app.connection.stop(this.request.id, true);
      this.request = null;
    }
    this.stateArrived(this.app.current);
    this.render();
  }

  restart() {
    if (!this.request) return;
    this.app.connection.stop(this.request.id, true);
    this.request = null;
    this.stateArrived(this.app.current);
  }

  askThreats() {
    const { app } = this;
    const node = app.current;
    if (app.view !== "analyse" || !app.settings.threats || this.threats?.node === node) return;
    app.connection?.send({ type: "threats", game: app.gameAt(node) }, (answer) => {
      if (answer.type !== "threats") return;
      this.threats = { node, list: answer.threats };
      this.renderMarks();
    });
  }

  hover(point) {
    this.showLine(this.candidate(point)?.line ?? null);
    if (!this.app.settings.threats) return;
    const found = this.threats?.list.filter((threat) => threat.point === point) ?? [];
    const texts = found.map((threat) =>
      t("threat.text", { point, shape: t(`shape.${threat.shape}`), color: t(`color.${threat.color}`) }),
    );
    $("#thoughts").textContent = texts.join(" · ");
  }

  showLine(line) {
    if (line === this.shownLine) return;
    this.shownLine = line;
    this.app.board.drawLine(line);
  }

  /** What is known about the shown position. */
  at() {
    return this.latest?.node === this.app.current ? this.latest : null;
  }

  candidate(move) {
    return this.at()?.thought.candidates.find((entry) => entry.move === move);
  }

  // -- forced wins

  solve(kind) {
    const { app } = this;
    const node = app.current;
    if (this.solving) {
      app.connection.stop(this.solving.id, false);
      return;
    }
    const id = app.connection.send({ type: "solve", game: app.gameAt(node), kind }, (answer) => {
      this.solving = null;
      if (answer.type === "solution") this.solution = { node, answer };
      else app.notice(app.errorText(answer));
      this.render();
    });
    this.solution = null;
    this.solving = id ? { id, node } : null;
    this.render();
  }

  /** Plays the line of a forced win on the board, a stone at a time. */
  playOut() {
    let { node } = this.solution;
    const moves = [...this.solution.answer.line];
    clearTimeout(this.player);
    this.app.goTo(node);
    const next = () => {
      if (!moves.length || this.app.current !== node) return;
      node = node.play(moves.shift());
      this.app.goTo(node);
      this.player = setTimeout(next, 550);
    };
    next();
  }

  // -- review

  startReview() {
    const { app } = this;
    if (this.review) {
      app.connection.stop(this.review.id, true);
      this.review = null;
      this.render();
      return;
    }
    const nodes = app.line();
    const id = app.connection.send({ type: "review", game: app.gameAt(nodes.at(-1)) }, (answer) => {
      if (this.review?.id !== id) return;
      if (answer.type === "error") {
        this.review = null;
        app.notice(app.errorText(answer));
      } else {
        nodes[answer.ply].verdict = answer;
        if (answer.ply) app.keepMistake(nodes[answer.ply], answer);
        if (answer.done && app.game.number !== null) app.library.note(app.game.number, countsOf(mistakes(nodes)));
        this.review = answer.done ? null : { id, done: answer.ply + 1, total: answer.total };
      }
      if (answer.done || answer.ply % 5 === 0) app.render();
      else this.renderReview();
    });
    this.review = id ? { id, done: 0, total: nodes.length } : null;
    this.render();
  }

  /** From the end of a game straight to its review. */
  reviewGame() {
    this.app.setView("analyse");
    this.startReview();
    $("#review-text").scrollIntoView({ block: "center" });
  }

  /** To the next mistake or the one before; round and round. */
  mistake(step) {
    const all = this.app.mistakes();
    const { ply } = this.app.current;
    const found =
      step > 0
        ? (all.find((entry) => entry.node.ply > ply) ?? all[0])
        : (all.findLast((entry) => entry.node.ply < ply) ?? all.at(-1));
    if (found) this.app.goTo(found.node);
  }

  // -- showing

  press(down) {
    this.pressed = down;
  }

  listen() {
    const on = (id, action) => $(`#${id}`).addEventListener("click", action);
    on("analyse", () => this.toggle());
    on("vcf", () => this.solve("vcf"));
    on("vct", () => this.solve("vct"));
    on("play-out", () => this.playOut());
    on("review", () => this.startReview());
    on("next-mistake", () => this.mistake(1));
    on("previous-mistake", () => this.mistake(-1));
    for (const name of ["equal", "heat", "threats", "numbers"]) {
      $(`#${name}`).addEventListener("change", (event) => {
        this.app.set(name, event.target.checked);
        if (name === "equal") this.restart();
      });
    }
    const moveOf = (event) => event.target.closest("[data-move]")?.dataset.move;
    on("candidates", (event) => moveOf(event) && this.app.choose(moveOf(event)));
    $("#candidates").addEventListener("pointerover", (event) =>
      this.showLine(this.candidate(moveOf(event))?.line ?? null),
    );
    $("#candidates").addEventListener("pointerleave", () => this.showLine(null));
    $("#candidates").addEventListener("pointerdown", () => this.press(true));
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => this.press(false));
    $("#chart").addEventListener("click", (event) => {
      const line = this.app.line();
      this.app.goTo(line[plyAt(event, line.length)]);
    });
    $("#chart").addEventListener("keydown", (event) => {
      const where = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" }[event.key];
      if (!where) return;
      event.preventDefault();
      this.app.step(where);
    });
    $("#best").addEventListener("change", (event) => {
      this.app.set("best", Number(event.target.value));
      this.restart();
    });
  }

  showSettings() {
    const { settings } = this.app;
    for (const name of ["equal", "heat", "threats", "numbers"]) $(`#${name}`).checked = settings[name];
    $("#best").value = String(settings.best);
  }

  render() {
    if (this.app.view !== "analyse") return;
    $("#play-on").disabled = Boolean(this.app.result(this.app.current));
    this.renderThought();
    this.renderReview();
    this.renderSolution();
  }

  /** What changes with every update of the analysis, several times a second. */
  renderThought() {
    this.renderButton();
    this.renderBalance();
    this.renderCandidates();
    this.renderMarks();
    if (this.app.explorer?.found) this.app.explorer.render();
  }

  /** There is nothing to pause where the search has come to its end. */
  renderButton() {
    const ended = Boolean(this.at()?.ended) || Boolean(this.app.result(this.app.current));
    $("#analyse").textContent = t(this.running && !ended ? "analyse.pause" : "analyse.run");
    $("#analyse").disabled = this.running && ended;
    $("#legend").hidden = !this.app.settings.threats;
  }

  renderMarks() {
    if (this.app.view !== "analyse") return;
    const { board, settings } = this.app;
    const now = this.at();
    board.drawCandidates(now?.thought.candidates ?? null);
    board.drawHeat(settings.heat ? now?.heat : null);
    board.drawThreats(settings.threats && this.threats?.node === this.app.current ? this.threats.list : null);
  }

  renderBalance() {
    const rate = this.at()?.thought.win_rate ?? this.app.current.verdict?.win_rate;
    const box = $("#balance");
    box.hidden = rate === undefined;
    if (rate === undefined) return;
    box.firstElementChild.style.width = `${rate * 100}%`;
    box.dataset.black = rate > 0.25 ? `${t("analyse.black")} ${percent(rate)}` : "";
    box.setAttribute("aria-label", `${t("analyse.black")} ${percent(rate)}`);
    box.dataset.white = rate < 0.75 ? `${t("analyse.white")} ${percent(1 - rate)}` : "";
  }

  renderCandidates() {
    const now = this.at();
    $("#candidates").hidden = !now;
    const over = Boolean(this.app.result(this.app.current));
    $("#candidates-text").hidden = Boolean(now) || (this.running && !over);
    $("#candidates-text").textContent = t(over ? "analyse.over" : "analyse.off");
    $("#speed").textContent = "";
    if (!now) return;
    const { thought } = now;
    const speed = short(Math.round(thought.playouts / Math.max(thought.seconds, 0.05)));
    const { playouts: n, depth } = thought;
    $("#speed").textContent = t("analyse.speed", { n, playouts: number(n), speed, depth });
    if (now.ended) $("#speed").textContent += ` · ${t(`analyse.ended.${now.ended}`)}`;
    const rows = thought.candidates.map((candidate) => this.row(candidate));
    if (!this.pressed) arrange($("#candidates tbody"), rows); // a click must end where it began
  }

  /** The row of a candidate, the same in every update. */
  row({ move, proof, win_rate, visits, line }) {
    if (!this.rows.has(move)) {
      const button = h("button", { type: "button", class: "link" }, move);
      this.rows.set(
        move,
        h("tr", { "data-move": move }, h("td", null, button), h("td"), h("td"), h("td", { class: "muted" })),
      );
    }
    const row = this.rows.get(move);
    const known = visits ? percent(win_rate) : "–"; // a move that was not tried has no rate of its own
    const rate = proof ? t({ win: "analyse.win", loss: "analyse.loss", draw: "analyse.drawn" }[proof]) : known;
    for (const [index, text] of [rate, short(visits), line.slice(1, 8).join(" ")].entries()) {
      row.cells[index + 1].textContent = text;
    }
    return row;
  }

  renderReview() {
    const nodes = this.app.line();
    const all = this.app.mistakes();
    const drawn = drawChart($("#chart"), nodes, this.app.current, all);
    const here = all.find((entry) => entry.node === this.app.current);
    let text = drawn ? "" : t("review.empty");
    if (this.review) text = t("review.progress", { n: this.review.done, total: this.review.total });
    else if (here) {
      const { grade, drop, best, missed } = here;
      text = t("review.better", { kind: t(`review.${grade}`), move: here.node.move, drop: percent(drop), best });
      if (missed) text += ` ${t("review.missed", { kind: missed.toUpperCase() })}`;
    } else if (this.app.current.verdict?.theory) text = t("review.theory");
    else if (drawn) text = summaryOf(nodes, all);
    $("#review-text").textContent = text;
    $("#review").textContent = t(this.review ? "review.stop" : "review.run");
    $("#review").disabled = nodes.length < 2;
    $("#review-progress").hidden = !this.review;
    if (this.review) showProgress($("#review-progress"), this.review.done / this.review.total);
    const others = all.some((entry) => entry.node !== this.app.current);
    $("#next-mistake").disabled = $("#previous-mistake").disabled = !others;
  }

  renderSolution() {
    const box = $("#solution");
    const over = Boolean(this.app.result(this.app.current));
    $("#vcf").disabled = $("#vct").disabled = over && !this.solving;
    const found = this.solution;
    const near =
      found && (found.node === this.app.current || this.app.current.path().includes(found.node) || !found.node.parent);
    box.hidden = !(this.solving || near);
    $("#play-out").hidden = !(near && found.answer.status === "win");
    if (this.solving) box.textContent = `${t("analyse.searching")} …`;
    else if (near) {
      const { status, kind, line, nodes } = found.answer;
      const color = t(`color.${this.app.turn(found.node)}`);
      const values = { kind: kind.toUpperCase(), color, n: Math.ceil(line.length / 2), nodes: number(nodes) };
      box.textContent =
        status === "win" ? `${t("analyse.found", values)} ${line.join(" ")}` : t(`analyse.${status}`, values);
    }
  }
}

/** How many mistakes of each kind either side made. */
function countsOf(all) {
  const counted = (color) => {
    const own = all.filter(({ node }) => turnAt(node.ply - 1) === color);
    const count = (grade) => own.filter((entry) => entry.grade === grade).length;
    return { blunders: count("blunder"), mistakes: count("mistake"), inaccuracies: count("inaccuracy") };
  };
  return { black: counted("black"), white: counted("white") };
}

/** How well either side played: what a move lost on the average, in points of win rate, and the mistakes. */
function summaryOf(nodes, all) {
  const lines = Object.entries(countsOf(all)).map(([color, counts]) => {
    const own = nodes.filter(({ ply, verdict }) => ply && verdict && turnAt(ply - 1) === color);
    const lost = own.reduce((sum, { verdict }) => sum + Math.max(0, verdict.loss), 0);
    const loss = ((100 * lost) / Math.max(1, own.length)).toFixed(1);
    return t("review.summary", { color: t(`color.${color}`), loss, ...counts });
  });
  return [...lines, ...(all.length ? [] : [t("review.none")])].join("\n");
}
