// The end of a game: who won and why, beside the board that shows it, and where to go from here.
import { stoneIcon } from "./board-shapes.js";
import { $ } from "./dom.js";
import { t } from "./i18n.js";
import { other } from "./points.js";

/** The end in one sentence: "You won!", or who did; a person's `side` is {color, rival}, a computer or a friend. */
export function resultText({ winner }, side) {
  if (!winner) return t("end.draw");
  if (!side) return t("end.wins", { color: t(`color.${winner}`) });
  return t(winner === side.color ? "end.won" : `end.lost.${side.rival}`);
}

/** Why it ended. */
export function reasonText({ winner, reason }, moves) {
  const loser = winner && t(`color.${other(winner)}`);
  return t(reason === "draw" ? "end.drawReason" : `end.${reason}`, { n: moves, color: loser });
}

/**
 * Shows the end, or hides it if there is none; `side` is the person's, `strength` what to tell them of it after a game
 * that counted.
 */
export function drawEnd(result, side, moves, strength) {
  const card = $("#end");
  card.hidden = !result;
  if (!result) return;
  const { winner } = result;
  card.dataset.result = !winner ? "draw" : !side ? "over" : winner === side.color ? "won" : "lost";
  $("#end-stone").replaceChildren(...(winner ? [stoneIcon(winner)] : [stoneIcon("black"), stoneIcon("white")]));
  $("#end-title").textContent = resultText(result, side);
  const advice = side?.rival === "computer" ? ` ${t(`end.advice.${card.dataset.result}`)}` : "";
  $("#end-text").textContent = reasonText(result, moves) + advice + (strength ? ` ${strength}` : "");
}
