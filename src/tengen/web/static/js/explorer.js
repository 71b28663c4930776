// The openings: those that have names, those that are even, and how games went on from a position.
import { $, h, redraw } from "./dom.js";
import { language, number, percent, t } from "./i18n.js";

export class Explorer {
  /** `table`: send, gameAt(node), open(size, rule, moves), choose(point), rateOf(point). */
  constructor(table) {
    this.table = table;
    this.rule = null; // whose openings are listed
    this.node = null; // whose replies are known
    this.found = null;
    $("#openings").addEventListener("toggle", () => this.table.render());
    $("#opening-choice").addEventListener("change", (event) => this.choose(event.target.value));
    $("#replies").addEventListener("click", (event) => {
      const { move } = event.target.closest("[data-move]")?.dataset ?? {};
      if (move) this.table.choose(move);
    });
  }

  /** Shows what is known of a position; asks for it if it is new. */
  show(node, rule) {
    if (!$("#openings").open) return;
    if (this.rule !== rule || this.language !== language()) this.list(rule);
    if (this.node !== node) this.ask(node);
    this.render();
  }

  list(rule) {
    this.rule = rule;
    this.language = language();
    this.table.send({ type: "openings", rule }, (answer) => {
      if (answer.type !== "openings" || rule !== this.rule) return;
      this.openings = answer;
      this.drawChoice(answer);
    });
  }

  drawChoice({ named, balanced, games }) {
    const option = (moves, label) => h("option", { value: moves.join(" ") }, label);
    const nameOf = (entry) => `${entry.number} ${language() === "zh-CN" ? entry.chinese : entry.name}`;
    const group = (label, entries) => h("optgroup", { label }, ...entries);
    const kind = (letter) => named.filter((entry) => entry.number.endsWith(letter));
    const family = (letter) => kind(letter).map((entry) => option(entry.moves, nameOf(entry)));
    $("#opening-choice").replaceChildren(
      h("option", { value: "" }, t("explorer.choose")),
      group(t("explorer.direct"), family("D")),
      group(t("explorer.indirect"), family("I")),
      group(
        t("explorer.balanced"),
        balanced.map((moves) => option(moves, moves.join(" "))),
      ),
    );
    $("#book-about").textContent = t("explorer.about", { games: number(games) });
  }

  choose(moves) {
    if (!moves) return;
    this.table.open(this.openings.size, this.rule, moves.split(" "));
    $("#opening-choice").value = "";
  }

  ask(node) {
    this.node = node;
    this.found = null;
    this.table.send({ type: "explore", game: this.table.gameAt(node) }, (answer) => {
      if (this.node !== node || answer.type !== "explore") return;
      this.found = answer;
      this.render();
    });
  }

  render() {
    const { found } = this;
    const games = found?.tally.games ?? 0;
    $("#book-tally").textContent = !found
      ? "…"
      : games
        ? t("explorer.tally", { n: games, games: number(games), ...shares(found.tally) })
        : t("explorer.unknown");
    $("#proven").hidden = !found?.proven;
    if (found?.proven) $("#proven").textContent = provenText(found.proven);
    $("#replies").hidden = !found?.replies.length;
    if (this.drawn !== found) redraw($("#replies tbody"), ...(found?.replies ?? []).map((reply) => this.row(reply)));
    this.drawn = found;
    this.showRates();
  }

  /** What the search thinks, into rows that stay: a click must end where it began. */
  showRates() {
    const rows = $("#replies tbody").children;
    for (const [index, { moves }] of (this.found?.replies ?? []).entries()) {
      const rate = moves.map((point) => this.table.rateOf(point)).find((known) => known !== undefined);
      rows[index].lastElementChild.textContent = rate === undefined ? "–" : percent(rate);
    }
  }

  row({ moves, tally }) {
    const { black, white } = shares(tally);
    const [move] = moves;
    return h(
      "tr",
      { "data-move": move },
      h("td", null, h("button", { type: "button", class: "link", "data-key": move }, move)),
      h("td", null, number(tally.games)),
      h("td", null, `${black} – ${white}`),
      h("td"),
    );
  }
}

/** Shares of the games that each colour won; draws are in neither. */
function shares({ games, black, white }) {
  return { black: percent(black / games), white: percent(white / games) };
}

function provenText({ winner, move }) {
  const color = t(`color.${winner}`);
  return move ? t("explorer.provenBy", { color, move }) : t("explorer.proven", { color });
}
