// The library: finished games are kept on the computer that serves the board, or in the browser where there is no
// server, to be found and opened again.
import { $, h } from "./dom.js";
import { number, t } from "./i18n.js";
import { drawProgress } from "./progress.js";

const TYPING = 250;

export class Library {
  /** `table`: send, open(game), save(text, type, name), facts, curves; the dialog asks, the table opens what was found. */
  constructor(table) {
    this.table = table;
    this.offset = 0;
    $("#library").addEventListener("click", () => this.open());
    $("#library-text").addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.search(), TYPING);
    });
    for (const id of ["library-rule", "library-result"]) $(`#${id}`).addEventListener("change", () => this.search());
    $("#library-export").addEventListener("click", (event) => this.export(event));
    $("#library-more").addEventListener("click", () => this.search({ offset: this.offset }));
  }

  /** Keeps a finished game. */
  keep(game, players, result, kept) {
    // Elsewhere than at home there is none.
    this.table.send({ type: "keep", game, ...players, result }, ({ number: id }) => id !== undefined && kept(id));
  }

  /** Keeps what a review found of a game that is in the library. */
  note(id, counts) {
    this.table.send({ type: "note", number: id, ...counts }, () => {});
  }

  open() {
    const option = (value, label) => h("option", { value }, label);
    const { rules } = this.table.facts();
    $("#library-rule").replaceChildren(
      option("", t("library.anyRule")),
      ...rules.map((rule) => option(rule, t(`rule.${rule}`))),
    );
    const results = ["black", "white", "draw"].map((result) => option(result, resultText(result)));
    $("#library-result").replaceChildren(option("", t("library.anyResult")), ...results);
    drawProgress($("#progress-curves"), this.table.curves());
    this.search();
    $("#library-dialog").showModal();
    $("#library-text").focus();
  }

  /** Shows what is found; with an offset, what comes after what is shown. */
  search(more = {}) {
    const request = {
      type: "library",
      text: $("#library-text").value,
      rule: $("#library-rule").value || null,
      result: $("#library-result").value || null,
      offset: 0,
      ...more,
    };
    this.table.send(request, (answer) => {
      if (answer.type === "library") this.show(answer, request.offset);
      else $("#library-total").textContent = t("library.closed");
    });
  }

  show({ games, total }, offset) {
    this.offset = offset + games.length;
    const list = $("#library-games");
    if (!offset) list.replaceChildren();
    list.append(...games.map((kept) => this.row(kept)));
    $("#library-more").hidden = this.offset >= total;
    $("#library-total").textContent = t("library.total", { n: total, count: number(total) });
  }

  /** A server has everything behind a link; a worker has to be asked. */
  export(event) {
    if (!this.table.facts().requests.includes("library.sgf")) return;
    event.preventDefault();
    this.table.send({ type: "library.sgf" }, ({ text }) => {
      if (text) this.table.save(text, "application/x-go-sgf", "tengen-library.sgf");
    });
  }

  row({ number: id, played, game, black, white, result, mistakes }) {
    const day = new Date(played).toLocaleDateString(document.documentElement.lang);
    const names = `${black || t("color.black")} – ${white || t("color.white")}`;
    const about = `${day} · ${t(`rule.${game.rule}`)} ${game.size} × ${game.size} · ${t("library.moves", { n: game.moves.length })}`;
    const open = h(
      "button",
      { type: "button", class: "game", "data-number": id, onclick: () => this.choose(game, id) },
      h("strong", null, `${names}: ${resultText(result)}`),
      h("span", { class: "muted small" }, about),
      mistakes.length ? h("span", { class: "muted small" }, reviewText(mistakes)) : null,
    );
    const label = t("library.delete");
    const remove = { type: "button", class: "quiet", title: label, "aria-label": label };
    return h("li", null, open, h("button", { ...remove, onclick: () => this.search({ delete: id }) }, "×"));
  }

  choose(game, id) {
    $("#library-dialog").close();
    this.table.open(game, id);
  }
}

function reviewText(mistakes) {
  const count = ({ inaccuracies, mistakes: n, blunders }) => inaccuracies + n + blunders;
  return t("library.reviewed", { black: count(mistakes[0]), white: count(mistakes[1]) });
}

function resultText(result) {
  return result === "draw" ? t("end.draw") : t("end.wins", { color: t(`color.${result}`) });
}
