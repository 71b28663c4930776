// The board as SVG: wood, grid, stones and marks; pointer, touch and keyboard.
//
// Every layer is a group that one method fills; stones alone are kept from one drawing to the next, so that a new
// stone can settle softly. The picture that is exported is this same SVG.
import { h, svg } from "./dom.js";
import { language, short, t } from "./i18n.js";
import { other, toText, toXY, turnAt } from "./points.js";

const CELL = 40;
const MARGIN = 38;
const STONE = 18.6;
let boards = 0;

export class BoardView {
  /** `events`: play(point), hover(point or null), tentative(point). */
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

  stone(color, cx, cy, name) {
    return stoneBody(this.url(color), color, cx, cy, name);
  }

  /** Builds an empty board of another size. */
  resize(size) {
    if (size === this.size) return;
    this.size = size;
    this.stones = new Map();
    this.cursor = [Math.floor(size / 2), Math.floor(size / 2)];
    const side = (size - 1) * CELL + 2 * MARGIN;
    this.side = side;
    this.svg = svg("svg", {
      viewBox: `0 0 ${side} ${side}`,
      class: "board",
      role: "grid",
      xmlns: "http://www.w3.org/2000/svg",
    });
    this.layers = {};
    this.svg.append(definitions(this.prefix));
    this.svg.append(svg("rect", { width: side, height: side, rx: 10, fill: this.url("wood") }));
    this.svg.append(this.grain(side));
    this.svg.append(this.grid());
    for (const name of [
      "coordinates",
      "area",
      "heat",
      "shadows",
      "stones",
      "numbers",
      "marks",
      "threats",
      "candidates",
      "line",
      "ghost",
    ]) {
      this.layers[name] = svg("g", { class: `layer-${name}`, "aria-hidden": "true" });
      this.svg.append(this.layers[name]);
    }
    this.layers.ghost.setAttribute("pointer-events", "none");
    this.cells = this.makeCells();
    this.focusRing = svg("rect", {
      class: "focus-ring",
      width: CELL - 4,
      height: CELL - 4,
      rx: 6,
      visibility: "hidden",
    });
    this.svg.append(this.focusRing);
    this.host.replaceChildren(this.svg);
    this.listen();
  }

  place(x, y) {
    return [MARGIN + x * CELL, MARGIN + y * CELL];
  }

  at(point) {
    return this.place(...toXY(point, this.size));
  }

  grain(side) {
    // A few long, faint waves read as wood and cost nothing to draw.
    const group = svg("g", { class: "grain", "aria-hidden": "true" });
    let seed = 7;
    const random = () => {
      seed = (seed * 16807) % 2147483647;
      return seed / 2147483647;
    };
    for (let y = -20; y < side + 20; y += 9 + random() * 15) {
      const bend = (random() - 0.5) * 26;
      const tilt = (random() - 0.5) * 14;
      group.append(
        svg("path", {
          d: `M0 ${y.toFixed(1)} C ${side * 0.3} ${(y + bend).toFixed(1)}, ${side * 0.65} ${(y - bend).toFixed(1)}, ${side} ${(y + tilt).toFixed(1)}`,
          fill: "none",
          stroke: random() > 0.35 ? "#8a5a22" : "#fff3d6",
          "stroke-opacity": (0.035 + random() * 0.06).toFixed(3),
          "stroke-width": (0.8 + random() * 3.2).toFixed(1),
        }),
      );
    }
    group.append(svg("rect", { width: side, height: side, rx: 10, fill: this.url("light") }));
    return group;
  }

  grid() {
    const last = MARGIN + (this.size - 1) * CELL;
    let path = "";
    for (let i = 1; i < this.size - 1; i++) {
      const at = MARGIN + i * CELL;
      path += `M${MARGIN} ${at}H${last}M${at} ${MARGIN}V${last}`;
    }
    const group = svg("g", { "aria-hidden": "true" });
    group.append(svg("path", { d: path, stroke: "#4b3416", "stroke-opacity": 0.72, "stroke-width": 1, fill: "none" }));
    group.append(
      svg("rect", {
        x: MARGIN,
        y: MARGIN,
        width: last - MARGIN,
        height: last - MARGIN,
        fill: "none",
        stroke: "#4b3416",
        "stroke-width": 1.8,
        "stroke-opacity": 0.85,
      }),
    );
    for (const [x, y] of stars(this.size)) {
      const [cx, cy] = this.place(x, y);
      group.append(svg("circle", { cx, cy, r: 3.6, fill: "#3d2a10", "fill-opacity": 0.9 }));
    }
    return group;
  }

