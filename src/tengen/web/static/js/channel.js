// Who answers the page: the server that it came from or, where it came as files alone, a worker in this browser.
//
// A channel is opened with what to do with a message and when it closes, knows whether it is open, and sends.

class SocketChannel {
  open(receive, closed) {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/ws`);
    this.socket.addEventListener("message", (event) => receive(JSON.parse(event.data)));
    this.socket.addEventListener("close", closed);
  }

  get isOpen() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  send(text) {
    this.socket.send(text);
  }
}

class WorkerChannel {
  constructor(address) {
    this.address = address;
  }

  open(receive, closed) {
    this.worker = new Worker(this.address, { type: "module" });
    this.worker.addEventListener("message", ({ data }) => receive(data));
    this.worker.addEventListener("error", () => {
      this.worker.terminate(); // it may be short of memory: the next one begins with none
      this.worker = null;
      closed();
    });
  }

  get isOpen() {
    return Boolean(this.worker);
  }

  send(text) {
    this.worker.postMessage(text);
  }
}

/** The channel of this page: its first tag may name the script of a worker. */
export function channelOf({ dataset }) {
  return dataset.worker ? new WorkerChannel(dataset.worker) : new SocketChannel();
}
