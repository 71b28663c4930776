// What a board is drawn with: wood, lines, stones, rings, letters. Pieces of SVG that know nothing of games.
import { h, svg } from "./dom.js";

export const CELL = 40;
export const MARGIN = 38;
export const STONE = 18.6;

const LINES = "#4b3416";
const LETTERING = {
  "text-anchor": "middle",
  "dominant-baseline": "central",
  "font-family": "system-ui, 'Segoe UI', Roboto, 'PingFang SC', 'Noto Sans CJK SC', sans-serif",
};

/** Where the point in a column and a row is. */
export function place(x, y) {
  return [MARGIN + x * CELL, MARGIN + y * CELL];
}

export function sideOf(size) {
  return (size - 1) * CELL + 2 * MARGIN;
}

// -- pieces

export function ring(cx, cy, r, stroke, width, look) {
  return svg("circle", { cx, cy, r, fill: "none", stroke, "stroke-width": width, ...look });
}

export function square(cx, cy, width, look) {
  return svg("rect", { x: cx - width / 2, y: cy - width / 2, width, height: width, ...look });
}

export function letters(x, y, text, size, fill, look) {
  return svg("text", { x, y, "font-size": size, fill, ...look, ...LETTERING }, String(text));
}

/** A stone; `fill` names its colours. */
export function stone(fill, color, cx, cy, name, opacity) {
  const edge = { stroke: color === "black" ? "#000" : "#8d867b", "stroke-opacity": 0.55, "stroke-width": 0.7 };
  const look = { class: name, opacity, style: `transform-origin: ${cx}px ${cy}px` };
  return svg("g", look, svg("circle", { cx, cy, r: STONE, fill, ...edge }));
}

/** A small stone for texts and cards. */
export function stoneIcon(color) {
  return h("span", { class: `stone-icon ${color}`, "aria-hidden": "true" });
}

/** From blue for the best to orange for what gives 15 % away: seen apart with every kind of colour sight. */
export function scale(worse) {
  const share = Math.min(1, worse / 0.15);
  const mix = (from, to) => Math.round(from + (to - from) * share);
  return `rgb(${mix(11, 190)}, ${mix(98, 88)}, ${mix(164, 20)})`;
}

// -- the empty board

/** The wood. A few long, faint waves read as grain and cost nothing to draw. */
export function wood(side, url) {
  const plank = { width: side, height: side, rx: 10 };
  const group = svg("g", { class: "grain", "aria-hidden": "true" }, svg("rect", { ...plank, fill: url("wood") }));
  let seed = 7;
  const random = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  for (let y = -20; y < side + 20; y += 9 + random() * 15) {
    const bend = (random() - 0.5) * 26;
    const tilt = (random() - 0.5) * 14;
    const stops = [
      [0.3, bend],
      [0.65, -bend],
      [1, tilt],
    ];
    const curve = stops.map(([share, lift]) => `${side * share} ${(y + lift).toFixed(1)}`).join(", ");
    const look = {
      stroke: random() > 0.35 ? "#8a5a22" : "#fff3d6",
      "stroke-opacity": (0.035 + random() * 0.06).toFixed(3),
      "stroke-width": (0.8 + random() * 3.2).toFixed(1),
    };
    group.append(svg("path", { d: `M0 ${y.toFixed(1)} C ${curve}`, fill: "none", ...look }));
  }
  group.append(svg("rect", { ...plank, fill: url("light") }));
  return group;
}

/** The lines and the star points. */
export function grid(size) {
  const last = MARGIN + (size - 1) * CELL;
  let path = "";
  for (let i = 1; i < size - 1; i++) {
    const at = MARGIN + i * CELL;
    path += `M${MARGIN} ${at}H${last}M${at} ${MARGIN}V${last}`;
  }
  const middle = (MARGIN + last) / 2;
  const inner = { d: path, stroke: LINES, "stroke-opacity": 0.72, "stroke-width": 1, fill: "none" };
  const edge = { fill: "none", stroke: LINES, "stroke-width": 1.8, "stroke-opacity": 0.85 };
  const dots = stars(size).map(([x, y]) => {
    const [cx, cy] = place(x, y);
    return svg("circle", { cx, cy, r: 3.6, fill: "#3d2a10", "fill-opacity": 0.9 });
  });
  return svg("g", { "aria-hidden": "true" }, svg("path", inner), square(middle, middle, last - MARGIN, edge), ...dots);
}

function stars(size) {
  const [near, far] = size >= 13 ? [3, size - 4] : [2, size - 3];
  const middle = (size - 1) / 2;
  const corners = [
    [near, near],
    [near, far],
    [far, near],
    [far, far],
  ];
  return [...(size >= 9 ? corners : []), ...(size % 2 ? [[middle, middle]] : [])];
}

export function coordinates(size) {
  const look = { class: "coordinate", "fill-opacity": 0.78 };
  return Array.from({ length: size }, (_, i) => {
    const [at] = place(i, 0);
    const column = letters(at, sideOf(size) - 12, String.fromCharCode(97 + i), 12.5, LINES, look);
    return [column, letters(13, at, size - i, 12.5, LINES, look)];
  }).flat();
}

/** Gradients, by names that no other board on the page has. */
export function definitions(prefix) {
  const gradient = (kind, name, look, ...stops) => {
    const colors = stops.map(([offset, color, opacity = 1]) =>
      svg("stop", { offset, "stop-color": color, "stop-opacity": opacity }),
    );
    return svg(`${kind}Gradient`, { id: prefix + name, ...look }, ...colors);
  };
  const wooden = { x1: 0, y1: 0, x2: 1, y2: 1 };
  const lit = { cx: 0.28, cy: 0.2, r: 0.95 };
  const dark = { cx: 0.36, cy: 0.3, r: 0.78 };
  const pale = { cx: 0.38, cy: 0.3, r: 0.82 };
  return svg(
    "defs",
    null,
    gradient("linear", "wood", wooden, [0, "#ecc98c"], [0.5, "#e2b974"], [1, "#d6a75d"]),
    gradient("radial", "light", lit, [0, "#fff8e4", 0.38], [0.6, "#fff8e4", 0], [1, "#5b3708", 0.16]),
    gradient("radial", "black", dark, [0, "#7c7f86"], [0.18, "#4a4c52"], [0.55, "#1e1f23"], [1, "#060607"]),
    gradient("radial", "white", pale, [0, "#ffffff"], [0.55, "#f6f3ee"], [0.85, "#dcd6cc"], [1, "#b9b1a4"]),
    gradient("radial", "shadow", null, [0.6, "#2a1a05", 0.5], [0.85, "#2a1a05", 0.18], [1, "#2a1a05", 0]),
  );
}
