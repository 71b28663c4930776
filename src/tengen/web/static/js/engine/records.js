// Games as text: SGF, PSQ and moves one after the other; as tengen.records and tengen.web.records.
import { toText, toXY } from "../points.js";
import { Position, Refusal } from "./position.js";
import { readSgf, writeSgf } from "./sgf.js";

const PSQ_HEAD = /^Piskvorky\s+(\d{1,2})\s*x\s*(\d{1,2})\s*,.*$/i;
const PSQ_MOVE = /^\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,12})\s*$/;
const PSQ_MOVE_LIKE = /^\s*-?\d+\s*,\s*-?\d+.*$/;
const POINT = /([a-z][1-9][0-9]?)[\s,;]*/y;
const CHARSET = /[;\]]\s*CA\s*\[([^[\]\\]*)\]/;
const RULES = ["freestyle", "standard", "renju", "caro"];

/** The game in a text or file: {game, tree}. */
export function readRecord(
  core,
  { text = "", data = "", rule, size },
  { record_bytes, nodes: most, min_size, max_size },
) {
  const bytes = data ? Uint8Array.from(atob(data), (char) => char.charCodeAt(0)) : new TextEncoder().encode(text);
  if (bytes.length > record_bytes) throw new Refusal("the game is too large", "large");
  const content = (data ? decoded(bytes) : text).replace(/^\ufeff/, "").trim();
  const record = parsed(content, size);
  if (record.nodes.length > most) throw new Refusal("the game is too large", "large");
  const { width, height, nodes } = record;
  if (width !== height) throw new Refusal(`the web board is square, this game is ${width}x${height}`);
  if (width < min_size || width > max_size) throw new Refusal(`the record is of no use: its size is ${width}`);
  check(nodes, width);
  const moves = mainLine(nodes).map(([x, y]) => toText(x, y, width));
  const tree = nodes.map(({ parent, point, comment }) => ({ parent, move: point && toText(...point, width), comment }));
  return { game: { size: width, rule: ruleOf(core, record.rule, rule, width, moves), moves }, tree };
}

/** The rule that a record names, or the one of the board where that allows the game. */
function ruleOf(core, named, given, size, moves) {
  for (const rule of named ? [named] : [given, "freestyle"]) {
    try {
      new Position(core, { size, rule, moves }).free();
      return rule;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (named || rule === "freestyle") throw new Refusal(`the record goes on after the end: ${error.message}`);
    }
  }
  return given;
}

function parsed(content, size) {
  if (!content) throw new Refusal("there is no game in it");
  if (content.startsWith("(")) return readSgf(content, RULES);
  return /^piskvorky/i.test(content) ? readPsq(content) : readMoves(content, size);
}

function readPsq(content) {
  const [first, ...lines] = content.split(/\r\n|[\r\n]/);
  const head = PSQ_HEAD.exec(first.trim());
  if (!head) throw new Refusal("this is not a PSQ file: it does not begin with Piskvorky and the size of the board");
  const points = [];
  for (const [index, line] of lines.entries()) {
    const move = PSQ_MOVE.exec(line);
    if (!move && PSQ_MOVE_LIKE.test(line))
      throw new Refusal(`line ${index + 2} of the PSQ file is no move: ${line.trim()}`);
    if (!move && line.trim()) break; // the players' names, and what only Piskvork understands
    if (!move) continue;
    const [x, y] = [Number(move[1]) - 1, Number(move[2]) - 1];
    if (x < 0 || y < 0) throw new Refusal(`line ${index + 2} of the PSQ file is no move: points count from 1`);
    points.push([x, y]);
  }
  return { width: Number(head[1]), height: Number(head[2]), rule: "", nodes: lineOf(points) };
}

function readMoves(content, size) {
  const text = content.toLowerCase();
  const points = [];
  POINT.lastIndex = 0;
  for (let place = 0; place < text.length; place = POINT.lastIndex) {
    const match = POINT.exec(text);
    if (!match) throw new Refusal(`"${text.slice(place, place + 10)}" is not a point; write moves like h8i9`);
    points.push(toXY(match[1], size));
  }
  return { width: size, height: size, rule: "", nodes: lineOf(points) };
}

/** A game without variations. */
function lineOf(points) {
  const root = { parent: null, point: null, comment: "" };
  return [root, ...points.map((point, index) => ({ parent: index, point, comment: "" }))];
}

/** The points of the game as it was played: the first of the nodes that follow each other. */
function mainLine(nodes) {
  const points = [];
  let at = 0;
  for (const [index, { parent, point }] of nodes.entries()) {
    if (parent !== at || index === 0) continue;
    points.push(point);
    at = index;
  }
  return points;
}

/** Makes sure that every move of every variation is on the board and on an empty point. */
function check(nodes, size) {
  const stones = [new Set()];
  for (const [index, { parent, point }] of nodes.entries()) {
    if (index === 0) continue;
    const before = stones[parent];
    const [x, y] = point;
    const name = toText(x, y, size);
    if (x < 0 || y < 0 || x >= size || y >= size) {
      throw new Refusal(`move ${before.size + 1} of the record is off the ${size}x${size} board`);
    }
    if (before.has(name)) throw new Refusal(`move ${before.size + 1} of the record, ${name}, is on a stone`);
    stones.push(new Set(before).add(name));
  }
}

/** The text of a file: in the encoding that it names, else UTF-8, else Chinese. */
function decoded(bytes) {
  const latin = new TextDecoder("latin1").decode(bytes);
  const named = CHARSET.exec(latin)?.[1].trim();
  if (named) {
    try {
      return new TextDecoder(named).decode(bytes);
    } catch {
      throw new Refusal(`the SGF file says that its text is "${named}", which is not known`);
    }
  }
  const brackets = (text) => text.split("]").length;
  for (const encoding of ["utf-8", "gb18030"]) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      // A Latin letter with an accent and the bracket after it pass for one Chinese character.
      if (brackets(text) === brackets(latin)) return text;
    } catch {
      // another encoding
    }
  }
  return latin;
}

/** A game in a format, with its variations if there are any and the format knows them. */
export function writeRecord(core, { game, format, tree = [], winner = null }, { record_bytes, nodes: most }) {
  if (tree.length > most) throw new Refusal("the game is too large", "large");
  const points = (list) => list.map((move) => toXY(move, game.size));
  const nodes = tree.length
    ? tree.map(({ parent, move, comment }) => ({ parent, point: move && toXY(move, game.size), comment }))
    : lineOf(points(game.moves));
  const text = WRITERS[format](game, nodes, () => resultOf(core, game, nodes) ?? winner ?? "");
  if (new TextEncoder().encode(text).length > record_bytes) throw new Refusal("the game is too large", "large");
  return text;
}

const WRITERS = {
  sgf: (game, nodes, result) => writeSgf({ ...game, result: result(), nodes }),
  pos: ({ moves }) => `${moves.join("")}\n`,
  psq: ({ size }, nodes) => {
    const moves = mainLine(nodes).map(([x, y]) => `${x + 1},${y + 1},0`);
    return [`Piskvorky ${size}x${size}, 0:0, 1`, ...moves].map((line) => `${line}\r\n`).join("");
  },
};

function resultOf(core, game, nodes) {
  const moves = mainLine(nodes).map(([x, y]) => toText(x, y, game.size));
  const position = new Position(core, { ...game, moves });
  try {
    const outcome = position.outcome();
    return outcome && (outcome.winner ?? "draw");
  } finally {
    position.free();
  }
}