  makeCells() {
    const cells = [];
    for (let y = 0; y < this.size; y++) {
      const row = svg("g", { role: "row" });
      for (let x = 0; x < this.size; x++) {
        const [cx, cy] = this.place(x, y);
        const cell = svg("rect", {
          x: cx - CELL / 2,
          y: cy - CELL / 2,
          width: CELL,
          height: CELL,
          fill: "transparent",
          role: "gridcell",
          tabindex: -1,
          class: "cell",
          "data-point": toText(x, y, this.size),
        });
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
    this.setCursor(x, y);
    this.cell(x, y).focus({ preventScroll: true });
    this.showFocus(true);
  }

  showFocus(visible) {
    const [cx, cy] = this.place(...this.cursor);
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
    layer.replaceChildren();
    if (!this.options.coordinates) return;
    for (let i = 0; i < this.size; i++) {
      const [x] = this.place(i, 0);
      const edge = this.side - 12;
      const look = { class: "coordinate", "font-size": 12.5, fill: "#4b3416", "fill-opacity": 0.78, ...LETTERING };
      layer.append(svg("text", { x, y: edge, ...look }, String.fromCharCode(65 + i)));
      layer.append(svg("text", { x: 13, y: this.place(0, i)[1], ...look }, String(this.size - i)));
    }
  }

  /** Points that an opening procedure allows now. */
  drawArea() {
    const layer = this.layers.area;
    layer.replaceChildren();
    const { area } = this.shown;
    if (!area || area.length > this.size * this.size * 0.7) return;
    for (const point of area) {
      const [cx, cy] = this.at(point);
      layer.append(
        svg("rect", {
          x: cx - CELL / 2,
          y: cy - CELL / 2,
          width: CELL,
          height: CELL,
          fill: "#0b6fa4",
          "fill-opacity": 0.16,
        }),
      );
    }
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
      const body = this.stone(color, cx, cy, fresh ? "stone fresh" : "stone");
      body.setAttribute("data-stone", point);
      this.layers.shadows.append(shadow);
      this.layers.stones.append(body);
      this.stones.set(point, { color, shadow, body });
    }
  }

  drawMarks() {
    const { moves, winning, forbidden, hint, offered = [] } = this.shown;
    const { numbers, marks } = this.layers;
    numbers.replaceChildren();
    marks.replaceChildren();
    const last = moves.length - 1;
    for (let i = this.options.numbers ? 0 : last; i <= last && i >= 0; i++) {
      const [x, y] = this.at(moves[i]);
      const black = turnAt(i) === "black";
      if (this.options.numbers) {
        const fill = i === last ? (black ? "#ffb454" : "#b3440c") : black ? "#f3efe8" : "#23211e";
        numbers.append(
          svg(
            "text",
            { x, y, fill, "font-size": i > 98 ? 13 : 15.5, "font-weight": i === last ? 800 : 600, ...LETTERING },
            String(i + 1),
          ),
        );
      } else {
        marks.append(
          svg("circle", {
            cx: x,
            cy: y,
            r: 6.4,
            class: "last-move",
            fill: "none",
            stroke: black ? "#ffb454" : "#b3440c",
            "stroke-width": 2.8,
          }),
        );
      }
    }
    for (const { point } of forbidden ?? []) {
      const [x, y] = this.at(point);
      marks.append(
        svg("path", {
          d: `M${x - 6.5} ${y - 6.5}l13 13m0 -13l-13 13`,
          class: "forbidden",
          "data-point": point,
          stroke: "#a3260f",
          "stroke-width": 3,
          "stroke-linecap": "round",
        }),
      );
    }
    if (winning?.length) this.drawWinning(winning);
    for (const point of offered) {
      const stone = this.stone("black", ...this.at(point), "offered");
      stone.setAttribute("opacity", 0.65);
      marks.append(stone);
    }
    if (hint) {
      const [cx, cy] = this.at(hint);
      marks.append(
        svg("circle", {
          cx,
          cy,
          r: STONE - 1,
          class: "hint",
          fill: "#0b6fa4",
          "fill-opacity": 0.22,
          stroke: "#0b6fa4",
          "stroke-width": 3,
          "stroke-dasharray": "7 5",
        }),
      );
    }
  }

  drawWinning(line) {
    const [first, end] = [this.at(line[0]), this.at(line.at(-1))];
    const { marks } = this.layers;
    for (const point of line) {
      const [cx, cy] = this.at(point);
      marks.append(
        svg("circle", {
          cx,
          cy,
          r: STONE + 1.2,
          class: "winning",
          fill: "none",
          stroke: "#e58a00",
          "stroke-width": 3.2,
        }),
      );
    }
    marks.prepend(
      svg("line", {
        x1: first[0],
        y1: first[1],
        x2: end[0],
        y2: end[1],
        stroke: "#e58a00",
        "stroke-width": 7,
        "stroke-opacity": 0.45,
        "stroke-linecap": "round",
      }),
    );
  }

  drawGhost() {
    const layer = this.layers.ghost;
    layer.replaceChildren();
    if (!this.shown?.playable) return;
    const point = this.tentative ?? this.pointerPoint;
    if (!point || this.shown.stoneAt.has(point)) return;
    if (this.shown.forbidden?.some((entry) => entry.point === point)) return;
    if (this.shown.area && !this.shown.area.includes(point)) return;
    const [cx, cy] = this.at(point);
    const stone = this.stone(this.shown.ghost ?? turnAt(this.shown.moves.length), cx, cy, "ghost-stone");
    stone.setAttribute("opacity", this.tentative ? 0.8 : 0.5);
    layer.append(stone);
    if (this.tentative)
      layer.append(svg("circle", { cx, cy, r: STONE + 5, fill: "none", stroke: "#0b6fa4", "stroke-width": 3 }));
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
      const [cx, cy] = this.at(point);
      layer.append(
        svg("rect", {
          x: cx - 19,
          y: cy - 19,
          width: 38,
          height: 38,
          rx: 7,
          fill: "#5a1f8c",
          "fill-opacity": (0.5 * strength).toFixed(3),
          class: "heat",
        }),
      );
    }
  }

