// The win-rate chart over a game, as small SVG.
import { svg } from "./dom.js";
import { percent, t } from "./i18n.js";

const WIDTH = 372;
const HEIGHT = 138;
const LEFT = 36;
const RIGHT = 8;
const TOP = 10;
const BOTTOM = 20;
const SIGN_WIDTH = 17;

const SIGNS = { blunder: "??", mistake: "?", inaccuracy: "?!" };

/** The mistakes that a review found on a line of nodes: [{node, grade, sign, drop, best, missed}]. */
export function mistakes(nodes) {
  return nodes
    .filter((node) => node.verdict?.mistake)
    .map((node) => {
      const { mistake, loss, better, missed } = node.verdict;
      return { node, grade: mistake, sign: SIGNS[mistake], drop: loss, best: better[0], missed };
    });
}

/** The position that a click on the chart of so many positions means. */
export function plyAt(event, positions) {
  const box = event.currentTarget.getBoundingClientRect();
  const share = (((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT);
  return Math.round(Math.min(1, Math.max(0, share)) * (positions - 1));
}

/** The chart as people hear it who do not see it: a slider over the positions. */
function describe(host, nodes, { ply, move, verdict }) {
  const text = [ply, move, verdict && percent(verdict.win_rate)].filter(Boolean).join(" ");
  const values = {
    label: t("review.chart", { n: nodes.length }),
    valuemin: 0,
    valuemax: nodes.length - 1,
    valuenow: ply,
    valuetext: text,
  };
  for (const [name, value] of Object.entries(values)) host.setAttribute(`aria-${name}`, value);
}

/** Draws into `host`; whether there was anything to draw. */
export function drawChart(host, nodes, current, found) {
  const known = nodes.filter((node) => node.verdict);
  host.hidden = known.length < 2;
  if (host.hidden) return false;
  describe(host, nodes, current);
  const last = Math.max(nodes.length - 1, 1);
  const x = (ply) => LEFT + (ply / last) * (WIDTH - LEFT - RIGHT);
  const y = (rate) => TOP + (1 - rate) * (HEIGHT - TOP - BOTTOM);
  const chart = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", "aria-hidden": "true" });
  for (const rate of [0, 0.5, 1]) {
    chart.append(
      svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(rate), y2: y(rate), class: rate === 0.5 ? "middle" : "edge" }),
    );
    chart.append(
      svg(
        "text",
        { x: LEFT - 6, y: y(rate), class: "tick", "text-anchor": "end", "dominant-baseline": "central" },
        percent(rate),
      ),
    );
  }
  for (let ply = 10; ply <= last; ply += last > 60 ? 20 : 10) {
    chart.append(svg("text", { x: x(ply), y: HEIGHT - 4, class: "tick", "text-anchor": "middle" }, String(ply)));
  }
  const points = known.map((node) => `${x(node.ply).toFixed(1)} ${y(node.verdict.win_rate).toFixed(1)}`);
  chart.append(
    svg("path", {
      d: `M${x(known[0].ply)} ${y(0.5)}L${points.join("L")}L${x(known.at(-1).ply)} ${y(0.5)}Z`,
      class: "area",
    }),
  );
  chart.append(svg("path", { d: `M${points.join("L")}`, class: "curve" }));
  if (nodes.includes(current)) {
    chart.append(svg("line", { x1: x(current.ply), x2: x(current.ply), y1: TOP, y2: HEIGHT - BOTTOM, class: "now" }));
  }
  const labels = { above: -SIGN_WIDTH, below: -SIGN_WIDTH }; // where the last sign of each row ends
  for (const { node, grade, sign } of found) {
    const [cx, cy] = [x(node.ply), y(node.verdict.win_rate)];
    const mark = svg("g", { class: `grade ${grade}` });
    mark.append(svg("circle", { cx, cy, r: grade === "inaccuracy" ? 4 : 5.5 }));
    const rows = cy < 34 ? ["below"] : cy > HEIGHT - 48 ? ["above"] : ["above", "below"];
    const row = rows.find((name) => cx - labels[name] >= SIGN_WIDTH); // signs that would touch are left out
    if (grade !== "inaccuracy" && row) {
      labels[row] = cx;
      const place = { x: cx, y: row === "below" ? cy + 17 : cy - 11 };
      mark.append(svg("text", { ...place, "text-anchor": "middle", "dominant-baseline": "central" }, sign));
    }
    chart.append(mark);
  }
  host.replaceChildren(chart);
  return true;
}
