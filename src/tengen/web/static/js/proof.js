// Playing white against what is proven. The server has the certificates; this page asks it about every position.

import { BoardView } from "./board-view.js";
import { $, choice, h } from "./dom.js";
import { t } from "./i18n.js";
import { split } from "./points.js";
import { SidePage } from "./side-page.js";

const SIZE = 15;
const RULES = ["freestyle", "standard"]; // of the certificates that ship
const FIRST = ["h8"];

class Proof extends SidePage {
  constructor() {
    super();
    this.rule = RULES[0];
    this.moves = FIRST; // white is to move, or the game is over, or nothing is proven here
    this.found = null; // the answer that led here
    this.board = new BoardView($("#board"), {
      play: (point) => this.play(point),
      hover: (point) => this.hover(point),
      tentative: () => {},
    });
    this.listen();
    this.applySettings();
    this.follow(location.hash);
  }

  /** A link names the moves, and the rule before them unless it is the first one: #h8i9, #standard/h8i9. */
  follow(hash) {
    const [rule, moves] = hash.includes("/") ? hash.slice(1).split("/") : [RULES[0], hash];
    this.rule = RULES.includes(rule) ? rule : RULES[0];
    this.drawRule();
    const linked = split(moves);
    this.ask(linked.length ? linked : FIRST);
  }

  get link() {
    return `#${this.rule === RULES[0] ? "" : `${this.rule}/`}${this.moves.join("")}`;
  }

  // -- the proof

  /** Shows a position; where black is to move there and wins, the one after its move. */
  async ask(moves) {
    const request = { type: "theory", game: { size: SIZE, rule: this.rule, moves } };
    this.board.show({ size: SIZE, moves, forbidden: [], playable: false }, { numbers: true });
    this.board.drawLengths(null);
    const answer = await this.answer("theory", request);
    if (!answer) return;
    this.moves = answer.move ? [...moves, answer.move] : moves;
    this.found = answer;
    history.replaceState(null, "", this.link);
    this.render();
  }

  get isOver() {
    return Boolean(this.found?.state.result);
  }

  /** Black is to move and no proof says how. */
  get isOpen() {
    return Boolean(this.found) && !this.isOver && this.moves.length % 2 === 0;
  }

  get empty() {
    return SIZE * SIZE - this.moves.length;
  }

  // -- showing

  applySettings() {
    super.applySettings();
    $("#rules").replaceChildren(...RULES.map((rule) => choice("rule", rule, t(`rule.${rule}`))));
    this.drawRule();
  }

  drawRule() {
    $(`#rules [value="${this.rule}"]`).checked = true;
    $("#rule-about").textContent = t(`rule.${this.rule}.about`);
  }

  render() {
    const { found } = this;
    if (!found) return;
    const playable = !this.isOver && !this.isOpen;
    const winning = found.state.result?.line;
    this.board.show({ size: SIZE, moves: this.moves, forbidden: [], winning, playable }, { numbers: true });
    this.board.drawLengths(playable ? found.replies : null);
    this.board.drawLine(null);
    $("#sentence").textContent = this.sentence();
    this.drawThreat();
    this.drawPath();
    this.drawReplies();
    $("#back").disabled = this.moves.length <= 1;
  }

  sentence() {
    const { move, within, replies } = this.found;
    if (this.isOver) return t("proof.over", { n: (this.moves.length + 1) / 2 });
    if (this.isOpen) return t("proof.open", { move: this.moves.at(-1) });
    if (move) return t("proof.wins", { move, n: within - 1 });
    return t(replies.length === this.empty ? "proof.yours" : replies.length ? "proof.partly" : "proof.nothing");
  }

  /** How black goes on if white does nothing about it; the board shows it to who points there. */
  drawThreat() {
    const { threat, move } = this.found;
    const show = (shown) => this.board.drawLine(shown ? threat : null, "black");
    const line = h(
      "button",
      {
        type: "button",
        class: "link",
        onpointerenter: () => show(true),
        onpointerleave: () => show(false),
        onfocus: () => show(true),
        onblur: () => show(false),
      },
      threat.join(" "),
    );
    const quiet = move && !this.isOver ? t("proof.quiet") : "";
    $("#threat").replaceChildren(...(threat.length ? [`${t("proof.threatens")} `, line] : [quiet]));
  }

  drawPath() {
    const steps = [];
    for (let length = 1; length <= this.moves.length; length += 2) steps.push(this.moves.slice(0, length));
    const items = steps.map((moves, index) => {
      const current = moves.length === this.moves.length && "step";
      const text = moves.slice(-2).join(" ");
      const attributes = { type: "button", class: "link", "aria-current": current, onclick: () => this.ask(moves) };
      return h("li", null, h("button", attributes, index ? text : moves[0]));
    });
    if (this.isOpen) items.push(h("li", null, h("strong", null, this.moves.at(-1))));
    $("#path").replaceChildren(...items);
  }

  drawReplies() {
    const replies = this.isOver || this.isOpen ? [] : [...this.found.replies];
    replies.sort((a, b) => b.within - a.within);
    const buttons = replies.map(({ move, within, by_threats }) => {
      const attributes = { type: "button", class: by_threats && "threats", onclick: () => this.play(move) };
      return h("button", attributes, move, h("span", null, String(within)));
    });
    $("#replies").replaceChildren(...buttons);
    const hard = replies.filter((reply) => !reply.by_threats).length;
    const counts = { n: replies.length, total: this.empty, hard };
    $("#summary").textContent = replies.length ? t("proof.summary", counts) : "";
  }

  // -- what people do

  play(point) {
    if (this.isOver || this.isOpen || this.moves.includes(point)) return;
    this.ask([...this.moves, point]);
  }

  hover(point) {
    const reply = this.found?.replies.find(({ move }) => move === point);
    $("#board").title = reply ? t("proof.reply", { move: point, n: reply.within }) : "";
  }

  back() {
    const length = this.isOpen || this.moves.length % 2 === 0 ? this.moves.length - 1 : this.moves.length - 2;
    this.ask(this.moves.slice(0, Math.max(1, length)));
  }

  listen() {
    const on = (id, action) => $(`#${id}`).addEventListener("click", action);
    on("back", () => this.back());
    on("start", () => this.ask(FIRST));
    $("#rules").addEventListener("change", ({ target }) => this.follow(`#${target.value}/`));
    addEventListener("hashchange", () => this.follow(location.hash));
  }
}

window.proof = new Proof();
