// Buttons that ask before they act: the first click only asks.
import { $ } from "./dom.js";
import { t } from "./i18n.js";

const PATIENCE = 4000;

/** Lets a button act at its second click. */
export function askFirst(id, action) {
  const button = $(`#${id}`);
  let timer;
  const calm = () => {
    clearTimeout(timer);
    button.classList.remove("sure");
    button.textContent = t(button.dataset.t);
  };
  button.addEventListener("blur", calm);
  button.addEventListener("click", () => {
    const sure = button.classList.contains("sure");
    calm();
    if (sure) {
      action();
      return;
    }
    button.classList.add("sure");
    button.textContent = t("action.sure", { action: t(button.dataset.t) });
    timer = setTimeout(calm, PATIENCE);
  });
}
