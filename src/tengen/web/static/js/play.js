// A game: whose turn it is, the computer's moves, hints, clocks and the end.
import { Coach } from "./coach.js";
import { $, showProgress } from "./dom.js";
import { resultText } from "./end.js";
import { number, percent, t } from "./i18n.js";
import { other } from "./points.js";
import { askFirst } from "./sure.js";

const TICK = 200;

export class Play {
  constructor(app) {
    this.app = app;
    this.thinking = 0; // id of the request
    this.thought = null;
    this.share = 0;
    this.paused = false; // the computer does not think until it is told to go on
    this.hint = null; // {node, move, rate}
    this.hinting = 0;
    this.replaced = null; // {by, game}: the game that was given up for another one by Restart
    this.coach = new Coach({
      send: (request, handler) => app.connection.send(request, handler),
      stop: (id, discard) => app.connection.stop(id, discard),
      gameAt: (node) => app.gameAt(node),
      isWanted: () => this.hasCoach && !app.opening?.active && !app.result(),
      drawLine: (...line) => app.board.drawLine(...line),
      takeBack: () => this.undo(),
      goOn: () => this.heard(),
      refused: (answer) => app.notice(app.errorText(answer)),
      noted: (node, verdict) => app.keepMistake(node, verdict),
      render: () => app.render(),
    });
    this.listen();
    setInterval(() => this.tick(), TICK);
  }

  get game() {
    return this.app.game;
  }

  get hasCoach() {
    return this.game.mode === "computer" && this.game.coach !== "off";
  }

  /** Whether the person may place a stone now. */
  mayPlay() {
    const { game, app } = this;
    if (app.opening.active) return false;
    if (app.result() || game.current !== game.head) return false;
    if (app.friend.active && !app.friend.isOn) return false;
    return game.mode === "people" || app.turn(game.head) === game.human;
  }

  choose(point) {
    const { game, app } = this;
    if (app.result()) return;
    if (game.current !== game.head) {
      app.goTo(game.head);
      return;
    }
    if (!this.mayPlay()) {
      app.notice(t("error.notYourTurn"));
      return;
    }
    if (app.friend.active) {
      app.friend.move(point);
      return;
    }
    this.paused = false;
    const node = game.head.play(point);
    this.coach.dismiss();
    if (this.hasCoach) this.coach.judge(node, game.coach);
    this.advance(node);
  }

  /** The coach has spoken, or the person has heard enough: the game goes on. */
  heard() {
    this.coach.dismiss();
    this.positionChanged();
    this.app.render();
  }

  advance(node) {
    this.setHead(node);
    this.hint = null;
    this.app.goTo(node);
  }

  /** What was taken back stays as a variation, and is done again by Redo while the game keeps to it. */
  setHead(node) {
    const { game } = this;
    game.head = node.promote();
    if (node !== game.tail && !node.towards(game.tail)) game.tail = node;
  }

  // -- the computer

  positionChanged() {
    const { head, current } = this.game;
    if (head.state) this.stateArrived(head);
    else if (this.computerIsDue()) this.think();
    else if (head !== current) this.app.askState(head);
  }

  /** Whether the computer searches at a node: the server then says how it stands there before it moves. */
  thinksAbout(node) {
    return Boolean(this.thinking) && node === this.game.head;
  }

  /** The facts of the head are known: the game is over, or the computer may be due. */
  stateArrived(node) {
    const { app, game } = this;
    if (node !== game.head || !node.state) return;
    if (app.result()) {
      app.keepGame();
      this.settle();
    } else if (this.computerIsDue()) this.think();
  }

  /** Counts a result for the person's strength: of games like those in which the levels were measured, without help. */
  settle() {
    const { app, game } = this;
    const measured = game.rule === "freestyle" && game.size === 15 && game.level >= 1 && !game.network && !game.proven;
    if (game.rated || game.helped || game.mode !== "computer" || !measured || app.view !== "play") return;
    game.rated = true;
    const { winner } = app.result();
    const score = !winner ? 0.5 : winner === game.human ? 1 : 0;
    app.person.countGame(game.level, score);
    app.keeper.note();
    app.render();
  }

  computersTurn() {
    const { app, game } = this;
    return game.mode === "computer" && app.turn(game.head) !== game.human && !app.result() && !app.opening.active;
  }

  computerIsDue() {
    const held = this.paused || this.thinking || this.coach.holds;
    return this.computersTurn() && this.app.view === "play" && !held;
  }

  think() {
    const { app, game } = this;
    const node = game.head;
    this.share = 0;
    const { level, network } = game;
    const id = app.connection.send({ type: "think", game: app.gameAt(node), level, network }, (answer) => {
      if (this.thinking !== id) return;
      if (answer.type === "state") {
        node.state = answer.state;
        if (answer.state.result) this.thinking = 0;
        app.render();
        this.stateArrived(node);
        return;
      }
      if (answer.type === "progress") {
        this.share = answer.share;
        this.thought = { ...answer.thought, node };
        this.renderThinking();
        return;
      }
      this.thinking = 0;
      if (answer.code === "illegal" && !node.state) {
        app.refuse(node, answer);
        return;
      }
      if (answer.type !== "move") {
        this.paused = true;
        app.notice(app.errorText(answer));
        app.render();
        return;
      }
      this.thought = { ...answer.thought, node, move: answer.move, within: answer.within };
      if (answer.within) game.proven = true;
      const child = node.play(answer.move);
      child.state = answer.state;
      if (game.current === node) this.advance(child);
      else {
        this.setHead(child);
        app.changed();
      }
    });
    this.thinking = id;
    app.render();
  }

