// A game with a friend: both pages are in one room of the server, which keeps the moves and the clocks.
import { $ } from "./dom.js";
import { t } from "./i18n.js";
import { attempt, newGame, read, roomIn } from "./store.js";

const KEYS = "tengen.seats"; // the keys of one's seats, by room
const MOST_KEYS = 20;
const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

export class Friend {
  constructor(app) {
    this.app = app;
    this.room = null; // as the server said last
    this.request = 0;
    $("#friend-copy").addEventListener("click", () => this.copy());
    // A browser may keep a page that was left, connection and all, and bring it back.
    addEventListener("pagehide", () => app.connection.stop(this.request, true));
    addEventListener("pageshow", ({ persisted }) => persisted && this.resume(""));
  }

  get active() {
    return this.app.game.mode === "friend";
  }

  /** Whether a stone may be placed: both have come, and the server has not ended the game. */
  get isOn() {
    return Boolean(this.room?.complete) && !this.room.result;
  }

  get link() {
    return `${location.origin}${location.pathname}#friend/${this.app.game.room}`;
  }

  /** Opens a room and waits in it. */
  host({ size, rule, minutes, human }) {
    this.app.connection.send({ type: "host", size, rule, minutes, color: human }, (answer) => {
      if (answer.type !== "hosted") return this.app.notice(this.app.errorText(answer));
      keepKey(answer.room, answer.seat);
      return this.join(answer.room);
    });
  }

  /** Comes into a room, or comes back to it. */
  join(room) {
    const { app } = this;
    app.connection.stop(this.request, true);
    const seat = read("localStorage", KEYS)?.[room] ?? null;
    this.request = app.connection.send({ type: "join", room, seat }, (answer) => {
      if (answer.type === "room") this.take(answer);
      else this.gone();
    });
  }

  /** Comes back to the room of the game that is on the board, or to the one that a link names. */
  resume(hash) {
    const named = roomIn(hash);
    if (named || this.active) this.join(named ?? this.app.game.room);
  }

  gone() {
    if (this.active) this.app.game.mode = "people"; // the stones stay, for whoever is here
    this.app.notice(t("friend.gone"));
    this.app.render();
  }

  /** The room has changed. */
  take(answer) {
    const { app } = this;
    if (answer.seat) keepKey(answer.room, answer.seat);
    this.room = answer;
    const { moves, size, rule } = answer.game;
    const known = app.game.mode === "friend" && app.game.room === answer.room ? app.game.head.moves() : null;
    const goesOn = known?.every((move, ply) => move === moves[ply]);
    if (!goesOn || app.game.human !== answer.color) {
      const { room, minutes, color } = answer;
      app.setGame({ ...newGame({ mode: "friend", size, rule, minutes, room }), human: color }, "play");
    }
    const { game } = app;
    [game.used.black, game.used.white] = answer.used;
    const { result } = answer;
    game.ended = ["resign", "time"].includes(result?.reason) ? { ...result, line: [] } : null;
    let node = game.head;
    for (const move of moves.slice(node.ply)) node = node.play(move);
    if (node !== game.head && game.current === game.head) app.play.advance(node);
    else {
      app.play.setHead(node);
      app.changed();
    }
    if (game.ended) app.keepGame();
  }

  act(action, more = {}) {
    const { app } = this;
    const { room, seat } = this.room ?? {};
    if (!seat) return;
    app.connection.send({ type: "act", room, seat, action, ...more }, (answer) => {
      if (answer.type === "error" && action !== "time") app.notice(app.errorText(answer));
    });
  }

  move(point) {
    this.act("move", { move: point, ply: this.app.game.head.ply });
  }

  copy() {
    navigator.clipboard?.writeText(this.link).then(
      () => this.app.banner(t("friend.copied"), true),
      () => {},
    );
  }

  nameOf(color) {
    const { human } = this.app.game;
    if (!human) return t(`color.${color}`);
    return t(color === human ? "player.you" : "player.friend");
  }

  /** Whether the one who has a colour is here. */
  isHere(color) {
    return Boolean(this.room?.present[color === "black" ? 0 : 1]);
  }

  render() {
    const { app, room } = this;
    const shown = this.active && app.view === "play" && Boolean(room);
    $("#friend").hidden = !shown;
    if (!shown) return;
    $("#friend-link").value = this.link;
    $("#friend-text").textContent = this.text();
    $("#friend-reach").hidden = room.complete || !LOCAL.includes(location.hostname);
  }

  text() {
    const { room } = this;
    const { human } = this.app.game;
    const watching = room.watching ? ` ${t("friend.watching", { n: room.watching })}` : "";
    if (!room.complete) return t("friend.waiting");
    if (!human) return t("friend.spectator") + watching;
    const mine = human === "black" ? 0 : 1;
    if (room.result && room.agreed[mine]) return t("friend.asked");
    if (room.result && room.agreed[1 - mine]) return t("friend.asks");
    return (room.present[1 - mine] ? t("friend.here") : t("friend.away")) + watching;
  }
}

function keepKey(room, seat) {
  const { [room]: _, ...others } = read("localStorage", KEYS) ?? {};
  const latest = Object.entries(others).slice(1 - MOST_KEYS);
  attempt(() => localStorage.setItem(KEYS, JSON.stringify({ ...Object.fromEntries(latest), [room]: seat })));
}
