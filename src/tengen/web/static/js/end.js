// The end of a game: who won and why, beside the board that shows it, and where to go from here.
import { stoneIcon } from "./board-shapes.js";
import { $ } from "./dom.js";
import { t } from "./i18n.js";
import { other } from "./points.js";

/** The end in one sentence: "You won!", or which colour did. */
export function resultText({ winner }, human) {
  if (!winner) return t("end.draw");
  if (!human) return t("end.wins", { color: t(`color.${winner}`) });
  return t(winner === human ? "end.won" : "end.lost");
}

/** Why it ended. */
export function reasonText({ winner, reason }, moves) {
  const loser = winner && t(`color.${other(winner)}`);
  return t(reason === "draw" ? "end.drawReason" : `end.${reason}`, { n: moves, color: loser });
}

/**
 * Shows the end, or hides it if there is none; `human` is the person's colour against the computer, `strength` what to
 * tell them of it after a game that counted.
 */
export function drawEnd(result, human, moves, strength) {
  const card = $("#end");
  card.hidden = !result;
  if (!result) return;
  const { winner } = result;
  card.dataset.result = !winner ? "draw" : !human ? "over" : winner === human ? "won" : "lost";
  $("#end-stone").replaceChildren(...(winner ? [stoneIcon(winner)] : [stoneIcon("black"), stoneIcon("white")]));
  $("#end-title").textContent = resultText(result, human);
  const advice = human ? ` ${t(`end.advice.${card.dataset.result}`)}` : "";
  $("#end-text").textContent = reasonText(result, moves) + advice + (strength ? ` ${strength}` : "");
}
