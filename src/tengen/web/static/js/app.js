// The page: holds the game, shows it, and hands what people do to the part that knows about it.

import { Analyse } from "./analyse.js";
import { appear, isDark, otherLanguage } from "./appearance.js";
import { BoardView } from "./board-view.js";
import { channelOf } from "./channel.js";
import { mistakes } from "./chart.js";
import { Connection } from "./connection.js";
import { Dialogs } from "./dialogs.js";
import { $, $$ } from "./dom.js";
import { drawEnd, resultText } from "./end.js";
import { Explorer } from "./explorer.js";
import { Friend } from "./friend.js";
import { t } from "./i18n.js";
import { listenToKeys, press } from "./keys.js";
import { Library } from "./library.js";
import { showOffers } from "./offers.js";
import { Opening } from "./opening.js";
import { drawMoves, drawPlayers } from "./panel.js";
import { Person } from "./person.js";
import { Places } from "./places.js";
import { Play } from "./play.js";
import { turnAt } from "./points.js";
import { Puzzles } from "./puzzles.js";
import { strengthText } from "./rating.js";
import { errorText } from "./refusals.js";
import { Share } from "./share.js";
import { knock } from "./sound.js";
import {
  fragment,
  fromFragment,
  isPossible,
  Keeper,
  loadGame,
  loadSettings,
  newGame,
  roomIn,
  saveSettings,
} from "./store.js";
import { fromMoves } from "./tree.js";
import { Variations } from "./variations.js";
import { Watch } from "./watch.js";
import { openWelcome } from "./welcome.js";

class App {
  constructor() {
    this.settings = loadSettings();
    const saved = loadGame();
    this.game = saved?.game ?? newGame(this.settings.lastGame);
    this.view = saved?.view ?? "play";
    this.facts = null; // what the server said when it greeted
    this.left = saved?.left ?? null; // a game under way that another one was opened instead of
    this.early = null;
    this.board = new BoardView($("#board"), {
      play: (point) => this.choose(point),
      hover: (point) => this.hover(point),
      tentative: (point) => this.showTentative(point),
      placed: () => this.settings.sound && knock(),
    });
    this.play = new Play(this);
    this.analyse = new Analyse(this);
    this.opening = new Opening(this);
    this.friend = new Friend(this);
    this.dialogs = new Dialogs(this);
    this.share = new Share(this);
    this.keeper = new Keeper(() => [this.game, this.view, this.left]);
    this.watch = new Watch(this);
    this.variations = new Variations(this);
    this.person = new Person();
    const send = (request, handler) => this.connection.send(request, handler);
    const refused = (answer) => this.notice(this.errorText(answer));
    const open = ({ size, rule, moves }, number = null) =>
      this.setGame(newGame({ size, rule, mode: "people", kept: true, number }, fromMoves(moves)), "analyse");
    const notice = (text) => this.notice(text);
    this.puzzles = new Puzzles({ send, refused, notice, analyse: open, render: () => this.render() }, this.person);
    this.explorer = new Explorer({
      send,
      render: () => this.render(),
      gameAt: (node) => this.gameAt(node),
      open: (size, rule, moves) => open({ size, rule, moves }),
      choose: (point) => this.choose(point),
      rateOf: (point) => {
        const { visits, win_rate } = this.analyse.candidate(point) ?? {};
        return visits ? win_rate : undefined;
      },
    });
    const curves = () => this.person.curves(this.facts);
    const save = (...file) => this.share.save(...file);
    this.library = new Library({ send, open, save, curves, facts: () => this.facts });
    this.places = new Places(this.view, (view) => this.setView(view));
    this.isFirstVisit = !saved && !this.settings.welcomed && !location.hash;
    this.link = location.hash; // before the page writes its own
    this.badLink = location.hash.length > 1 && !fromFragment(location.hash) && !roomIn(location.hash);
    this.listen();
    this.applySettings();
    this.connection = new Connection(channelOf(document.documentElement), {
      hello: (message, how) => this.greeted(message, how),
      lost: () => this.lost(),
    });
  }

  // -- the game

  /** The game up to what is shown, as messages write it. */
  gameAt(node) {
    return { size: this.game.size, rule: this.game.rule, moves: node.moves() };
  }