  /** The best moves of an analysis; null clears. */
  drawCandidates(candidates) {
    const layer = this.layers?.candidates;
    if (!layer) return;
    layer.replaceChildren();
    candidates?.forEach((candidate, index) => {
      if (!candidate.visits && index > 0) return;
      const [x, y] = this.at(candidate.move);
      const group = svg("g", { class: `candidate${index === 0 ? " best" : ""}`, "data-move": candidate.move });
      const worse = Math.max(0, candidates[0].win_rate - candidate.win_rate);
      group.append(
        svg("circle", {
          cx: x,
          cy: y,
          r: STONE,
          fill: scale(worse),
          "fill-opacity": 0.93,
          stroke: index === 0 ? "#ffffff" : "#00000033",
          "stroke-width": index === 0 ? 2.6 : 1,
        }),
      );
      const rate = candidate.proof ? PROOF_MARKS[candidate.proof] : Math.round(candidate.win_rate * 100);
      const alone = !candidate.visits; // proved without a search
      group.append(
        svg(
          "text",
          {
            x,
            y: alone ? y : y - 4,
            class: alone ? "proof" : "rate",
            fill: "#fff",
            "font-size": alone ? 18 : 14.5,
            "font-weight": 750,
            ...LETTERING,
          },
          String(rate),
        ),
      );
      if (!alone)
        group.append(
          svg(
            "text",
            { x, y: y + 8.5, class: "visits", fill: "#fff", "fill-opacity": 0.92, "font-size": 9.2, ...LETTERING },
            short(candidate.visits),
          ),
        );
      layer.append(group);
    });
  }

  /** A line that may come, as numbered pale stones; null clears. */
  drawLine(line) {
    const layer = this.layers?.line;
    if (!layer) return;
    layer.replaceChildren();
    this.layers.candidates.setAttribute("opacity", line?.length ? 0.15 : 1);
    let color = turnAt(this.shown.moves.length);
    line?.forEach((point, index) => {
      const [x, y] = this.at(point);
      const stone = this.stone(color, x, y, "line-stone");
      stone.setAttribute("opacity", 0.82);
      layer.append(stone);
      layer.append(
        svg(
          "text",
          { x, y, fill: color === "black" ? "#fff" : "#111", "font-size": 15, "font-weight": 700, ...LETTERING },
          String(index + 1),
        ),
      );
      color = other(color);
    });
  }

