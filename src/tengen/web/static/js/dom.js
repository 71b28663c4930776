// Making elements.
const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Gives an element these children; what is in its place already is not touched, so that a click there is not lost. */
export function arrange(host, children) {
  const focused = document.activeElement;
  children.forEach((child, index) => {
    if (host.children[index] !== child) host.insertBefore(child, host.children[index] ?? null);
  });
  while (host.children.length > children.length) host.lastElementChild.remove();
  if (host.contains(focused)) focused.focus({ preventScroll: true });
}

/** Puts new children into an element; the focus goes from the old one to the new one with the same data-key. */
export function redraw(host, ...children) {
  const focused = host.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  host.replaceChildren(...children);
  if (focused !== undefined) host.querySelector(`[data-key="${focused}"]`)?.focus({ preventScroll: true });
}

/** One of several values to choose from, as a radio button. */
export function choice(name, value, label, onchange) {
  return h("label", null, h("input", { type: "radio", name, value, onchange }), h("span", null, label));
}

export function showProgress(bar, share) {
  const percentage = Math.round(100 * Math.min(1, share));
  bar.setAttribute("aria-valuenow", percentage);
  bar.firstElementChild.style.width = `${percentage}%`;
}

export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
