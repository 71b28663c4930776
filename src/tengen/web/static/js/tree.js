// The moves of a game with their variations.
export class Node {
  constructor(parent, move) {
    this.parent = parent;
    this.move = move;
    this.children = [];
    this.next = null; // the child that was visited last
    this.state = null; // what the server says about the position
    this.verdict = null; // of a review: {win_rate, best, line, proof}
    this.ply = parent ? parent.ply + 1 : 0;
  }

  /** The nodes from the first move to this one. */
  path() {
    const nodes = [];
    for (let node = this; node.parent; node = node.parent) nodes.unshift(node);
    return nodes;
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

/** Nested lists fit for JSON: [move, index of next, ...children]. */
export function pack(node) {
  return [node.move, node.children.indexOf(node.next), ...node.children.map(pack)];
}

export function unpack([move, next, ...children], parent = null) {
  const node = new Node(parent, move);
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