  /** Named threats: dark badges for black, light ones for white; null clears. */
  drawThreats(threats) {
    const layer = this.layers?.threats;
    if (!layer) return;
    layer.replaceChildren();
    const stacked = new Map();
    for (const threat of threats ?? []) {
      const both = threats.filter((entry) => entry.point === threat.point).length > 1;
      const slot = stacked.get(threat.point) ?? 0;
      stacked.set(threat.point, slot + 1);
      const [x, y] = this.at(threat.point);
      const cy = both ? y + (slot === 0 ? -9 : 9) : y;
      const black = threat.color === "black";
      const text = t(`short.${threat.shape}`);
      const width = [...text].reduce((sum, letter) => sum + (letter > "\u2e80" ? 12.5 : 8.5), 9);
      const strong = !["open_three", "four"].includes(threat.shape);
      const group = svg("g", { class: "threat", "data-point": threat.point, "data-color": threat.color });
      group.append(
        svg("rect", {
          x: x - width / 2,
          y: cy - 8.5,
          width,
          height: 17,
          rx: black ? 3 : 8.5,
          fill: black ? "#1d1d1f" : "#fbfaf7",
          stroke: strong ? "#e58a00" : black ? "#1d1d1f" : "#5b5b5b",
          "stroke-width": strong ? 2.4 : 1,
          "fill-opacity": 0.94,
        }),
        svg(
          "text",
          { x, y: cy, fill: black ? "#fff" : "#161616", "font-size": 11.5, "font-weight": 700, ...LETTERING },
          text,
        ),
      );
      layer.append(group);
    }
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

const LETTERING = {
  "text-anchor": "middle",
  "dominant-baseline": "central",
  "font-family": "system-ui, 'Segoe UI', Roboto, 'PingFang SC', 'Noto Sans CJK SC', sans-serif",
};
const PROOF_MARKS = { win: "✓", loss: "✕", draw: "=" };

/** From blue for the best to orange for what gives 15 % away: seen apart with every kind of colour sight. */
function scale(worse) {
  const share = Math.min(1, worse / 0.15);
  const mix = (from, to) => Math.round(from + (to - from) * share);
  return `rgb(${mix(11, 190)}, ${mix(98, 88)}, ${mix(164, 20)})`;
}

function stars(size) {
  const middle = (size - 1) / 2;
  const edge = size >= 13 ? 3 : 2;
  const points =
    size >= 9
      ? [edge, size - 1 - edge].flatMap((x) => [
          [x, edge],
          [x, size - 1 - edge],
        ])
      : [];
  if (size % 2) points.push([middle, middle]);
  return points;
}

function stoneBody(fill, color, cx, cy, name) {
  const group = svg("g", { class: name, style: `transform-origin: ${cx}px ${cy}px` });
  group.append(
    svg("circle", {
      cx,
      cy,
      r: STONE,
      fill,
      stroke: color === "black" ? "#000" : "#8d867b",
      "stroke-opacity": 0.55,
      "stroke-width": 0.7,
    }),
  );
  return group;
}

function definitions(prefix) {
  const stop = (offset, color, opacity = 1) => svg("stop", { offset, "stop-color": color, "stop-opacity": opacity });
  return svg(
    "defs",
    null,
    svg(
      "linearGradient",
      { id: `${prefix}wood`, x1: 0, y1: 0, x2: 1, y2: 1 },
      stop(0, "#ecc98c"),
      stop(0.5, "#e2b974"),
      stop(1, "#d6a75d"),
    ),
    svg(
      "radialGradient",
      { id: `${prefix}light`, cx: 0.28, cy: 0.2, r: 0.95 },
      stop(0, "#fff8e4", 0.38),
      stop(0.6, "#fff8e4", 0),
      stop(1, "#5b3708", 0.16),
    ),
    svg(
      "radialGradient",
      { id: `${prefix}black`, cx: 0.36, cy: 0.3, r: 0.78 },
      stop(0, "#7c7f86"),
      stop(0.18, "#4a4c52"),
      stop(0.55, "#1e1f23"),
      stop(1, "#060607"),
    ),
    svg(
      "radialGradient",
      { id: `${prefix}white`, cx: 0.38, cy: 0.3, r: 0.82 },
      stop(0, "#ffffff"),
      stop(0.55, "#f6f3ee"),
      stop(0.85, "#dcd6cc"),
      stop(1, "#b9b1a4"),
    ),
    svg(
      "radialGradient",
      { id: `${prefix}shadow` },
      stop(0.6, "#2a1a05", 0.5),
      stop(0.85, "#2a1a05", 0.18),
      stop(1, "#2a1a05", 0),
    ),
  );
}

/** A small stone for texts and cards. */
export function stoneIcon(color) {
  return h("span", { class: `stone-icon ${color}`, "aria-hidden": "true" });
}
