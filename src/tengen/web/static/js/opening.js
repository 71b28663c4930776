// Opening procedures: the server says what may be done next, this asks for it on the board and with buttons.
import { $, h } from "./dom.js";
import { t } from "./i18n.js";
import { other, turnAt } from "./points.js";
import { fromMoves } from "./tree.js";

export class Opening {
  constructor(app) {
    this.app = app;
    this.answer = null; // the last answer of the server
    this.chosen = []; // points of the action that is being put together
    this.waiting = false;
    $("#guide-undo").addEventListener("click", () => this.undo());
  }

  get active() {
    return Boolean(this.app.game.opening);
  }

  get step() {
    return this.answer?.step ?? null;
  }

  /** Begins: the person is the first player if they chose black. */
  start(name) {
    const { game } = this.app;
    game.opening = {
      name,
      records: [],
      past: [], // the records before each action of a person, to take it back
      computer: game.mode === "computer" ? (game.human === "black" ? "second" : "first") : null,
    };
    this.answer = null;
    this.chosen = [];
    this.send(null);
  }

  resume() {
    this.answer = null;
    this.chosen = [];
    this.send(null);
  }

  /** Takes the last point back, or the last action. */
  undo() {
    const { opening } = this.app.game;
    if (this.waiting) return;
    if (this.chosen.length) {
      this.chosen.pop();
      this.app.render();
    } else if (opening.past.length) {
      opening.records = opening.past.pop();
      this.send(null);
    }
  }

  send(action) {
    const { app } = this;
    const { opening, size, rule } = app.game;
    this.waiting = true;
    const before = opening.records;
    const request = {
      type: "opening",
      procedure: opening.name,
      size,
      rule,
      records: opening.records,
      action,
      computer: opening.computer,
    };
    app.connection.send(request, (answer) => {
      if (app.game.opening !== opening) return;
      this.waiting = false;
      this.chosen = [];
      app.notice(null);
      if (action && answer.type === "opening") opening.past.push(before);
      if (answer.type === "error") {
        app.notice(app.errorText(answer));
        if (!this.answer) app.game.opening = null;
      } else this.take(answer, opening);
      app.changed();
    });
    app.render();
  }

  take(answer, opening) {
    const { game } = this.app;
    this.answer = answer;
    opening.records = answer.records;
    const head = fromMoves(answer.moves);
    head.state = answer.state;
    game.head = game.tail = game.current = head;
    if (opening.computer)
      game.human = (answer.black === "first") === (opening.computer === "second") ? "black" : "white";
    if (answer.step) return;
    game.opening = null;
    game.opened = { name: opening.name, records: answer.records, computer: opening.computer };
    this.answer = null;
    this.app.banner(t("opening.done", { who: nameOf(answer.black, opening) }), true);
  }

  /** A point is chosen on the board. */
  choose(point) {
    const { step, app } = this;
    if (!step || this.waiting) return app.notice(t("error.notYourTurn"));
    const taken = this.chosen.includes(point) || this.answer.moves.includes(point);
    if (taken && step.expects === "offer" && this.chosen.includes(point)) {
      this.chosen = this.chosen.filter((entry) => entry !== point);
      app.render();
      return;
    }
    if (taken) return app.notice(t("error.occupied", { point }));
    if (!this.allowed().includes(point)) {
      const symmetric = step.expects === "offer" && step.points.flat().includes(point);
      return app.notice(t(symmetric ? "opening.symmetric" : "opening.outside", { point }));
    }
    this.chosen.push(point);
    if (step.expects === "pick") this.send({ action: "pick", move: point });
    else if (step.expects === "place" && this.chosen.length === step.colors.length)
      this.send({ action: "place", moves: this.chosen });
    else if (step.expects === "offer" && this.chosen.length === step.count)
      this.send({ action: "offer", moves: this.chosen });
    else app.render();
  }

  /** The points that may be chosen now. */
  allowed() {
    const { step } = this;
    if (!step) return [];
    if (step.expects === "place") return step.points[this.chosen.length] ?? [];
    if (step.expects === "offer")
      return step.points.filter((group) => !group.some((point) => this.chosen.includes(point))).flat();
    return step.expects === "pick" ? step.points[0] : [];
  }

  /** What the board shows meanwhile, or null. */
  position() {
    if (!this.active) return null;
    const moves = this.answer?.moves ?? [];
    const placing = this.step?.expects === "place";
    const area = this.allowed().filter((point) => !this.chosen.includes(point));
    return {
      size: this.app.game.size,
      moves: placing ? [...moves, ...this.chosen] : moves,
      playable: Boolean(this.step) && !this.waiting && area.length > 0,
      ghost: placing ? this.step.colors[this.chosen.length] : "black",
      area: ["place", "offer", "pick"].includes(this.step?.expects) ? area : null,
      offered: this.step?.expects === "offer" ? this.chosen : [],
    };
  }

  render() {
    const { opening, opened } = this.app.game;
    const told = opening ?? opened;
    $("#opened").hidden = !told || told.records.length < 2;
    if (told) $("#opened").textContent = storyOf(told);
    $("#guide").hidden = !this.active;
    if (!this.active) return;
    const { step } = this;
    const buttons = $("#guide-buttons");
    buttons.replaceChildren();
    $("#guide-undo").hidden = this.waiting || !(this.chosen.length || opening.past.length);
    $("#status").textContent = t(`new.opening.${opening.name}`);
    $("#guide-why").textContent =
      step && !this.waiting ? t(`opening.why.${step.expects}`) : t(`new.about.${opening.name}`);
    if (!step || this.waiting) {
      $("#guide-text").textContent = opening.computer ? t("status.thinking") : "…";
      return;
    }
    const who = nameOf(step.person, opening);
    const stones = step.colors
      .map((color, index) => (index < this.chosen.length ? `(${t(`color.${color}`)})` : t(`color.${color}`)))
      .join(", ");
    $("#guide-text").textContent = t(`opening.${step.expects}`, {
      who,
      stones,
      done: this.chosen.length,
      count: step.count,
    });
    const add = (label, action) =>
      buttons.append(h("button", { type: "button", onclick: () => this.send(action) }, label));
    const turn = turnAt(this.answer.moves.length);
    if (step.expects === "swap") {
      // whoever is to move is asked
      add(t("opening.opt.swap", { color: t(`color.${other(turn)}`) }), { action: "swap", swap: true });
      add(t("opening.opt.stay", { color: t(`color.${turn}`) }), { action: "swap", swap: false });
    }
    for (const option of step.options) add(t(`opening.opt.${option}`), { action: "choose", option });
    for (const count of step.numbers) add(String(count), { action: "announce", number: count });
  }
}

/** What the page calls one of the two who carry out a procedure. */
function nameOf(person, { computer }) {
  if (!computer) return t(`opening.${person}`);
  return t(person === computer ? "player.computer" : "opening.you");
}

/** What happened in a procedure so far, in one line; the first of its records is the set-up. */
function storyOf(procedure) {
  const steps = procedure.records.slice(1).map(({ person, action, moves, move, swap, option, number }) => {
    const key = { swap: swap ? "swapped" : "stayed", choose: option }[action] ?? action;
    return t(`opening.told.${key}`, {
      who: nameOf(person, procedure),
      points: (moves ?? [move]).filter(Boolean).join(" "),
      n: number,
    });
  });
  return `${t(`new.opening.${procedure.name}`)}: ${steps.join("; ")}`;
}
