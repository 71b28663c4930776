// The coach: looks at a person's move before Tengen answers it, and speaks up where it was bad.
import { $ } from "./dom.js";
import { sentences, t } from "./i18n.js";
import { other, turnAt } from "./points.js";

/** From the quietest to the most talkative: the mildest mistake at which the coach speaks. */
export const MOODS = ["off", "blunder", "mistake", "inaccuracy"];
const STEP = 600;
/** Stones of an expected line: what is forced is played to its end, what is not is a guess soon. */
const EXPECTED = 9;

/** What the coach says of a move; `before` and `after` are the verdicts on the positions around it. */
export function wordsFor(before, after) {
  const { loss, mistake, missed, shape, forced, line, better } = after;
  const count = (moves) => Math.ceil(moves.length / 2);
  if (!mistake) return shape ? t("coach.makes", { shape: t(`shape.${shape}`) }) : t("coach.fine");
  const words = [t(`coach.${mistake}`, { points: Math.round(100 * loss) })];
  if (missed) {
    const win = before.line;
    words.push(t("coach.missed", { point: win[0], kind: missed.toUpperCase(), n: count(win) }));
  }
  if (forced) words.push(t("coach.leaves", { point: line[0], kind: forced.toUpperCase(), n: count(line) }));
  if (better.length && !missed) words.push(t("coach.better", { point: better[0] }));
  return sentences(...words);
}

/** What shows that a move was bad: {line, first}, the win that it leaves or missed, else what is expected. */
function refutationOf(before, after, turn) {
  if (after.missed && !after.forced) return { line: before.line, first: other(turn) };
  return { line: after.forced ? after.line : after.line.slice(0, EXPECTED), first: turn };
}

export class Coach {
  /** `table`: send, stop, gameAt, isWanted, drawLine, takeBack, goOn, refused, noted, render: what the coach may do. */
  constructor(table) {
    this.table = table;
    this.dismiss();
    $("#coach-look").addEventListener("click", () => this.look());
    $("#coach-undo").addEventListener("click", () => this.table.takeBack());
    $("#coach-on").addEventListener("click", () => this.table.goOn());
  }

  /** Whether the game waits for the coach, or for the person who hears it. */
  get holds() {
    return this.state === "judging" || this.state === "objecting";
  }

  /** Looks at the move that led to a node; the game waits. */
  judge(node, mood) {
    this.dismiss();
    this.state = "judging";
    const verdicts = [];
    const request = { type: "review", game: this.table.gameAt(node), first: node.ply - 1 };
    this.request = this.table.send(request, (answer) => {
      if (answer.type !== "review") {
        this.table.refused(answer);
        this.table.goOn();
        return;
      }
      verdicts.push(answer);
      if (answer.done) this.speak(node, mood, ...verdicts);
    });
    this.render();
  }

  speak(node, mood, before, after) {
    this.request = 0;
    node.verdict = after;
    this.table.noted(node, after);
    const objects = after.mistake && MOODS.indexOf(after.mistake) <= MOODS.indexOf(mood);
    if (!objects) this.table.goOn();
    if (!objects && mood !== MOODS.at(-1)) return;
    this.state = objects ? "objecting" : "praising";
    this.refutation = objects ? refutationOf(before, after, turnAt(node.ply)) : null;
    this.text = wordsFor(before, after);
    this.render();
    this.table.render();
  }

  /** Plays what shows that the move was bad on the board, a stone at a time. */
  look(shown = 1) {
    clearTimeout(this.timer);
    const { line, first } = this.refutation;
    this.table.drawLine(line.slice(0, shown), first);
    if (shown < line.length) this.timer = setTimeout(() => this.look(shown + 1), STEP);
  }

  /** Has nothing more to say. */
  dismiss() {
    clearTimeout(this.timer);
    if (this.refutation) this.table.drawLine(null);
    if (this.request) this.table.stop(this.request, true);
    this.request = 0;
    this.state = null;
    this.text = "";
    this.refutation = null;
    this.render();
  }

  /** The card stays for the whole game, so that nothing below it jumps at every move. */
  render() {
    const card = $("#coach");
    card.hidden = !this.state && !this.table.isWanted();
    card.classList.toggle("objecting", this.state === "objecting");
    const looking = this.state === "judging" && `${t("coach.looking")} …`;
    $("#coach-text").textContent = looking || this.text || t("coach.watching");
    $("#coach-buttons").hidden = this.state !== "objecting";
    $("#coach-look").disabled = !this.refutation?.line.length;
  }
}
