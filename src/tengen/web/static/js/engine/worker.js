// The other side of the page where there is no server: reads requests, works on them in turn, posts the answers.

import { ANSWERS, Job } from "./jobs.js";
import { Refusal } from "./position.js";
import createCore from "./tengen-web.js";

const MOST_JOBS = 8;
const jobs = new Map(); // by the id of their request
const pause = makePause();
const started = start();

addEventListener("message", async ({ data }) => {
  const engine = await started;
  const request = JSON.parse(data);
  if (request.type === "stop") stop(request);
  else work(request, engine);
});

async function start() {
  const [core, response] = await Promise.all([createCore(), fetch("facts.json")]);
  const facts = await response.json();
  const server = String(Math.random()); // another one each time it is started
  postMessage({ type: "hello", ...facts.hello, server, requests: [...Object.keys(ANSWERS), "stop"] });
  return { core, facts };
}

function stop({ id, discard }) {
  const job = jobs.get(id);
  job?.stop(discard);
  if (discard) jobs.delete(id);
}

/** Posts the answers to a request; others get their turn after every slice. */
async function work(request, engine) {
  const { id } = request;
  const job = new Job();
  try {
    if (!ANSWERS[request.type]) throw new Refusal(`nobody answers "${request.type}" here`);
    if (jobs.size >= MOST_JOBS) throw new Refusal("too many searches on this page", "busy");
    jobs.set(id, job);
    for await (const message of ANSWERS[request.type](request, engine, job)) {
      if (job.discarded) break;
      if (message) postMessage(message);
      await pause();
    }
  } catch (error) {
    if (!(error instanceof Refusal))
      setTimeout(() => fall(error)); // as an error of this worker, which is replaced
    else if (!job.discarded) postMessage({ type: "error", id, code: error.code, message: error.message });
  } finally {
    if (jobs.get(id) === job) jobs.delete(id);
  }
}

function fall(error) {
  throw error;
}

/** A function that lets messages come in, at once and not after the milliseconds of a timer. */
function makePause() {
  const { port1, port2 } = new MessageChannel();
  const waiting = [];
  port1.onmessage = () => waiting.shift()();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(null);
    });
}
