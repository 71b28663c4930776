// The dialogs: new game, end, settings.

import { stoneIcon } from "./board-shapes.js";
import { $, $$, choice, h } from "./dom.js";
import { t } from "./i18n.js";
import { resultText } from "./play.js";
import { other } from "./points.js";
import { newGame, saveSettings } from "./store.js";

const CLOCKS = [0, 1, 3, 5, 10, 20, 30];

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
    for (const dialog of $$("dialog")) {
      dialog.addEventListener("click", (event) => {
        if (event.target === dialog) dialog.close("cancel"); // outside of the form
      });
    }
  }

  // -- new game

  openNew() {
    const form = $("#new-form");
    const { game, settings, facts } = this.app;
    if (!facts) return; // the server has not greeted yet
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
    const sizes = Array.from({ length: facts.max_size - facts.min_size + 1 }, (_, index) => facts.min_size + index);
    options("size", sizes, (size) => `${size} × ${size}`);
    options("minutes", CLOCKS, (n) => (n ? t("new.clock.minutes", { n }) : t("new.clock.none")));
    options("opening", ["none", ...facts.procedures.map(({ name }) => name)], (name) => t(`new.opening.${name}`));
    $("#rules").replaceChildren(...facts.rules.map((rule) => choice("rule", rule, t(`rule.${rule}`))));
    form.elements.level.min = facts.levels[0];
    form.elements.level.max = facts.levels.at(-1);
    for (const name of ["mode", "human", "rule"]) form.elements[name].value = last[name];
    for (const name of ["level", "size", "minutes", "opening"]) form.elements[name].value = String(last[name]);
    this.describeNew();
    $("#new-dialog").returnValue = "";
    $("#new-dialog").showModal();
    $("#start").focus();
  }

  procedure(name) {
    return this.app.facts.procedures.find((entry) => entry.name === name);
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
}
