// How every page looks: light or dark, and in which language.

import { $ } from "./dom.js";
import { language, setLanguage, translate } from "./i18n.js";

/** Shows a page as the settings say. */
export function appear(settings) {
  const { theme } = settings;
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  setLanguage(settings.language);
  translate();
  $("#language").textContent = language() === "en" ? "中" : "EN";
}

/** The other one of two languages. */
export function otherLanguage() {
  return language() === "en" ? "zh-CN" : "en";
}

export function isDark({ theme }) {
  return theme === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
}
