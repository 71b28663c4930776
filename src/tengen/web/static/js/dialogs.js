// The dialogs: new game, end, settings, import and export.

import { stoneIcon } from "./board-view.js";
import { $, $$, h } from "./dom.js";
import { t } from "./i18n.js";
import { resultText } from "./play.js";
import { other } from "./points.js";
import { fragment, newGame, saveSettings } from "./store.js";
import { fromList, toList } from "./tree.js";

const CLOCKS = [0, 1, 3, 5, 10, 20, 30];
const MAX_TEXT = 40_000;

export class Dialogs {
  constructor(app) {
    this.app = app;
    this.listen();
  }

  listen() {
    const form = $("#new-form");
    form.addEventListener("input", (event) => {
      const { rule } = this.procedure(event.target.value) ?? {};
      if (rule === "renju") form.elements.rule.value = rule; // the others do with any rule
      this.describeNew();
    });
    $("#new-dialog").addEventListener("close", (event) => {
      if (event.target.returnValue === "start") this.startNew();
    });
    $("#end-dialog").addEventListener("close", (event) => this.afterEnd(event.target.returnValue));
    $("#settings").addEventListener("click", () => this.openSettings());
    $("#settings-form").addEventListener("input", (event) => {
      const { name, type, checked, value } = event.target;
      this.app.set(name, type === "checkbox" ? checked : value);
    });
    $("#link").addEventListener("click", (event) => {
      const link = location.origin + location.pathname + fragment(this.app.game, this.app.current);
      this.copy(link, event.target, () => this.app.notice(link));
    });
    $("#import").addEventListener("click", () => this.openImport());
    $("#import-open").addEventListener("click", () => this.importText());
    $("#import-file").addEventListener("change", (event) => this.readFile(event.target.files[0]));
    $("#export").addEventListener("click", () => this.openExport());
    $("#export-copy").addEventListener("click", (event) =>
      this.copy($("#export-text").value, event.target, () => $("#export-text").select()),
    );
    $("#export-save").addEventListener("click", () =>
      this.save(new Blob([$("#export-text").value], { type: "text/plain" }), `tengen.${this.format}`),
    );
    $("#export-svg").addEventListener("click", () =>
      this.save(new Blob([this.app.board.picture()], { type: "image/svg+xml" }), "tengen.svg"),
    );
    $("#export-png").addEventListener("click", () => this.savePng());
    for (const dialog of $$("dialog")) {
      dialog.addEventListener("click", (event) => {
        if (event.target === dialog) dialog.close("cancel"); // outside of the form
      });
    }
  }

  // -- new game

  openNew() {
    const form = $("#new-form");
    const { game, settings } = this.app;
    const last = {
      mode: game.mode,
      level: game.level,
      human: game.human,
      rule: game.rule,
      size: game.size,
      minutes: game.minutes,
      opening: "none",
      ...settings.lastGame,
    };
    const options = (name, values, label) =>
      form.elements[name].replaceChildren(...values.map((value) => h("option", { value }, label(value))));
    options(
      "size",
      Array.from({ length: 16 }, (_, index) => index + 5),
      (size) => `${size} × ${size}`,
    );
    options("minutes", CLOCKS, (n) => (n ? t("new.clock.minutes", { n }) : t("new.clock.none")));
    options("opening", ["none", ...this.app.procedures.map(({ name }) => name)], (name) => t(`new.opening.${name}`));
    for (const name of ["mode", "human", "rule"]) form.elements[name].value = last[name];
    for (const name of ["level", "size", "minutes", "opening"]) form.elements[name].value = String(last[name]);
    this.describeNew();
    $("#new-dialog").returnValue = "";
    $("#new-dialog").showModal();
    $("#start").focus();
  }

  procedure(name) {
    return this.app.procedures.find((entry) => entry.name === name);
  }

  describeNew() {
    const { elements } = $("#new-form");
    $("#level-number").textContent = elements.level.value;
    $("#level-about").textContent = t(`level.${elements.level.value}`);
    $("#rule-about").textContent = t(`rule.${elements.rule.value}.about`);
    const opening = elements.opening.value;
    $("#opening-about").textContent = opening === "none" ? "" : t(`new.about.${opening}`);
    const smallest = this.procedure(opening)?.smallest ?? 0;
    if (Number(elements.size.value) < smallest) elements.size.value = String(smallest);
    for (const part of $$(".computer-only")) part.hidden = elements.mode.value !== "computer";
  }

