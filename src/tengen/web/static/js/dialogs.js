// The dialogs: new game, settings, help.
import { MOODS } from "./coach.js";
import { $, $$, choice, h } from "./dom.js";
import { number, t } from "./i18n.js";
import { drawKeys } from "./keys.js";
import { levelFor, strengthText } from "./rating.js";
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
    $("#welcome-dialog").addEventListener("close", () => this.app.set("welcomed", true));
    $("#help").addEventListener("click", () => this.openHelp());
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
      mode: game.mode === "friend" ? "computer" : game.mode,
      level: game.level,
      human: game.human,
      rule: game.rule,
      size: game.size,
      minutes: game.minutes,
      opening: "none",
      coach: game.coach,
      ...settings.lastGame,
    };
    const options = (name, values, label) =>
      form.elements[name].replaceChildren(...values.map((value) => h("option", { value }, label(value))));
    const sizes = Array.from({ length: facts.max_size - facts.min_size + 1 }, (_, index) => facts.min_size + index);
    options("size", sizes, (size) => `${size} × ${size}`);
    options("minutes", CLOCKS, (n) => (n ? t("new.clock.minutes", { n }) : t("new.clock.none")));
    options("opening", ["none", ...facts.procedures.map(({ name }) => name)], (name) => t(`new.opening.${name}`));
    options("coach", MOODS, (mood) => t(`new.coach.${mood}`));
    $("#rules").replaceChildren(...facts.rules.map((rule) => choice("rule", rule, t(`rule.${rule}`))));
    form.elements.level.min = facts.levels[0];
    form.elements.level.max = facts.levels.at(-1);
    for (const name of ["mode", "human", "rule"]) form.elements[name].value = last[name];
    for (const name of ["level", "size", "minutes", "opening", "coach"]) form.elements[name].value = String(last[name]);
    form.elements.follows.checked = Boolean(last.follows);
    form.elements.foul.checked = last.foul === "loses";
    this.listNetworks();
    $("#new-dialog").returnValue = "";
    $("#new-dialog").showModal();
    $("#start").focus({ preventScroll: true });
  }

  procedure(name) {
    return this.app.facts.procedures.find((entry) => entry.name === name);
  }

  describeNew() {
    const { elements } = $("#new-form");
    this.describeLevel(elements);
    $("#rule-about").textContent = t(`rule.${elements.rule.value}.about`);
    $("#foul-choice").hidden = elements.rule.value !== "renju" || elements.mode.value === "friend";
    const opening = elements.opening.value;
    $("#opening-about").textContent = opening === "none" ? "" : t(`new.about.${opening}`);
    const smallest = this.procedure(opening)?.smallest ?? 0;
    if (Number(elements.size.value) < smallest) elements.size.value = String(smallest);
    const mode = elements.mode.value;
    for (const part of $$(".computer-only")) part.hidden = mode !== "computer";
    for (const part of $$(".not-people")) part.hidden = mode === "people";
    for (const part of $$(".not-friend")) part.hidden = mode === "friend";
    if (elements.network.options.length < 2) $("#network-choice").hidden = true;
  }

  describeLevel({ level, follows }) {
    const { person, facts } = this.app;
    const strength = person.strength(facts);
    const known = strength ? strengthText(strength, facts) : t("strength.none");
    level.disabled = follows.checked && Boolean(strength);
    $("#level-number").textContent = follows.checked && strength ? levelFor(strength, facts) : level.value;
    $("#level-about").textContent = follows.checked ? known : t(`level.${level.value}`);
  }

  /** The networks of one's own that the server knows now. */
  listNetworks() {
    const { app } = this;
    const select = $("#new-form").elements.network;
    const show = (networks) => {
      const label = ({ name, games }) => t("new.network.own", { name, games: number(games) });
      const own = networks.map((network) => h("option", { value: network.name }, label(network)));
      select.replaceChildren(h("option", { value: "" }, t("new.network.shipped")), ...own);
      const last = app.settings.lastGame.network;
      if (networks.some(({ name }) => name === last)) select.value = last;
      this.describeNew();
    };
    show([]);
    app.connection.send({ type: "networks" }, (answer) => answer.type === "networks" && show(answer.networks));
  }

  startNew() {
    const { app } = this;
    const { elements } = $("#new-form");
    const chosen = {
      mode: elements.mode.value,
      level: Number(elements.level.value),
      follows: elements.follows.checked,
      network: (elements.mode.value === "computer" && elements.network.value) || null,
      foul: elements.rule.value === "renju" && elements.foul.checked ? "loses" : "refuse",
      human: elements.human.value,
      rule: elements.rule.value,
      size: Number(elements.size.value),
      minutes: Number(elements.minutes.value),
      opening: elements.opening.value,
      coach: elements.coach.value,
    };
    if (chosen.mode === "friend") {
      app.friend.host(newGame(chosen));
      return;
    }
    app.settings.lastGame = chosen;
    saveSettings(app.settings);
    this.begin(chosen);
  }

  begin(chosen) {
    const { app } = this;
    const options = { ...chosen };
    const strength = app.person.strength(app.facts);
    if (options.follows && strength) options.level = levelFor(strength, app.facts);
    app.notice(null);
    app.setGame(newGame(options), "play");
    if (options.opening !== "none") app.opening.start(options.opening);
  }

  // -- settings and help

  openHelp() {
    drawKeys($("#keys"));
    $("#help-dialog").showModal();
    $("#help-dialog").scrollTop = 0; // the button that has the focus is below
  }

  openSettings() {
    const form = $("#settings-form");
    for (const name of ["numbers", "coordinates", "confirm", "thoughts", "sound", "animation"])
      form.elements[name].checked = this.app.settings[name];
    for (const name of ["theme", "language"]) form.elements[name].value = this.app.settings[name];
    $("#settings-dialog").showModal();
  }
}
