// The board as SVG: wood, grid, stones and marks; pointer, touch and keyboard.
//
// Every layer is a group that one method fills; stones alone are kept from one drawing to the next, so that a new
// stone can settle softly. The picture that is exported is this same SVG.
import * as shapes from "./board-shapes.js";
import { CELL, letters, MARGIN, place, ring, STONE, square } from "./board-shapes.js";
import { svg } from "./dom.js";
import { language, short, t } from "./i18n.js";
import { other, toText, toXY, turnAt } from "./points.js";

const BLUE = "#0b6fa4";
const GOLD = "#e58a00";
const GRADES = { inaccuracy: "#d98200", mistake: "#d98200", blunder: "#c0260c" };
const PROOF_MARKS = { win: "✓", loss: "✕", draw: "=" };
/** From the lowest to the highest. */
const LAYERS = "coordinates area heat shadows stones numbers marks candidates threats line ghost".split(" ");
let boards = 0;

export class BoardView {
  /** `events`: play(point), hover(point or null), tentative(point); perhaps placed(). */
  constructor(host, events) {
    this.host = host;
    this.events = events;
    this.size = 0;
    this.options = { coordinates: true, numbers: false, animation: true };
    this.tentative = null;
    this.pointerPoint = null;
    this.prefix = `board${++boards}-`; // two boards on a page do not share their colours: one may be hidden
  }

  url(name) {
    return `url(#${this.prefix}${name})`;
  }

  stone(color, point, name, opacity) {
    return shapes.stone(this.url(color), color, ...this.at(point), name, opacity);
  }

  /** Builds an empty board of another size. */
  resize(size) {
    if (size === this.size) return;
    this.size = size;
    this.stones = new Map();
    this.cursor = [Math.floor(size / 2), Math.floor(size / 2)];
    this.side = shapes.sideOf(size);
    const viewBox = `0 0 ${this.side} ${this.side}`;
    this.svg = svg("svg", { viewBox, class: "board", role: "grid", xmlns: "http://www.w3.org/2000/svg" });
    this.svg.append(shapes.definitions(this.prefix));
    this.svg.append(shapes.wood(this.side, (name) => this.url(name)));
    this.svg.append(shapes.grid(size));
    this.layers = {};
    for (const name of LAYERS) {
      this.layers[name] = svg("g", { class: `layer-${name}`, "aria-hidden": "true" });
      this.svg.append(this.layers[name]);
    }
    this.layers.ghost.setAttribute("pointer-events", "none");
    this.cells = this.makeCells();
    this.focusRing = square(0, 0, CELL - 4, { class: "focus-ring", rx: 6, visibility: "hidden" });
    this.svg.append(this.focusRing);
    this.host.replaceChildren(this.svg);
    this.listen();
  }

  at(point) {
    return place(...toXY(point, this.size));
  }

  makeCells() {
    const cells = [];
    for (let y = 0; y < this.size; y++) {
      const row = svg("g", { role: "row" });
      for (let x = 0; x < this.size; x++) {
        const look = { class: "cell", fill: "transparent", role: "gridcell", tabindex: -1 };
        const cell = square(...place(x, y), CELL, { ...look, "data-point": toText(x, y, this.size) });
        row.append(cell);
        cells.push(cell);
      }
      this.svg.append(row);
    }
    return cells;
  }

  cell(x, y) {
    return this.cells[y * this.size + x];
  }

  // -- input