  /** Forgets a search that is under way. */
  cancel() {
    this.app.connection?.stop(this.thinking, true);
    this.app.connection?.stop(this.hinting, true);
    this.coach.dismiss();
    this.thinking = 0;
    this.hinting = 0;
    this.hint = null;
    this.thought = null;
    this.paused = false;
  }

  disconnected() {
    this.coach.dismiss();
    this.thinking = 0;
    this.hinting = 0;
  }

  viewChanged() {
    if (this.app.view !== "play") this.cancel();
  }

  // -- what people ask for

  listen() {
    const on = (id, action) => $(`#${id}`).addEventListener("click", action);
    on("undo", () => this.undo());
    on("redo", () => this.redo());
    on("hint", () => this.askHint());
    on("swap", () => this.swap());
    askFirst("restart", () => this.restart());
    askFirst("resign", () => this.resign());
    on("now", () => this.app.connection.stop(this.thinking, false));
    on("stop", () => this.stop());
    on("continue", () => this.goOn());
    on("new", () => this.app.dialogs.openNew());
  }

  /** Back to the last position in which the person was to move. */
  undoTarget() {
    const { game, app } = this;
    let node = game.head.parent;
    while (node && game.mode === "computer" && app.turn(node) !== game.human) node = node.parent;
    return node;
  }

  redoTarget() {
    const { game, app } = this;
    const next = (node) => node.towards(game.tail);
    let node = next(game.head);
    while (node && next(node) && game.mode === "computer" && app.turn(node) !== game.human) node = next(node);
    return node;
  }

  /** The game that comes back when Undo finds nothing else to take back. */
  gameBefore() {
    return this.replaced?.by === this.game ? this.replaced.game : null;
  }

  undo() {
    const target = this.undoTarget();
    if (target) this.jump(target);
    else if (this.gameBefore()) this.app.setGame(this.gameBefore(), "play");
  }

  redo() {
    const target = this.redoTarget();
    if (target) this.jump(target);
  }

  jump(node) {
    this.cancel();
    this.game.helped = true;
    this.game.kept = false;
    this.game.ended = null;
    this.app.notice(null);
    this.advance(node);
  }

  askHint() {
    const { app, game } = this;
    const node = game.head;
    if (this.hinting || !this.mayPlay()) return;
    game.helped = true;
    this.hinting = app.connection.send({ type: "think", game: app.gameAt(node), purpose: "hint" }, (answer) => {
      if (answer.type === "state") return;
      if (answer.type === "progress") {
        this.share = answer.share;
        this.renderThinking();
        return;
      }
      this.hinting = 0;
      if (answer.type === "move" && game.head === node) {
        const rate = app.turn(node) === "black" ? answer.thought.win_rate : 1 - answer.thought.win_rate;
        const line = answer.thought.candidates[0]?.line ?? [];
        this.hint = { node, move: answer.move, rate, line, within: answer.within };
      } else if (answer.type === "error") app.notice(app.errorText(answer));
      app.render();
    });
    app.render();
  }

  hintAt(node) {
    return this.hint?.node === node ? this.hint.move : null;
  }

  swap() {
    this.cancel();
    this.game.human = other(this.game.human);
    this.app.changed();
  }

  stop() {
    this.app.connection.stop(this.thinking, true);
    this.thinking = 0;
    this.paused = true;
    this.app.render();
  }

  goOn() {
    this.paused = false;
    this.app.notice(null);
    this.stateArrived(this.game.head);
    this.app.render();
  }

  restart() {
    const { app, game } = this;
    const { size, rule, foul, mode, level, follows, network, coach, human, minutes } = game;
    app.dialogs.begin({ size, rule, foul, mode, level, follows, network, coach, human, minutes, opening: "none" });
    this.replaced = { by: app.game, game };
    app.render();
  }

  resign() {
    const { app, game } = this;
    if (app.friend.active) {
      app.friend.act("resign");
      return;
    }
    const loser = game.mode === "computer" ? game.human : app.turn(game.head);
    this.finish({ winner: other(loser), reason: "resign", line: [] });
  }

  finish(result) {
    this.cancel();
    this.game.ended = result;
    this.app.keepGame();
    this.settle();
    this.app.goTo(this.game.head);
  }

  /** Plays on from a position against the computer, whoever came to it. */
  goOnFrom(node) {
    const { app, game } = this;
    const { level = game.level } = app.settings.lastGame;
    const human = app.turn(node);
    const fresh = {
      mode: "computer",
      level,
      human,
      ended: null,
      helped: true,
      proven: false,
      kept: false,
      head: node.promote(),
      tail: node,
    };
    app.setGame({ ...game, ...fresh }, "play");
  }