  get current() {
    return this.game.current;
  }

  /** How the game ended: {winner, reason, line} or null. The analysis goes on where somebody resigned or was late. */
  result(node = this.game.head) {
    if (this.view === "play" && this.game.ended && node === this.game.head) return this.game.ended;
    return node.state?.result ?? null;
  }

  /** The line that is listed, the empty board first: that of the game, or in the analysis that of the variation. */
  line() {
    const end = this.view === "play" ? this.game.tail : this.current.end();
    return [end.root(), ...end.path()];
  }

  /** The mistakes that a review found on that line. */
  mistakes() {
    return mistakes(this.line());
  }

  /** Keeps a mistake of the person's as a puzzle, where the solvers know what was right. */
  keepMistake(node, { mistake, missed, forced }) {
    const own = this.game.mode === "computer" && this.turn(node.parent) === this.game.human;
    const goal = missed ? "win" : "save";
    if (own && mistake && (missed || forced)) this.person.keepMistake(this.gameAt(node.parent), goal);
  }

  /** Keeps the game in the library when it is over, once. */
  keepGame() {
    const { game } = this;
    if (game.kept || this.view !== "play") return;
    game.kept = true;
    const computer = `${t("player.computer")}, ${t("level", { n: game.level })}`;
    const nameOf = (color) => (game.human === color ? t("player.you") : computer);
    const players = game.mode === "computer" ? { black: nameOf("black"), white: nameOf("white") } : {};
    this.library.keep(this.gameAt(game.head), players, this.result().winner ?? "draw", (number) => {
      game.number = number;
    });
    this.keeper.note();
  }

  /** Takes a node and what follows it out of the tree. */
  drop(node) {
    for (const name of ["head", "tail", "current"]) {
      if (this.game[name].path().includes(node)) this.game[name] = node.parent;
    }
    node.remove();
  }

  /** Puts another game on the board. */
  setGame(game, view = this.view) {
    if (view === "play") this.left = null;
    else if (this.isUnderWay()) this.left = this.game;
    this.play.cancel();
    this.analyse.reset();
    this.board.clearTentative();
    this.game = game;
    this.setView(view);
  }

  /** Whether a game against the computer would be lost if another one took its place. */
  isUnderWay() {
    const { mode, head, ended } = this.game;
    return mode === "computer" && head.ply > 0 && !ended && !head.state?.result;
  }

  /** Shows a node of the tree. */
  goTo(node) {
    this.game.current = node;
    node.select();
    this.board.clearTentative();
    this.changed();
  }

  /** Everything that follows from another position on the board. */
  changed() {
    this.keeper.note();
    this.render();
    this.play.positionChanged();
    if (!this.play.thinksAbout(this.current)) this.askState(this.current); // else it hears of it with the move
    this.analyse.positionChanged();
  }

  /** Learns the facts of a position, once. */
  askState(node) {
    if (node.state) return;
    this.connection?.send({ type: "state", game: this.gameAt(node) }, (answer) => {
      if (answer.type === "state") node.state = answer.state;
      else this.refuse(node, answer);
      this.render();
      this.playEarly(node);
      this.play.stateArrived(node);
      this.analyse.stateArrived(node);
    });
  }

  /** Plays what somebody chose before it was known whether it is forbidden, and now is. */
  playEarly(node) {
    const { early } = this;
    this.early = null;
    if (early?.node === node && node === this.current && node.state) this.choose(early.point);
  }

  /** The server does not accept a move: it is taken from the board again. */
  refuse(node, answer) {
    this.notice(this.errorText(answer));
    if (!node.parent || answer.code !== "illegal") return;
    this.drop(node);
    this.changed();
  }

  errorText(answer) {
    return errorText(answer, this.facts);
  }

  /** The colour of the person, who the rival is, and whether there is a stronger one to choose; nothing where two people share a board, or in the analysis. */
  get side() {
    const { mode, human, level, follows, network } = this.game;
    if (this.view !== "play" || mode === "people" || !human) return null;
    const mayRise = level > 0 && level < this.facts?.levels.at(-1) && !follows && !network;
    return { color: human, rival: mode, mayRise };
  }

