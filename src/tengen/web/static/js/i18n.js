// Texts in the chosen language.
import en from "./lang/en.js";
import zh from "./lang/zh.js";

export const LANGUAGES = { en, "zh-CN": zh };
let current = "en";

export function language() {
  return current;
}

/** The first of the reader's languages that there is. */
export function preferredLanguage() {
  const first = navigator.languages
    ?.map((name) => name.slice(0, 2).toLowerCase())
    .find((name) => ["zh", "en"].includes(name));
  return first === "zh" ? "zh-CN" : "en";
}

export function setLanguage(name) {
  current = name in LANGUAGES ? name : "en";
  document.documentElement.lang = current;
}

/** The text of a key with its {places} filled in; where `n` is 1 the text of `key.one`, if there is one. */
export function t(key, values = {}) {
  const one = values.n === 1 ? LANGUAGES[current][`${key}.one`] : undefined;
  const text = one ?? LANGUAGES[current][key] ?? en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** Texts one after the other, as the language sets them apart; empty ones are left out. */
export function sentences(...parts) {
  return parts.filter(Boolean).join(current === "zh-CN" ? "" : " ");
}

/** Fills in every element that names its text by data-t, data-t-title (tooltip and label) or data-t-placeholder. */
export function translate(root = document) {
  for (const element of root.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of root.querySelectorAll("[data-t-title]")) {
    element.title = t(element.dataset.tTitle);
    element.setAttribute("aria-label", element.title);
  }
  for (const element of root.querySelectorAll("[data-t-placeholder]"))
    element.placeholder = t(element.dataset.tPlaceholder);
}

const percents = new Map();

export function percent(share) {
  if (!percents.has(current)) {
    percents.set(current, new Intl.NumberFormat(current, { style: "percent", maximumFractionDigits: 0 }));
  }
  return percents.get(current).format(share);
}

export function number(value) {
  return new Intl.NumberFormat(current).format(value);
}

/** 1234567 as 1.2M. */
export function short(value) {
  if (value < 1000) return String(value);
  if (value < 999_500) return `${(value / 1000).toPrecision(value < 9950 ? 2 : 3).replace(/\.0$/, "")}k`;
  return `${(value / 1e6).toPrecision(2)}M`;
}
