// What the other side answers: a server has more to offer than a worker in the browser.
import { $$ } from "./dom.js";

/** Hides what needs a kind of request that is not answered (data-needs), and shows what says so (data-lacks). */
export function showOffers(requests) {
  const answered = (kind) => requests.includes(kind);
  for (const part of $$("[data-needs]")) part.classList.toggle("missing", !answered(part.dataset.needs));
  for (const part of $$("[data-lacks]")) part.classList.toggle("missing", answered(part.dataset.lacks));
}
