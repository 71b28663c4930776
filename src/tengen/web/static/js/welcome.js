// The first visit: what the game is about, and how strong an opponent should be.
import { $, h } from "./dom.js";
import { t } from "./i18n.js";

/** Kinds of people, and the level that each begins with. */
const STRENGTHS = { new: 1, casual: 3, regular: 5, expert: 9 };
export const EASY = STRENGTHS.new;

/** Asks for the strength; `begin` gets the level of whoever chooses one. */
export function openWelcome(begin) {
  const dialog = $("#welcome-dialog");
  const buttons = Object.entries(STRENGTHS).map(([name, level]) =>
    h(
      "button",
      { value: name, class: level === EASY ? "primary" : null, "data-level": level, onclick: () => begin(level) },
      h("strong", null, t(`welcome.${name}`)),
      h("span", { class: "small" }, t(`level.${level}`)),
    ),
  );
  $("#strengths").replaceChildren(...buttons);
  dialog.showModal();
  buttons[0].focus();
}
