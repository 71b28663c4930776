// What the server refuses, in the language of the page: its own sentences are English.
import { language, number, t } from "./i18n.js";

/** Sentences about a game that cannot be read, and the texts that say the same. */
const PROBLEMS = [
  [/^there is no game/, "share.problem.empty"],
  [/^"(?<text>.*)" is not a point/, "share.problem.point"],
  [/^move (?<n>\d+) .*is on a stone/, "share.problem.occupied"],
  [/^move (?<n>\d+) .*is off the/, "share.problem.off"],
  [/^the record goes on after the end|the game is over/, "share.problem.end"],
  [/^move (?<n>\d+) .*(but it is|is not a point)/, "share.problem.move"],
  [/^the web board is square/, "share.problem.square"],
  [/SZ\[|^the record is of no use|size/, "share.problem.size"],
  [/^(this is not an SGF|the SGF file|line \d+ of the PSQ|this is not a PSQ)/, "share.problem.file"],
];

/** Why a game was not opened. */
export function importText({ message }) {
  for (const [pattern, key] of PROBLEMS) {
    const match = pattern.exec(message);
    if (match) return t(key, match.groups);
  }
  return t("share.problem.other", { message: language() === "en" ? message : "" });
}

/** What went wrong; `facts` are the server's. */
export function errorText(answer, facts) {
  const { max_record_bytes = 0, max_nodes = 0 } = facts ?? {};
  const values = { kilobytes: number(max_record_bytes >> 10), moves: number(max_nodes) };
  return t(`error.${answer.code}`, { ...values, ...answer });
}
