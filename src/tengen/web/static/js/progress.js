// How somebody got on: small curves of strength and of puzzles, from results that never leave this browser.
import { h, svg } from "./dom.js";
import { number, t } from "./i18n.js";

const WIDTH = 200;
const HEIGHT = 56;
const EDGE = 4;
const FEWEST = 3; // points that make a curve

/** Draws curves [{title, values}]; those that are too short are left out. */
export function drawProgress(host, curves) {
  const drawn = curves.filter(({ values }) => values.length >= FEWEST);
  host.hidden = !drawn.length;
  host.replaceChildren(...drawn.map(curve));
}

function curve({ title, values }) {
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const x = (index) => EDGE + (index / (values.length - 1)) * (WIDTH - 2 * EDGE);
  const y = (value) => EDGE + (1 - (value - low) / span) * (HEIGHT - 2 * EDGE);
  const points = values.map((value, index) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`);
  const now = number(Math.round(values.at(-1)));
  const label = t("progress.curve", { title, from: number(Math.round(values[0])), now, n: values.length });
  return h(
    "figure",
    null,
    svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": label },
      svg("path", { d: `M${points.join("L")}`, class: "curve" }),
      svg("circle", { cx: x(values.length - 1), cy: y(values.at(-1)), r: 3.5, class: "dot" }),
    ),
    h("figcaption", { class: "small" }, h("strong", null, now), ` ${title}`),
  );
}
