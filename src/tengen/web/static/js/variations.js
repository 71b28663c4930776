// The tree of variations: a picture to click in, promoting and deleting, and the comment of the shown move.
import { $, svg } from "./dom.js";
import { t } from "./i18n.js";
import { turnAt } from "./points.js";

const STEP = 22;
const RADIUS = 7;

/** A row for every node: the main line on top, each variation below everything that it would cross. */
export function layout(root) {
  const rows = new Map();
  const lowest = []; // row that is taken at a ply
  const place = (start) => {
    const line = [];
    for (let node = start; node; node = node.children[0]) line.push(node);
    const from = Math.max(0, start.ply - 1); // the edge from the parent needs room too
    const row =
      Math.max(...Array.from({ length: line.at(-1).ply - from + 1 }, (_, index) => lowest[from + index] ?? -1)) + 1;
    for (let ply = from; ply <= line.at(-1).ply; ply++) lowest[ply] = row;
    for (const node of line) rows.set(node, row);
    for (const node of line.reverse()) node.children.slice(1).forEach(place); // the last ones stay closest
  };
  place(root);
  return rows;
}

export class Variations {
  constructor(app) {
    this.app = app;
    this.marks = new Map(); // node -> its group in the picture
    this.drawn = "";
    $("#promote").addEventListener("click", () => this.promote());
    $("#delete").addEventListener("click", () => this.remove());
    $("#tree").addEventListener("keydown", (event) => this.key(event));
    $("#comment").addEventListener("input", (event) => {
      app.current.comment = event.target.value;
      app.keeper.note();
      this.render();
    });
  }

  /** Along a line with the arrows to the sides, between variations with the others. */
  key(event) {
    const { current } = this.app;
    const beside = (step) => {
      const all = current.parent?.children ?? [];
      return all[all.indexOf(current) + step];
    };
    const targets = { ArrowLeft: current.parent, ArrowRight: current.next, ArrowUp: beside(-1), ArrowDown: beside(1) };
    if (!(event.key in targets)) return;
    event.preventDefault();
    if (!targets[event.key]) return;
    this.app.goTo(targets[event.key]);
    this.shown.focus({ preventScroll: true });
  }

  promote() {
    this.app.current.promote();
    this.app.changed();
  }

  /** Takes the shown move and all that follows it out of the tree. */
  remove() {
    const { app } = this;
    if (app.game.head.path().includes(app.current)) app.game.ended = null;
    app.analyse.forget(app.current);
    app.drop(app.current);
    app.goTo(app.current);
  }

  render() {
    const { app } = this;
    if (app.view !== "analyse") return;
    const { current } = app;
    const root = current.root();
    $("#variations").hidden = !root.children.length;
    $("#promote").disabled = current.isMain();
    $("#delete").disabled = !current.parent;
    if ($("#comment").value !== current.comment) $("#comment").value = current.comment;
    this.draw(root);
    const mark = this.marks.get(current);
    $("#tree [aria-current]")?.removeAttribute("aria-current");
    $("#tree [tabindex]")?.removeAttribute("tabindex");
    mark?.setAttribute("aria-current", "true");
    mark?.setAttribute("tabindex", 0);
    const here = mark && mark !== this.shown ? mark.getBoundingClientRect() : null;
    this.shown = mark;
    if (!here) return;
    const host = $("#tree");
    const frame = host.getBoundingClientRect();
    host.scrollLeft += here.x + here.width / 2 - frame.x - frame.width / 2;
    host.scrollTop += here.y + here.height / 2 - frame.y - frame.height / 2;
  }

  /** Draws the tree again if it has changed. */
  draw(root) {
    const rows = layout(root);
    const places = [...rows].map(([node, row]) => `${node.ply},${row},${node.move},${node.comment ? 1 : 0}`).join(" ");
    if (places === this.drawn && this.marks.has(root)) return;
    this.drawn = places;
    const at = (node) => [STEP * (node.ply + 0.5), STEP * (rows.get(node) + 0.5)];
    const edges = [];
    this.marks = new Map();
    for (const node of rows.keys()) {
      const [x, y] = at(node);
      if (node.parent) {
        const [fromX, fromY] = at(node.parent);
        edges.push(y === fromY ? `M${fromX} ${y}H${x}` : `M${fromX} ${fromY}V${y - STEP / 2}L${x} ${y}`);
      }
      this.marks.set(node, this.mark(node, x, y));
    }
    const width = STEP * (Math.max(...[...rows.keys()].map((node) => node.ply)) + 1);
    const height = STEP * (Math.max(...rows.values()) + 1);
    const picture = svg(
      "svg",
      { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": t("tree.title") },
      svg("path", { class: "edges", d: edges.join("") }),
      ...this.marks.values(),
    );
    $("#tree").replaceChildren(picture);
  }

  mark(node, x, y) {
    const label = node.parent ? `${node.ply} ${node.move}` : t("tree.start");
    return svg(
      "g",
      {
        class: `node ${node.parent ? turnAt(node.ply - 1) : "start"}`,
        role: "button",
        "aria-label": label,
        "data-line": node.moves().join(" "),
        onclick: () => this.app.opening.active || this.app.goTo(node),
      },
      svg("title", null, label),
      svg("circle", { class: "reach", cx: x, cy: y, r: STEP / 2 }),
      svg("circle", { class: "stone", cx: x, cy: y, r: node.parent ? RADIUS : 3 }),
      node.comment ? svg("circle", { class: "remark", cx: x + RADIUS - 1, cy: y - RADIUS + 1, r: 2.8 }) : null,
    );
  }
}
