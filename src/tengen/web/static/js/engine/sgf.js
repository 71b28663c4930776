// SGF (FF[4]) with GM[4], gomoku and renju: trees of properties, read and written; as tengen.records.sgf.
import { Refusal } from "./position.js";

const SIZE = /^(\d{1,2})(?::(\d{1,2}))?$/;
const RESULTS = [
  ["black", /^((B\+|Black).*|1-0)$/i],
  ["white", /^((W\+|White).*|0-1)$/i],
  ["draw", /^(0|Draw|1\/2-1\/2)$/i],
];
const RESULT_TEXT = { black: "B+", white: "W+", draw: "Draw" };
const DEFAULT_SIZE = "15";

/** The first game of a text: {width, height, rule, result, nodes}, where a node has parent, point [x, y] and comment. */
export function readSgf(text, rules) {
  const nodes = readNodes(text);
  const root = nodes[0].properties;
  const kind = simple(root.GM);
  if (kind && kind !== "4") throw new Refusal(`the SGF file is not of gomoku or renju: GM[${kind}] instead of GM[4]`);
  const size = SIZE.exec(simple(root.SZ) || DEFAULT_SIZE);
  if (!size) throw new Refusal(`the SGF file's board size SZ[${simple(root.SZ)}] is not known`);
  const rule = simple(root.RU).toLowerCase();
  const result = RESULTS.find(([, pattern]) => pattern.test(simple(root.RE)))?.[0] ?? "";
  return {
    width: Number(size[1]),
    height: Number(size[2] ?? size[1]),
    rule: rules.includes(rule) ? rule : "",
    result,
    nodes: withMoves(nodes),
  };
}

/** The nodes of the first tree, each after the one it follows: {parent, properties}. */
function readNodes(text) {
  const nodes = [];
  const branches = []; // the nodes to go back to
  let at = null;
  const tokens = /\s*(?:([();])|([A-Za-z]+)\s*((?:\[(?:\\[\s\S]|[^\]\\])*\]\s*)+)|(\S))/y;
  tokens.lastIndex = text.indexOf("(");
  for (let token = tokens.exec(text); token; token = tokens.exec(text)) {
    const [, mark, name, values, odd] = token;
    if (odd) throw new Refusal(`this is not an SGF file: unexpected ${odd}`);
    if (mark === "(") branches.push(at);
    else if (mark === ")") at = branches.pop();
    else if (mark === ";") at = nodes.push({ parent: at, properties: {} }) - 1;
    else if (at === null) throw new Refusal("this is not an SGF file: it begins with a property");
    else add(nodes[at].properties, name.replace(/[a-z]/g, ""), values);
    if (!branches.length) break;
  }
  if (branches.length || !nodes.length) throw new Refusal("this is not an SGF file: it is cut off");
  return nodes;
}

function add(properties, name, values) {
  const list = values.match(/\[(?:\\[\s\S]|[^\]\\])*\]/g).map((value) => value.slice(1, -1));
  properties[name] = [...(properties[name] ?? []), ...list];
}

/** A text as people wrote it: escapes and soft line breaks resolved. */
function plain(raw = "") {
  return raw
    .replace(/\r\n?/g, "\n")
    .replace(/\\\n/g, "")
    .replace(/\\([\s\S])/g, "$1")
    .replace(/[\t\v\f]/g, " ");
}

const simple = (values) => plain(values?.[0]).split(/\s+/).filter(Boolean).join(" ");

/** The nodes with their moves; stones that are set up become moves where the sides can have played them in turn. */
function withMoves(nodes) {
  const list = [];
  const places = []; // of each node of the file: its index in the list, and how many stones there are then
  for (const { parent, properties } of nodes) {
    const before = parent === null ? { index: null, stones: 0 } : places[parent];
    const comment = properties.C ? plain(properties.C[0]) : "";
    const setup = setUp(properties, before.stones);
    const points = setup ?? moveOf(properties, before.stones);
    let { index, stones } = before;
    if (parent === null) index = list.push({ parent: null, point: null, comment: "" }) - 1;
    for (const point of points) {
      index = list.push({ parent: index, point, comment: "" }) - 1;
      stones++;
    }
    // What a node without a move says goes to the move before it.
    list[index].comment = [list[index].comment, comment].filter(Boolean).join("\n");
    places.push({ index, stones });
  }
  return list;
}