  // -- clocks

  tick() {
    const { app, game } = this;
    const now = Date.now();
    const passed = Math.min(now - (this.ticked ?? now), 2000);
    this.ticked = now;
    const playing = app.view === "play" && !app.opening.active && (!app.friend.active || app.friend.isOn);
    const running = game.minutes && game.head.ply > 0 && playing && !app.result();
    if (!running || this.paused || this.coach.holds || !app.connection?.isOpen) return;
    const color = app.turn(game.head);
    game.used[color] += passed / 1000;
    for (const clock of document.querySelectorAll(`.clock[data-color="${color}"]`)) {
      clock.textContent = clockText(game, color);
      clock.classList.toggle("low", game.minutes * 60 - game.used[color] < 20);
    }
    if (game.used[color] < game.minutes * 60) return;
    if (app.friend.active)
      app.friend.act("time"); // the server's clock decides
    else this.finish({ winner: other(color), reason: "time", line: [] });
  }

  // -- showing

  render() {
    const { app, game } = this;
    if (app.view !== "play") {
      $("#back").hidden = true;
      $("#status").textContent = app.result(game.current)
        ? resultText(app.result(game.current))
        : t("status.toMove", { color: t(`color.${app.turn()}`) });
      $("#thoughts").textContent = openingText(game.current) ?? "";
      $("#progress").classList.add("idle");
      return;
    }
    const over = Boolean(app.result());
    const busy = app.opening.active;
    const alone = !app.friend.active; // nobody takes back what a friend has seen
    const late = game.ended?.reason === "time"; // there is no time left in which to play on
    $("#undo").disabled = busy || !alone || late || !(this.undoTarget() ?? this.gameBefore());
    $("#redo").disabled = busy || !alone || late || !this.redoTarget();
    $("#hint").disabled = !alone || !this.mayPlay() || Boolean(this.hinting);
    $("#swap").disabled = busy || over || game.mode !== "computer";
    $("#resign").disabled = busy || over || game.head.ply === 0 || (!alone && !game.human);
    $("#restart").disabled = busy || !alone || game.head.ply === 0;
    $("#back").hidden = game.current === game.head;
    $("#status").textContent = this.statusText();
    const { rule, size } = game;
    $("#facts").textContent = t("game.about", { rule: t(`rule.${rule}`), size, about: t(`rule.${rule}.about`) });
    this.renderThinking();
    this.coach.render();
  }

  statusText() {
    const { app, game } = this;
    if (game.current !== game.head) return t("status.browse");
    if (app.result()) return resultText(app.result(), app.side);
    if (this.thinking) return t("status.thinking");
    if (this.coach.holds) return t(this.coach.state === "judging" ? "coach.looking" : "coach.objects");
    if (app.friend.active && !app.friend.room?.complete) return t("status.waiting");
    if (game.mode !== "people" && app.turn() === game.human) return t("status.yourTurn");
    return t("status.toMove", { color: t(`color.${app.turn()}`) });
  }

  renderThinking() {
    $("#now").hidden = $("#stop").hidden = !this.thinking;
    $("#continue").hidden = !(this.paused && this.computersTurn());
    $("#progress").classList.toggle("idle", !this.thinking && !this.hinting);
    showProgress($("#progress"), this.share);
    $("#thoughts").textContent = this.thoughtText();
  }

  /** The hint at the shown position, if there is one. */
  hintText() {
    if (!this.hintAt(this.game.current)) return null;
    const { move, rate, line, within } = this.hint;
    if (within) return t("hint.theory", { point: move, n: within });
    const text = t("hint.text", { point: move, rate: percent(rate), color: t(`color.${this.app.turn()}`) });
    return line.length > 1 ? `${text} · ${t("thought.expects", { line: line.slice(0, 6).join(" ") })}` : text;
  }

  thoughtText() {
    const hint = this.hintText();
    if (hint) return hint;
    const opening = openingText(this.game.current);
    const { thought } = this;
    const near = thought && this.game.head.ply - thought.node.ply <= 2;
    if (!near || !this.app.settings.thoughts) return opening ?? "";
    const line = expected(thought).slice(0, 6).join(" ");
    const n = thought.playouts;
    const text = thought.within
      ? t("thought.theory", { n: thought.within })
      : t("thought", { rate: percent(thought.win_rate), playouts: number(n), n });
    return `${opening ? `${opening}\n` : ""}${text}${line ? ` · ${t("thought.expects", { line })}` : ""}`;
  }
}

/** What the computer expects: while it thinks from its best move on, then after the move that it played. */
function expected({ move, candidates }) {
  if (!move) return candidates[0]?.line ?? [];
  return candidates.find((candidate) => candidate.move === move)?.line.slice(1) ?? [];
}

function openingText(node) {
  const opening = node.state?.opening;
  if (!opening || node.ply > 6) return null;
  const name = document.documentElement.lang === "zh-CN" ? opening.chinese : opening.name;
  return t("status.opening", { number: opening.number, name });
}

export function clockText(game, color) {
  const left = Math.max(0, Math.ceil(game.minutes * 60 - game.used[color]));
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}