  startNew() {
    const { app } = this;
    const { elements } = $("#new-form");
    const chosen = {
      mode: elements.mode.value,
      level: Number(elements.level.value),
      human: elements.human.value,
      rule: elements.rule.value,
      size: Number(elements.size.value),
      minutes: Number(elements.minutes.value),
      opening: elements.opening.value,
    };
    app.settings.lastGame = chosen;
    saveSettings(app.settings);
    this.begin(chosen);
  }

  begin(options) {
    const { app } = this;
    app.notice(null);
    app.setGame(newGame(options), "play");
    if (options.opening !== "none") app.opening.start(options.opening);
  }

  // -- the end

  openEnd(result) {
    const { app } = this;
    const { game } = app;
    $("#end-stone").replaceChildren(
      ...(result.winner ? [stoneIcon(result.winner)] : [stoneIcon("black"), stoneIcon("white")]),
    );
    $("#end-title").textContent = resultText(app, result);
    const loser = result.winner && t(`color.${other(result.winner)}`);
    const key = result.reason === "draw" ? "end.drawReason" : `end.${result.reason}`;
    $("#end-text").textContent = t(key, { n: game.head.ply, color: loser });
    $("#end-dialog").returnValue = "";
    // A moment to see the last stone.
    setTimeout(() => app.game === game && app.result() && !$("#end-dialog").open && $("#end-dialog").showModal(), 450);
  }

  afterEnd(choice) {
    const { app } = this;
    if (choice === "again") app.play.restart();
    else if (choice === "review") {
      app.setView("analyse");
      app.analyse.startReview();
    }
  }

  // -- settings

  openSettings() {
    const form = $("#settings-form");
    for (const name of ["numbers", "coordinates", "confirm", "animation"])
      form.elements[name].checked = this.app.settings[name];
    for (const name of ["theme", "language"]) form.elements[name].value = this.app.settings[name];
    $("#settings-dialog").showModal();
  }

  // -- files

  openImport() {
    $("#import-text").value = "";
    $("#import-file").value = "";
    $("#import-error").hidden = true;
    $("#import-dialog").showModal();
    $("#import-text").focus();
  }

  async readFile(file) {
    if (!file) return;
    $("#import-text").value = await file.slice(0, 4 * MAX_TEXT).text();
    this.importText();
  }

  importText() {
    const { app } = this;
    const text = $("#import-text").value.slice(0, MAX_TEXT + 1); // the server says that it is too long
    const refuse = (why) => {
      $("#import-error").hidden = false;
      $("#import-error").textContent = why;
    };
    const sent = app.connection.send({ type: "import", text, rule: app.game.rule, size: app.game.size }, (answer) => {
      if (answer.type !== "import") return refuse(app.errorText(answer));
      $("#import-dialog").close();
      const { size, rule } = answer.game;
      app.setGame(newGame({ size, rule, mode: "people", announced: true }, fromList(answer.tree).end()), "analyse");
      return undefined;
    });
    if (!sent) refuse(t("connection.lost"));
  }

  openExport() {
    const { formats } = this.app;
    const buttons = (formats ?? ["pos"]).map((name, index) =>
      h(
        "label",
        null,
        h("input", {
          type: "radio",
          name: "format",
          value: name,
          checked: index === 0,
          onchange: () => this.exportAs(name),
        }),
        h("span", null, name.toUpperCase()),
      ),
    );
    $("#export-formats").replaceChildren(...buttons);
    this.exportAs(formats?.[0] ?? "pos");
    $("#export-dialog").showModal();
  }

  exportAs(format) {
    const { app } = this;
    this.format = format;
    // SGF takes the whole game with its variations, the other formats the moves up to the shown position.
    const tree = format === "sgf" ? toList(app.current.root()) : [];
    const winner = app.game.ended?.winner ?? null;
    const show = (text) => {
      $("#export-text").value = text;
    };
    const sent = app.connection.send(
      { type: "export", game: app.gameAt(app.current), format, tree, winner },
      (answer) => {
        show(answer.type === "export" ? answer.text : app.errorText(answer));
      },
    );
    show(sent ? "" : t("connection.lost"));
  }

  /** Copies a text; `otherwise` shows it where a page may not write to the clipboard, as without HTTPS. */
  async copy(text, button, otherwise) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      otherwise();
      return;
    }
    const before = button.textContent;
    button.textContent = t("action.copied");
    setTimeout(() => button.replaceChildren(before), 1200);
  }

  save(blob, name) {
    const url = URL.createObjectURL(blob);
    h("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }

  async savePng() {
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([this.app.board.picture()], { type: "image/svg+xml" }));
    await image.decode();
    const canvas = h("canvas", { width: image.width * 2, height: image.height * 2 });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => this.save(blob, "tengen.png"), "image/png");
  }
}