  listen() {
    this.svg.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse") this.point(this.pointOf(event));
    });
    this.svg.addEventListener("pointerleave", () => this.point(null));
    this.svg.addEventListener("pointerdown", ({ pointerType }) => {
      this.pointer = pointerType; // not every click says it
      this.byKey = false;
    });
    this.svg.addEventListener("click", (event) => {
      // A click from the keyboard or a screen reader has no place of its own.
      const placed = event.detail > 0;
      const point = placed ? this.pointOf(event) : event.target.dataset.point;
      if (point) this.chosen(point, placed && this.pointer === "touch");
    });
    this.svg.addEventListener("keydown", (event) => this.key(event));
    this.svg.addEventListener("focusin", (event) => {
      const point = event.target.dataset?.point;
      if (!point) return;
      this.setCursor(...toXY(point, this.size));
      this.byKey ||= event.target.matches(":focus-visible");
      this.showFocus(event.target.matches(":focus-visible"));
    });
    this.svg.addEventListener("focusout", () => this.showFocus(false));
  }

  pointOf(event) {
    const box = this.svg.getBoundingClientRect();
    const scale = this.side / box.width;
    const x = Math.round(((event.clientX - box.left) * scale - MARGIN) / CELL);
    const y = Math.round(((event.clientY - box.top) * scale - MARGIN) / CELL);
    return x >= 0 && y >= 0 && x < this.size && y < this.size ? toText(x, y, this.size) : null;
  }

  point(point) {
    if (point === this.pointerPoint) return;
    this.pointerPoint = point;
    this.drawGhost();
    this.events.hover(point);
  }

  chosen(point, touched) {
    if (
      touched &&
      this.options.confirm &&
      this.shown?.playable &&
      this.tentative !== point &&
      !this.shown.stoneAt.has(point)
    ) {
      this.tentative = point;
      this.drawGhost();
      this.events.tentative(point);
      return;
    }
    this.clearTentative();
    this.events.play(point);
  }

  confirmTentative() {
    const point = this.tentative;
    this.clearTentative();
    if (point) this.events.play(point);
  }

  clearTentative() {
    if (!this.tentative) return;
    this.tentative = null;
    this.drawGhost();
    this.events.tentative(null);
  }

  key(event) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    let [x, y] = this.cursor;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!this.byKey) return; // whoever clicks on points goes through the moves with the same keys
    if (event.key in steps) {
      const step = event.shiftKey ? 4 : 1;
      x = Math.min(this.size - 1, Math.max(0, x + steps[event.key][0] * step));
      y = Math.min(this.size - 1, Math.max(0, y + steps[event.key][1] * step));
    } else if (event.key === "Home") x = 0;
    else if (event.key === "End") x = this.size - 1;
    else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.events.play(toText(x, y, this.size));
      return;
    } else return;
    event.preventDefault();
    this.moveCursor(x, y);
  }

  /** The cursor's cell is the one that the tabulator reaches. */
  setCursor(x, y) {
    this.cell(...this.cursor).setAttribute("tabindex", -1);
    this.cursor = [x, y];
    this.cell(x, y).setAttribute("tabindex", 0);
  }

  moveCursor(x, y) {
    this.byKey = true;
    this.setCursor(x, y);
    this.cell(x, y).focus({ preventScroll: true });
    this.showFocus(true);
  }

  showFocus(visible) {
    const [cx, cy] = place(...this.cursor);
    this.focusRing.setAttribute("x", cx - CELL / 2 + 2);
    this.focusRing.setAttribute("y", cy - CELL / 2 + 2);
    this.focusRing.setAttribute("visibility", visible ? "visible" : "hidden");
  }

  // -- drawing

  /** Shows a position: {size, moves, forbidden, winning, playable, area}. */
  show(position, options) {
    this.resize(position.size);
    this.options = { ...this.options, ...options };
    position.stoneAt = new Map(position.moves.map((move, index) => [move, index]));
    this.shown = position;
    if (position.stoneAt.has(this.tentative)) this.clearTentative();
    this.svg.setAttribute("aria-label", t("board.label", { size: this.size }));
    this.svg.classList.toggle("still", !this.options.animation);
    this.drawCoordinates();
    this.drawArea();
    this.drawStones();
    this.drawMarks();
    this.drawGhost();
    this.label();
  }

  drawCoordinates() {
    const layer = this.layers.coordinates;
    if (layer.childElementCount > 0 === this.options.coordinates) return;
    layer.replaceChildren(...(this.options.coordinates ? shapes.coordinates(this.size) : []));
  }

  /** Points that an opening procedure allows now. */
  drawArea() {
    const layer = this.layers.area;
    layer.replaceChildren();
    const { area } = this.shown;
    if (!area || area.length > this.size * this.size * 0.7) return;
    layer.append(...area.map((point) => square(...this.at(point), CELL, { fill: BLUE, "fill-opacity": 0.16 })));
  }

  drawStones() {
    const { moves } = this.shown;
    const wanted = new Map(moves.map((move, index) => [move, turnAt(index)]));
    for (const [point, stone] of this.stones) {
      if (wanted.get(point) !== stone.color) {
        stone.shadow.remove();
        stone.body.remove();
        this.stones.delete(point);
      }
    }
    const fresh = wanted.size - this.stones.size <= 2;
    for (const [point, color] of wanted) {
      if (this.stones.has(point)) continue;
      const [cx, cy] = this.at(point);
      const shadow = svg("circle", { cx: cx + 1.4, cy: cy + 2.6, r: STONE + 2.2, fill: this.url("shadow") });
      const body = this.stone(color, point, fresh ? "stone fresh" : "stone");
      body.setAttribute("data-stone", point);
      this.layers.shadows.append(shadow);
      this.layers.stones.append(body);
      this.stones.set(point, { color, shadow, body });
      if (fresh) this.events.placed?.();
    }
  }

  drawMarks() {
    const { moves, winning, forbidden, hint, offered = [], grades = [] } = this.shown;
    const { numbers, marks } = this.layers;
    numbers.replaceChildren(...(this.options.numbers ? moves.map((move, index) => this.number(move, index)) : []));
    marks.replaceChildren();
    if (moves.length && !this.options.numbers) {
      const glow = turnAt(moves.length - 1) === "black" ? "#ffb454" : "#b3440c";
      marks.append(ring(...this.at(moves.at(-1)), 6.4, glow, 2.8, { class: "last-move" }));
    }
    for (const { point } of forbidden ?? []) {
      const [x, y] = this.at(point);
      const look = { class: "forbidden", stroke: "#a3260f", "stroke-width": 3, "stroke-linecap": "round" };
      marks.append(svg("path", { d: `M${x - 6.5} ${y - 6.5}l13 13m0 -13l-13 13`, "data-point": point, ...look }));
    }
    for (const { node, grade } of grades) {
      const [x, y] = this.at(node.move);
      const look = { class: `graded ${grade}`, cx: x + 11, cy: y - 11, stroke: "#fff", "stroke-width": 1.5 };
      marks.append(svg("circle", { ...look, r: grade === "inaccuracy" ? 4.5 : 6, fill: GRADES[grade] }));
    }
    if (winning?.length) this.drawWinning(winning);
    for (const point of offered) marks.append(this.stone("black", point, "offered", 0.65));
    if (hint) {
      const look = { class: "hint", fill: BLUE, "fill-opacity": 0.22, "stroke-dasharray": "7 5" };
      marks.append(ring(...this.at(hint), STONE - 1, BLUE, 3, look));
    }
  }

  number(move, index) {
    const black = turnAt(index) === "black";
    const last = index === this.shown.moves.length - 1;
    const fill = last ? (black ? "#ffb454" : "#b3440c") : black ? "#f3efe8" : "#23211e";
    return letters(...this.at(move), index + 1, index > 98 ? 13 : 15.5, fill, { "font-weight": last ? 800 : 600 });
  }

  drawWinning(line) {
    const [[x1, y1], [x2, y2]] = [this.at(line[0]), this.at(line.at(-1))];
    const { marks } = this.layers;
    for (const point of line) marks.append(ring(...this.at(point), STONE + 1.2, GOLD, 3.2, { class: "winning" }));
    const look = { stroke: GOLD, "stroke-width": 7, "stroke-opacity": 0.45, "stroke-linecap": "round" };
    marks.prepend(svg("line", { x1, y1, x2, y2, ...look }));
  }

  drawGhost() {
    const layer = this.layers.ghost;
    layer.replaceChildren();
    if (!this.shown?.playable) return;
    const point = this.tentative ?? this.pointerPoint;
    if (!point || this.shown.stoneAt.has(point)) return;
    if (this.shown.forbidden?.some((entry) => entry.point === point)) return;
    if (this.shown.area && !this.shown.area.includes(point)) return;
    const color = this.shown.ghost ?? turnAt(this.shown.moves.length);
    layer.append(this.stone(color, point, "ghost-stone", this.tentative ? 0.8 : 0.5));
    if (this.tentative) layer.append(ring(...this.at(point), STONE + 5, BLUE, 3));
  }

  /** Shares of the first impression by point; null clears. */
  drawHeat(heat) {
    const layer = this.layers?.heat;
    if (!layer) return;
    layer.replaceChildren();
    const largest = Math.max(...Object.values(heat ?? {}), 1e-9);
    for (const [point, share] of Object.entries(heat ?? {})) {
      const strength = Math.sqrt(share / largest);
      if (strength < 0.12) continue;
      const look = { class: "heat", rx: 7, fill: "#5a1f8c", "fill-opacity": (0.5 * strength).toFixed(3) };
      layer.append(square(...this.at(point), 38, look));
    }
  }

  /** The best moves of an analysis; null clears. */
  drawCandidates(candidates) {
    const layer = this.layers?.candidates;
    if (!layer) return;
    layer.replaceChildren();
    const best = candidates?.[0];
    for (const candidate of candidates ?? []) {
      if (candidate.visits || candidate === best) layer.append(this.candidate(candidate, best));
    }
  }

  candidate({ move, proof, visits, win_rate }, best) {
    const [x, y] = this.at(move);
    const first = move === best.move;
    const [stroke, width] = first ? ["#ffffff", 2.6] : ["#00000033", 1];
    const disc = { fill: shapes.scale(Math.max(0, best.win_rate - win_rate)), "fill-opacity": 0.93 };
    const rate = proof ? PROOF_MARKS[proof] : Math.round(win_rate * 100);
    const bold = { "font-weight": 750 };
    const words = visits
      ? [
          letters(x, y - 4, rate, 14.5, "#fff", { class: "rate", ...bold }),
          letters(x, y + 8.5, short(visits), 9.2, "#fff", { class: "visits", "fill-opacity": 0.92 }),
        ]
      : [letters(x, y, rate, 18, "#fff", { class: "proof", ...bold })]; // proved without a search
    const group = { class: first ? "candidate best" : "candidate", "data-move": move };
    return svg("g", group, ring(x, y, STONE, stroke, width, disc), ...words);
  }

  /** Replies that lose, with the moves that this takes at most; null clears. */
  drawLengths(replies) {
    this.layers.candidates.replaceChildren(
      ...(replies ?? []).map(({ move, within, by_threats }) => {
        const [x, y] = this.at(move);
        const look = by_threats ? { fill: "#fff", "fill-opacity": 0.28 } : { fill: BLUE, "fill-opacity": 0.85 };
        const ink = by_threats ? "#4b3416" : "#fff";
        const number = letters(x, y, within, 13, ink, { "font-weight": by_threats ? 500 : 750 });
        return svg("g", { class: "length", "data-move": move }, ring(x, y, 11, "none", 0, look), number);
      }),
    );
  }

  /** A line that may come, as numbered pale stones, from the side to move or from another; null clears. */
  drawLine(line, first = turnAt(this.shown.moves.length)) {
    const layer = this.layers?.line;
    if (!layer) return;
    layer.replaceChildren();
    this.layers.candidates.setAttribute("opacity", line?.length ? 0.15 : 1);
    let color = first;
    for (const [index, point] of (line ?? []).entries()) {
      const ink = color === "black" ? "#fff" : "#111";
      layer.append(this.stone(color, point, "line-stone", 0.82));
      layer.append(letters(...this.at(point), index + 1, 15, ink, { "font-weight": 700 }));
      color = other(color);
    }
  }

  /** Named threats: dark badges for black, light ones for white; null clears. */
  drawThreats(threats) {
    const layer = this.layers?.threats;
    if (!layer) return;
    layer.replaceChildren();
    const seen = new Set();
    for (const threat of threats ?? []) {
      const both = threats.filter((entry) => entry.point === threat.point).length > 1;
      const lift = seen.has(threat.point) ? 9 : -9; // two badges share a point
      seen.add(threat.point);
      const covered = this.layers.candidates.querySelector(`[data-move="${threat.point}"]`);
      layer.append(this.badge(threat, both ? lift : covered ? 17 : 0));
    }
  }

  badge({ point, color, shape }, lift) {
    const [x, middle] = this.at(point);
    const y = middle + lift;
    const black = color === "black";
    const text = t(`short.${shape}`);
    const width = [...text].reduce((sum, letter) => sum + (letter > "\u2e80" ? 12.5 : 8.5), 9);
    const strong = !["open_three", "four"].includes(shape);
    const box = { x: x - width / 2, y: y - 8.5, width, height: 17, rx: black ? 3 : 8.5, "fill-opacity": 0.94 };
    const stroke = strong ? GOLD : black ? "#1d1d1f" : "#5b5b5b";
    return svg(
      "g",
      { class: "threat", "data-point": point, "data-color": color },
      svg("rect", { ...box, fill: black ? "#1d1d1f" : "#fbfaf7", stroke, "stroke-width": strong ? 2.4 : 1 }),
      letters(x, y, text, 11.5, black ? "#fff" : "#161616", { "font-weight": 700 }),
    );
  }

  label() {
    const { stoneAt } = this.shown;
    const reasons = new Map((this.shown.forbidden ?? []).map(({ point, reason }) => [point, reason]));
    for (const cell of this.cells) {
      const point = cell.dataset.point;
      const index = stoneAt.get(point);
      const key = `${language()} ${index} ${reasons.get(point)}`;
      if (cell.key === key) continue; // 225 texts for each move would be felt
      cell.key = key;
      let text;
      if (index !== undefined) text = t("board.stone", { point, color: t(`color.${turnAt(index)}`), n: index + 1 });
      else if (reasons.has(point)) text = t("board.forbidden", { point, reason: t(`reason.${reasons.get(point)}`) });
      else text = t("board.empty", { point });
      cell.setAttribute("aria-label", text);
    }
    this.cell(...this.cursor).setAttribute("tabindex", 0);
    this.svg.classList.toggle("playable", Boolean(this.shown.playable));
  }

  /** The picture as SVG text, without what only a live page needs. */
  picture() {
    const copy = this.svg.cloneNode(true);
    copy.setAttribute("width", this.side);
    copy.setAttribute("height", this.side);
    for (const element of copy.querySelectorAll("[role=row], .focus-ring, .layer-ghost")) element.remove();
    return new XMLSerializer().serializeToString(copy);
  }
}
