// Puzzles: one winning or one saving move to find; the replies are played on the board.
import { $, choice } from "./dom.js";
import { number, t } from "./i18n.js";
import { turnAt } from "./points.js";
import { ratingText, updated } from "./rating.js";

const RULES = ["freestyle", "standard", "renju"];
const OWN = "own";
const REPLY_AFTER = 350;
const STEP = 600;
/** How sure a puzzle's own rating is. */
const PUZZLE_DEVIATION = 80;

export class Puzzles {
  /** `table`: send, render, refused, notice, analyse(game); `person` keeps what becomes of the attempts. */
  constructor(table, person) {
    this.table = table;
    this.person = person;
    this.set = RULES[0]; // a rule, or one's own mistakes
    this.puzzle = null; // {name, game, goal, rating, length}
    this.empty = false; // there is none in this set
    this.played = []; // moves of both sides since its start
    this.facts = null; // of the position: {forbidden, result}
    this.state = "open"; // "waiting" for a verdict, then "solved" or "wrong"
    this.spoiled = false; // a wrong move or a hint: it counts as not solved
    this.hinted = null;
    $("#puzzle-sets").addEventListener("change", ({ target }) => this.choose(target.value));
    $("#puzzle-hint").addEventListener("click", () => this.hint());
    $("#puzzle-again").addEventListener("click", () => this.begin(this.puzzle));
    $("#puzzle-analyse").addEventListener("click", () => this.table.analyse(this.game()));
    $("#puzzle-next").addEventListener("click", () => this.next());
  }

  /** The view is shown, or the language has changed. */
  open() {
    const labels = [...RULES.map((rule) => [rule, t(`rule.${rule}`)]), [OWN, t("puzzle.own")]];
    $("#puzzle-sets").replaceChildren(...labels.map(([value, label]) => choice("puzzles", value, label)));
    $(`#puzzle-sets [value="${this.set}"]`).checked = true;
    if (!this.puzzle) this.next();
  }

  choose(set) {
    this.set = set;
    this.puzzle = null;
    this.next();
  }

  // -- the puzzle

  next() {
    if (this.set === OWN) {
      const { mistakes } = this.person;
      const last = mistakes.findIndex(({ game }) => game === this.puzzle?.game);
      const own = mistakes[(last + 1) % mistakes.length];
      this.empty = !own;
      this.begin(own ? { ...own, name: null } : null);
      return;
    }
    const rule = this.set;
    const { person, seen } = this.person.record(rule);
    this.table.send({ type: "puzzle", rule, rating: person.rating, seen }, (answer) => {
      if (rule !== this.set) return; // another set was chosen meanwhile
      this.empty = answer.type !== "puzzle";
      this.begin(this.empty ? null : answer);
    });
  }

  begin(puzzle) {
    clearTimeout(this.timer);
    this.spoiled = Boolean(puzzle) && puzzle === this.puzzle && (this.spoiled || this.state !== "open");
    this.puzzle = puzzle;
    this.state = "open";
    this.hinted = null;
    this.place([]);
  }

  /** The game up to the shown position. */
  game() {
    const { size, rule, moves } = this.puzzle.game;
    return { size, rule, moves: [...moves, ...this.played] };
  }

  /** Shows the position after these moves, and learns what is forbidden there and where the five is. */
  place(played) {
    this.played = played;
    this.facts = null;
    if (this.puzzle) {
      this.table.send({ type: "state", game: this.game() }, (answer) => {
        if (played !== this.played || answer.type !== "state") return;
        this.facts = answer.state;
        this.table.render();
      });
    }
    this.table.render();
  }

  /** The side that has to find the move. */
  get color() {
    return turnAt(this.puzzle.game.moves.length);
  }

  ask(fields, handler) {
    const { name, game, goal } = this.puzzle;
    const { played, puzzle, state } = this;
    const request = { type: "attempt", name, game: plain(game), goal, played, ...fields };
    this.table.send(request, (answer) => {
      if (puzzle !== this.puzzle || played !== this.played) return;
      if (answer.type === "attempt") handler(answer);
      else {
        this.table.refused(answer);
        if (state === "waiting") {
          this.state = "open";
          this.place(played.slice(0, -1));
        }
      }
      this.table.render();
    });
  }