  /** Somebody wants to play at a point. */
  choose(point) {
    this.notice(null);
    if (this.view === "puzzles") return this.puzzles.play(point);
    if (this.opening.active) return this.opening.choose(point);
    const node = this.current;
    if (node.moves().includes(point)) return this.notice(t("error.occupied", { point }));
    if (this.result(node)) return undefined;
    if (!node.state && this.refusesFouls && this.turn(node) === "black") {
      this.early = { node, point };
      return undefined;
    }
    const forbidden = this.forbidden(node).find((entry) => entry.point === point);
    if (forbidden) {
      return this.notice(t("error.forbidden", { point, reason: t(`reason.${forbidden.reason}`) }));
    }
    return this.view === "analyse" ? this.goTo(node.play(point)) : this.play.choose(point);
  }

  /** Whether a forbidden point is refused; else black may play it, and loses. */
  get refusesFouls() {
    return this.game.rule === "renju" && (this.game.foul === "refuse" || this.view === "analyse");
  }

  /** The points that are refused at a node. */
  forbidden(node) {
    return this.refusesFouls ? (node.state?.forbidden ?? []) : [];
  }

  hover(point) {
    if (this.view === "analyse") this.analyse.hover(point);
  }

  showTentative(point) {
    $("#confirm").hidden = !point;
    if (point) this.notice(null);
    if (point) $("#status").textContent = t("status.confirm", { point });
  }

  // -- showing

  render() {
    const node = this.current;
    const playing = this.view === "play";
    const special = this.view === "puzzles" ? this.puzzles.position() : this.opening.position();
    this.board.show(
      special ?? {
        size: this.game.size,
        moves: node.moves(),
        forbidden: this.forbidden(node),
        winning: node.state?.result?.line,
        playable: !this.result(node) && (!playing || this.play.mayPlay()),
        hint: playing ? this.play.hintAt(node) : this.mistakes().find((entry) => entry.node === node)?.best,
        grades: playing ? [] : mistakes(node.path()),
      },
      this.settings,
    );
    document.body.dataset.view = this.view;
    $("#watch").hidden = this.view !== "watch";
    $("#main").hidden = this.view === "watch";
    for (const tab of $$("#tabs button")) {
      if (tab.dataset.view === this.view) tab.setAttribute("aria-current", "page");
      else tab.removeAttribute("aria-current");
    }
    $("#resume").hidden = !this.left;
    drawPlayers(this, $("#players"));
    drawMoves(this, $("#moves"));
    this.speak();
    this.play.render();
    this.analyse.render();
    this.variations.render();
    this.opening.render();
    this.friend.render();
    if (this.view === "analyse" && this.facts) this.explorer.show(node, this.game.rule);
    if (this.view === "puzzles") this.puzzles.render();
    const { head, rated } = this.game;
    const result = playing && !this.opening.active ? this.result() : null;
    const strength = rated ? this.person.strength(this.facts) : null;
    drawEnd(result, this.side, head.ply, strength && strengthText(strength, this.facts));
    const atEnd = node === this.line().at(-1);
    for (const [id, off] of [
      ["first", !node.parent],
      ["previous", !node.parent],
      ["next", atEnd],
      ["last", atEnd],
    ]) {
      $(`#${id}`).disabled = off || this.opening.active;
    }
  }

  /** Tells people who do not see the board what happened on it. */
  speak() {
    const { current } = this;
    const text = current.move
      ? t("status.placed", { color: t(`color.${turnAt(current.ply - 1)}`), point: current.move })
      : "";
    const result = this.result(current);
    const spoken = [text, result ? resultText(result, this.side) : null, this.play.hintText()]
      .filter(Boolean)
      .join(". ");
    if ($("#spoken").textContent !== spoken) $("#spoken").textContent = spoken;
  }

  notice(text) {
    const box = $("#notice");
    box.hidden = !text;
    box.textContent = text ?? "";
  }

  banner(text, good = false) {
    const box = $("#banner");
    clearTimeout(this.bannerTimer);
    box.hidden = !text;
    box.textContent = text ?? "";
    box.classList.toggle("good", good);
    if (good) this.bannerTimer = setTimeout(() => this.banner(null), 5000);
  }

