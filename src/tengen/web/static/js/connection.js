// Numbered requests to whoever answers (channel.js), and a connection that comes back by itself.
const FIRST_WAIT = 300;
const LONGEST_WAIT = 4000;
/** Answers after which others may come, by the type of their request. */
const STREAMS = {
  think: ["state", "progress"],
  analyse: ["analysis"],
  review: ["review"],
  join: ["room"],
};

export class Connection {
  /** `events`: hello(message, again) when the other side greets, lost() when it is gone. */
  constructor(channel, events) {
    this.channel = channel;
    this.events = events;
    this.handlers = new Map();
    this.nextId = 1;
    this.wait = FIRST_WAIT;
    this.greeted = false;
    this.open();
  }

  get isOpen() {
    return this.greeted && this.channel.isOpen;
  }

  open() {
    this.channel.open(
      (message) => this.receive(message),
      () => this.closed(),
    );
  }

  receive(message) {
    if (message.type === "hello") {
      this.wait = FIRST_WAIT;
      this.greeted = true;
      const restarted = this.server !== undefined && this.server !== message.server;
      const again = this.server !== undefined;
      this.server = message.server;
      this.largest = message.max_message_bytes;
      this.events.hello(message, { again, restarted });
      return;
    }
    const { type, handler } = this.handlers.get(message.id) ?? {};
    if (!STREAMS[type]?.includes(message.type) || message.done) this.handlers.delete(message.id);
    handler?.(message);
  }

  closed() {
    const was = this.greeted;
    this.greeted = false;
    this.handlers.clear();
    if (was || this.wait > FIRST_WAIT) this.events.lost();
    setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(this.wait * 1.6, LONGEST_WAIT);
  }

  /** Sends a request; `handler` gets each of its answers. Returns the id, or 0 without a connection. */
  send(request, handler) {
    if (!this.isOpen) return 0;
    const id = this.nextId++;
    const text = JSON.stringify({ id, ...request });
    if (new Blob([text]).size > this.largest) {
      queueMicrotask(() => handler({ type: "error", code: "large" })); // a server would hang up
      return id;
    }
    this.handlers.set(id, { type: request.type, handler });
    this.channel.send(text);
    return id;
  }

  /** Ends a request; with `discard` its answers are not wanted any more. */
  stop(id, discard) {
    if (!id) return;
    if (discard) this.handlers.delete(id);
    if (this.isOpen) this.channel.send(JSON.stringify({ type: "stop", id, discard }));
  }
}
