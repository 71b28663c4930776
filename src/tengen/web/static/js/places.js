// The browser's history: every view is a place, so that Back leads to the one before.
import { attempt } from "./store.js";

export class Places {
  /** `arrive` shows the view that Back or Forward leads to. */
  constructor(view, arrive) {
    attempt(() => history.replaceState({ view }, ""));
    addEventListener("popstate", ({ state }) => state?.view && arrive(state.view));
  }

  /** Somebody goes to another view. */
  go(view) {
    if (history.state?.view !== view) attempt(() => history.pushState({ view }, ""));
  }

  /** Whether the address was written by hand or came with a link, and is not that of a view. */
  get isForeign() {
    return !history.state?.view;
  }
}