  // -- connection

  greeted(message, { again, restarted }) {
    this.facts = message;
    showOffers(message.requests);
    if (again) this.banner(t(restarted ? "connection.restarted" : "connection.back"), true);
    this.play.disconnected();
    this.analyse.disconnected();
    if (!isPossible(this.game, this.facts)) {
      this.setGame(newGame(), "play"); // an address of another version, or made up
      this.notice(t("error.address"));
    }
    if (this.opening.active) this.opening.resume();
    this.friend.resume(this.link);
    this.link = "";
    this.changed();
    this.watch.viewChanged();
    if (this.view === "puzzles") this.puzzles.open();
    if (this.badLink) this.notice(t("error.link"));
    if (this.isFirstVisit) openWelcome((level) => this.dialogs.begin({ level, opening: "none" }));
    this.badLink = this.isFirstVisit = false;
  }

  lost() {
    this.banner(t("connection.lost"));
    this.play.disconnected();
    this.analyse.disconnected();
    this.render();
  }

  // -- views and settings

  setView(view) {
    if (view === "play" && this.view !== "play") this.game.current = this.game.head;
    if (view !== this.view) this.notice(null);
    this.view = view;
    this.places.go(view);
    this.play.viewChanged();
    this.analyse.viewChanged();
    this.watch.viewChanged();
    if (view === "puzzles") this.puzzles.open();
    this.changed();
  }

  applySettings() {
    appear(this.settings);
    this.analyse.showSettings();
    if (this.view === "puzzles" && this.facts) this.puzzles.open();
    this.render();
    this.analyse.askThreats();
  }

  set(name, value) {
    this.settings[name] = value;
    saveSettings(this.settings);
    this.applySettings();
  }

  listen() {
    const on = (id, action) => $(`#${id}`).addEventListener("click", action);
    for (const tab of $$("#tabs button")) tab.addEventListener("click", () => this.setView(tab.dataset.view));
    on("language", () => this.set("language", otherLanguage()));
    on("theme", () => this.set("theme", isDark(this.settings) ? "light" : "dark"));
    on("confirm-place", () => this.board.confirmTentative());
    on("skip", (event) => {
      event.preventDefault();
      this.board.moveCursor(...this.board.cursor);
    });
    on("back", () => this.goTo(this.game.head));
    on("resume", () => this.setGame(this.left, "play"));
    on("first", () => this.step("first"));
    on("previous", () => this.step("previous"));
    on("next", () => this.step("next"));
    on("last", () => this.step("last"));
    on("end-review", () => this.analyse.reviewGame());
    on("end-again", () => (this.friend.active ? this.friend.act("rematch") : this.play.restart()));
    on("play-on", () => this.play.goOnFrom(this.current));
    listenToKeys(this.keys());
    addEventListener("hashchange", () => this.followLink());
  }

  /** Somebody wrote another position into the address, or clicked on a link to one. */
  followLink() {
    if (!this.places.isForeign) return;
    if (roomIn(location.hash)) {
      this.friend.join(roomIn(location.hash));
      return;
    }
    const named = fromFragment(location.hash);
    if (!named) this.notice(t("error.link"));
    else if (fragment(named, named.current) !== fragment(this.game, this.current)) this.setGame(named, "analyse");
  }

  step(where) {
    const node = this.current;
    const line = this.line();
    const target = { first: line[0], previous: node.parent, next: line[node.ply + 1], last: line.at(-1) }[where];
    if (target && target !== node && !this.opening.active) this.goTo(target);
  }

  keys() {
    return {
      u: () => press("undo"),
      r: () => press("redo"),
      h: () => press("hint"),
      n: () => this.dialogs.openNew(),
      a: () => this.setView(this.view === "play" ? "analyse" : "play"),
      m: () => press("next-mistake"),
      " ": () => press("analyse"),
      ArrowLeft: () => this.step("previous"),
      ArrowRight: () => this.step("next"),
      Home: () => this.step("first"),
      End: () => this.step("last"),
      "?": () => this.dialogs.openHelp(),
    };
  }

  turn(node = this.current) {
    return turnAt(node.ply);
  }
}

window.tengen = new App();
