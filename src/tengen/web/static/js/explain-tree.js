// The tree of an explained search as a picture: small positions with their numbers, and the way of the playout.

import { svg } from "./dom.js";
import { toXY, turnAt } from "./points.js";

const NODE = 56; // the side of a position
const ACROSS = 86; // from one position to the next beside it
const DOWN = 128; // and to the next below
const LINE = 14; // of text
const EDGE = { across: 42, down: 8 };

export const plain = (value) => `${value < 0 ? "−" : ""}${Math.abs(value).toFixed(2)}`;
export const signed = (value) => (value < 0 ? "" : "+") + plain(value);

const nameOf = (path) => path.join(" ");
const isBelow = (path, other) => nameOf(other.slice(0, path.length)) === nameOf(path);

/** A position as a picture. */
export function position(moves, size, look) {
  const place = (point) => toXY(point, size).map((at) => at * 10 + 10);
  const last = size * 10;
  const lines = Array.from({ length: size }, (_, i) => `M10 ${10 * i + 10}H${last}M${10 * i + 10} 10V${last}`);
  const edge = { x: 1, y: 1, width: last + 8, height: last + 8, rx: 3, "vector-effect": "non-scaling-stroke" };
  const stones = moves.map((move, ply) => {
    const [cx, cy] = place(move);
    return svg("circle", { class: `stone ${turnAt(ply)}`, cx, cy, r: 4.5, "stroke-width": 0.5 });
  });
  const [cx, cy] = moves.length ? place(moves.at(-1)) : [];
  return svg(
    "svg",
    { viewBox: `0 0 ${last + 10} ${last + 10}`, "aria-hidden": "true", ...look },
    svg("rect", { class: "wood", ...edge }),
    svg("path", { class: "grid", d: lines.join(""), "stroke-width": 0.7 }),
    ...stones,
    moves.length > 0 && svg("circle", { class: "mark", cx, cy, r: 1.4 }),
  );
}

/** The tree when a step is shown: the picture, and where in it the step looks. */
export function drawTree(steps, at, size) {
  const step = steps[at];
  const nodes = shown(known(steps, at), step);
  const columns = arrange(nodes.get(""), [...nodes.values()]);
  const depth = Math.max(...[...nodes.values()].map(({ path }) => path.length));
  const width = columns * ACROSS + 2 * EDGE.across;
  const height = depth * DOWN + NODE + 3 * LINE + 2 * EDGE.down;
  const before = steps[0].moves;
  const views = [...nodes.values()].map((node) => {
    const moves = [...before, ...node.path];
    return {
      node,
      moves,
      ...look(node, step),
      x: EDGE.across + (node.column + 0.5) * ACROSS,
      y: EDGE.down + node.path.length * DOWN,
    };
  });
  const viewOf = new Map(views.map((view) => [view.node, view]));
  const edges = views.flatMap((view) => view.node.children.map((child) => drawEdge(view, viewOf.get(child))));
  const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}` }, ...edges);
  picture.append(...views.map((view) => drawNode(view, size)));
  const goal = step.chosen ? [...step.path, step.chosen] : step.path;
  return { picture, x: viewOf.get(nodes.get(nameOf(goal))).x };
}

/** All nodes with their numbers as the steps up to this one tell them, by their moves from the root. */
function known(steps, at) {
  const nodes = new Map([["", { path: [], visits: 0 }]]);
  const learn = (path, numbers) => {
    const name = nameOf(path);
    nodes.set(name, { path, visits: 0, ...nodes.get(name), ...numbers });
  };
  steps.slice(0, at + 1).forEach((step, index) => {
    for (const { move, ...numbers } of step.children) learn([...step.path, move], numbers);
    for (const { path, added, ...numbers } of step.updates) {
      learn(path, index === at && path.length ? { ...numbers, added } : numbers);
    }
  });
  return nodes;
}

/** Positions that were visited, the way of this playout, and the moves that the step is about. */
function shown(nodes, step) {
  const isAbout = ({ path }) => step.children.length > 0 && nameOf(path.slice(0, -1)) === nameOf(step.path);
  const wanted = (node) => node.visits > 0 || isBelow(node.path, step.path) || isAbout(node);
  return new Map([...nodes].filter(([, node]) => wanted(node)));
}

/** Gives every node its children and its column; returns the number of columns. */
function arrange(root, nodes) {
  let columns = 0;
  const settle = (node) => {
    node.children = nodes.filter(({ path }) => path.length > 0 && nameOf(path.slice(0, -1)) === nameOf(node.path));
    node.children.forEach(settle);
    const ends = [node.children[0], node.children.at(-1)];
    node.column = node.children.length ? (ends[0].column + ends[1].column) / 2 : columns++;
  };
  settle(root);
  return columns;
}

/** What is written under a node, and the names of its looks. */
function look({ path, visits, mean, prior, bonus }, step) {
  const isChild = step.children.length > 0 && nameOf(path.slice(0, -1)) === nameOf(step.path) && path.length > 0;
  const isChosen = isChild && path.at(-1) === step.chosen;
  const isOnWay = isBelow(path, step.path) || (isChosen && step.kind === "select");
  const names = {
    path: isOnWay,
    looked: nameOf(path) === nameOf(step.path),
    unvisited: visits === 0 && !isOnWay,
    chosen: isChosen,
  };
  const lines = [`N ${visits}`];
  if (path.length && visits) lines.push(`Q ${plain(mean)}`);
  if (isChild && step.kind === "select") lines.push(`Q+U ${plain(mean + bonus)}`);
  if (isChild && step.kind === "expand") lines.push(`P ${plain(prior)}`);
  return { lines, isOnWay, names: Object.keys(names).filter((name) => names[name]) };
}

function drawEdge(from, to) {
  const start = from.y + NODE + 6 + LINE * from.lines.length;
  const middle = (start + to.y) / 2;
  const curve = `M${from.x} ${start}C${from.x} ${middle} ${to.x} ${middle} ${to.x} ${to.y - 4}`;
  return svg("path", { class: to.isOnWay ? "edge path" : "edge", d: curve });
}

function drawNode({ node, moves, lines, names, x, y }, size) {
  const board = position(moves, size, { x: x - NODE / 2, y, width: NODE, height: NODE });
  const texts = lines.map((line, index) => svg("text", { x, y: y + NODE + LINE * (index + 1) }, line));
  const added =
    node.added !== undefined &&
    svg("text", { class: "added", x: x + NODE / 2 + 4, y: y + NODE / 2 }, signed(node.added));
  return svg("g", { class: ["node", ...names].join(" "), "data-path": nameOf(node.path) }, board, ...texts, added);
}