  /** Somebody plays at a point. */
  play(point) {
    if (!this.puzzle || this.state !== "open") return;
    if (this.game().moves.includes(point)) return this.table.notice(t("error.occupied", { point }));
    const foul = this.forbidden().find((entry) => entry.point === point);
    if (foul) return this.table.notice(t("error.forbidden", { point, reason: t(`reason.${foul.reason}`) }));
    this.hinted = null;
    this.state = "waiting";
    this.place([...this.played, point]);
    this.ask({}, (answer) => this.judged(answer));
  }

  judged({ verdict, line }) {
    if (verdict === "right") {
      this.timer = setTimeout(() => {
        this.state = "open";
        this.place([...this.played, ...line]);
      }, REPLY_AFTER);
      return;
    }
    this.state = verdict;
    this.count(verdict === "solved");
    if (verdict === "wrong") this.follow(line);
  }

  /** Plays what follows a wrong move, a stone at a time. */
  follow([move, ...rest]) {
    if (!move) return;
    this.timer = setTimeout(() => {
      this.place([...this.played, move]);
      this.follow(rest);
    }, STEP);
  }

  hint() {
    this.ask({ hint: true }, ({ line }) => {
      this.hinted = line[0] ?? null;
      this.count(false);
    });
  }

  /** The first result of a puzzle counts, whatever comes after it. */
  count(solved) {
    const { name, game, rating } = this.puzzle;
    if (!name && solved) this.person.forgetMistake(game);
    if (name && !this.spoiled) {
      const { person } = this.person.record(game.rule);
      const after = updated(person, { rating, deviation: PUZZLE_DEVIATION }, solved ? 1 : 0);
      this.person.count(game.rule, name, after, solved);
    }
    this.spoiled = true;
  }

  // -- showing

  /** What the board shows. */
  position() {
    if (!this.puzzle) return { size: 15, moves: [], playable: false };
    const { size, moves } = this.game();
    const open = this.state === "open";
    const winning = this.facts?.result?.line;
    return { size, moves, playable: open, hint: open ? this.hinted : null, forbidden: this.forbidden(), winning };
  }

  forbidden() {
    return this.facts?.forbidden ?? [];
  }

  render() {
    $("#puzzle-text").textContent = this.taskText();
    $("#puzzle-about").textContent = this.aboutText();
    $("#puzzle-person").textContent = this.personText();
    const feedback = $("#puzzle-feedback");
    feedback.dataset.verdict = this.state;
    feedback.textContent = this.feedbackText();
    $("#puzzle-hint").disabled = !this.puzzle || this.state !== "open";
    $("#puzzle-again").disabled = !this.puzzle || !this.played.length;
    $("#puzzle-analyse").disabled = !this.puzzle || !this.spoiled; // before, it would give the answer away
    $("#puzzle-next").disabled = !this.puzzle;
    $("#status").textContent = this.puzzle ? t("status.toMove", { color: t(`color.${this.color}`) }) : "";
  }

  taskText() {
    if (!this.puzzle) return this.empty ? t(this.set === OWN ? "puzzle.noMistakes" : "puzzle.none") : "…";
    return t(`puzzle.${this.puzzle.goal}`, { color: t(`color.${this.color}`) });
  }

  aboutText() {
    if (!this.puzzle?.name) return "";
    const { rating, length, goal, left, total } = this.puzzle;
    const about = goal === "win" ? t("puzzle.about", { rating, n: length }) : t("puzzle.aboutSave", { rating });
    return `${about} · ${t("puzzle.left", { left: number(left), total: number(total) })}`;
  }

  personText() {
    if (this.set === OWN) return t("puzzle.mistakes", { n: this.person.mistakes.length });
    const { person, streak, best } = this.person.record(this.set);
    return t("puzzle.person", { rating: ratingText(person), streak, best });
  }

  feedbackText() {
    if (this.state === "open") return this.played.length ? t("puzzle.right") : "";
    return { waiting: "…", solved: t("puzzle.solved"), wrong: t("puzzle.wrong") }[this.state];
  }
}

/** A game as messages write it, whatever else was kept with it. */
function plain({ size, rule, moves }) {
  return { size, rule, moves };
}
