// The end of a game: who won and why, beside the board that shows it, and where to go from here.
import { stoneIcon } from "./board-shapes.js";
import { $ } from "./dom.js";
import { sentences, t } from "./i18n.js";
import { other } from "./points.js";

/** The end in one sentence: "You won!", or who did; a person's `side` is {color, rival, mayRise}, a computer or a friend. */
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

/** What to do after such a result; whoever wins is told to try the next level only where there is one to choose. */
function advice(result, side) {
  if (side?.rival !== "computer" || (result === "won" && !side.mayRise)) return "";
  return t(`end.advice.${result}`);
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
  $("#end-text").textContent = sentences(reasonText(result, moves), advice(card.dataset.result, side), strength);
}