function moveOf(properties, stones) {
  const names = ["B", "W"].filter((name) => properties[name]);
  if (!names.length) return [];
  const [name] = names;
  const value = properties[name][0].trim();
  if (names.length > 1 || properties[name].length > 1 || !isPoint(value)) {
    throw new Refusal(`move ${stones + 1} of the SGF file, ${name}[${value.slice(0, 10)}], is not a point`);
  }
  if (name !== "BW"[stones % 2]) {
    const [color, turn] = name === "B" ? ["black", "white"] : ["white", "black"];
    throw new Refusal(`move ${stones + 1} of the SGF file is ${color}'s, but it is ${turn}'s turn`);
  }
  return [pointOf(value)];
}

function setUp({ AB, AW, AE, PL, B, W }, stones) {
  if (!AB && !AW && !AE && !PL) return null;
  if (B || W) throw new Refusal("the SGF file sets stones up and moves in one node");
  if (stones || AE) throw new Refusal("the SGF file sets stones up or takes them away during the game");
  const black = (AB ?? []).flatMap(rectangle);
  const white = (AW ?? []).flatMap(rectangle);
  if (![0, 1].includes(black.length - white.length)) {
    throw new Refusal(
      `the SGF file sets up ${black.length} black and ${white.length} white stones; only positions that black and white reach by playing in turn are known`,
    );
  }
  const turn = black.length === white.length ? "B" : "W";
  if (PL && plain(PL[0]).trim().toUpperCase()[0] !== turn) {
    throw new Refusal("the SGF file says that it is the wrong side's turn after its stones");
  }
  return black.flatMap((point, index) => [point, white[index]].filter(Boolean));
}

/** One point, or all of a rectangle written as two corners. */
function rectangle(value) {
  const corners = value.trim().split(":");
  if (corners.length > 2 || !corners.every(isPoint)) {
    throw new Refusal(`the SGF file sets up a stone at ${value.slice(0, 10)}, which is not a point`);
  }
  const [[left, top], [right, bottom]] = [pointOf(corners[0]), pointOf(corners.at(-1))];
  const points = [];
  for (let y = top; y <= bottom; y++) for (let x = left; x <= right; x++) points.push([x, y]);
  return points;
}

const isPoint = (value) => /^[a-z]{2}$/.test(value);
const pointOf = (value) => [value.charCodeAt(0) - 97, value.charCodeAt(1) - 97];

/** A game as the text of an SGF file; `nodes` as `readSgf` gives them. */
export function writeSgf({ size, rule, black, white, result, nodes }) {
  const children = nodes.map(() => []);
  for (const [index, { parent }] of nodes.entries()) children[parent]?.push(index);
  const fields = { RU: rule, PB: black, PW: white, RE: RESULT_TEXT[result] };
  const known = Object.entries(fields).filter(([, value]) => value);
  const head = `FF[4]GM[4]CA[UTF-8]AP[Tengen]SZ[${size}]${known.map(([name, value]) => `${name}[${escaped(value)}]`).join("")}`;
  const parts = [];
  const pending = [{ index: 0, ply: 0 }, "("];
  while (pending.length) {
    const entry = pending.pop();
    if (typeof entry === "string") {
      parts.push(entry);
      continue;
    }
    const { index, ply } = entry;
    const { point, comment } = nodes[index];
    const move = point ? `${"WB"[ply % 2]}[${letters(point)}]` : "";
    parts.push(`;${index ? "" : head}${move}${comment ? `C[${escaped(comment)}]` : ""}`);
    const next = children[index];
    const fork = next.length > 1;
    for (const child of [...next].reverse()) {
      if (fork) pending.push(")");
      pending.push({ index: child, ply: ply + 1 });
      if (fork) pending.push("(");
    }
  }
  return `${parts.join("")})\n`;
}

const escaped = (text) => text.replace(/[\]\\]/g, "\\$&");
const letters = ([x, y]) => String.fromCharCode(97 + x, 97 + y);
