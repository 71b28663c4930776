// The moves of a game with their variations.
export class Node {
  constructor(parent, move) {
    this.parent = parent;
    this.move = move;
    this.comment = "";
    this.children = [];
    this.next = null; // the child that was visited last
    this.state = null; // what the server says about the position
    this.verdict = null; // what a review said about it: the answer of the server
    this.ply = parent ? parent.ply + 1 : 0;
  }

  /** The nodes from the first move to this one. */
  path() {
    const nodes = [];
    for (let node = this; node.parent; node = node.parent) nodes.unshift(node);
    return nodes;
  }

  /** The child on the way to a later node; nothing if that does not follow from this one. */
  towards(node) {
    const step = node.path()[this.ply];
    return step?.parent === this ? step : null;
  }

  moves() {
    return this.path().map((node) => node.move);
  }

  /** The child with a move, made if there is none. */
  play(move) {
    let child = this.children.find((node) => node.move === move);
    if (!child) {
      child = new Node(this, move);
      this.children.push(child);
    }
    this.next = child;
    return child;
  }

  /** The last node of the line through this one. */
  end() {
    let node = this;
    while (node.next) node = node.next;
    return node;
  }

  root() {
    let node = this;
    while (node.parent) node = node.parent;
    return node;
  }

  /** Whether the main line, the first child of each node, goes through this one. */
  isMain() {
    return this.path().every((node) => node.parent.children[0] === node);
  }

  /** Makes the line to this node the main line. */
  promote() {
    for (const node of this.path()) {
      const { parent } = node;
      parent.children = [node, ...parent.children.filter((child) => child !== node)];
    }
    return this.select();
  }

  /** Takes this node and what follows it out of the tree. */
  remove() {
    const { parent } = this;
    parent.children = parent.children.filter((child) => child !== this);
    if (parent.next === this) parent.next = parent.children[0] ?? null;
  }

  /** Makes this node's line the one that is gone through. */
  select() {
    for (let node = this; node.parent; node = node.parent) node.parent.next = node;
    return this;
  }
}

export function fromMoves(moves) {
  let node = new Node(null, null);
  for (const move of moves) node = node.play(move);
  return node;
}

/** The root of a tree as messages write it: a list of {parent, move, comment}, the main line first. */
export function fromList(entries) {
  const root = new Node(null, null);
  const nodes = [];
  for (const { parent, move, comment } of entries) {
    const node = move ? nodes[parent].play(move) : root;
    node.comment = [node.comment, comment].filter(Boolean).join("\n");
    nodes.push(node);
  }
  for (const node of nodes) node.next = node.children[0] ?? null;
  return root;
}

export function toList(root) {
  const entries = [];
  const add = (node, parent) => {
    const index = entries.length;
    entries.push({ parent, move: node.move, comment: node.comment });
    for (const child of node.children) add(child, index);
  };
  add(root, null);
  return entries;
}

/** Nested lists fit for JSON: [move, comment, index of next, ...children]. */
export function pack(node) {
  return [node.move, node.comment, node.children.indexOf(node.next), ...node.children.map(pack)];
}

export function unpack([move, comment, next, ...children], parent = null) {
  if (typeof comment !== "string") throw new TypeError("saved by another version");
  const node = new Node(parent, move);
  node.comment = comment;
  node.children = children.map((child) => unpack(child, node));
  node.next = node.children[next] ?? null;
  return node;
}

/** The way to a node as child indices. */
export function address(node) {
  return node.path().map((step) => step.parent.children.indexOf(step));
}

export function at(root, indices) {
  return indices.reduce((node, index) => node.children[index] ?? node, root);
}
