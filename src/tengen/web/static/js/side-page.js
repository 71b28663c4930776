// A page beside the board: it looks as the board does, and asks the server one thing at a time.
import { appear, isDark, otherLanguage } from "./appearance.js";
import { $ } from "./dom.js";
import { t } from "./i18n.js";
import { loadSettings, saveSettings } from "./store.js";

/** A page has `render`, which draws what it knows, if it knows something, and says it in the sentence. */
export class SidePage {
  constructor() {
    this.settings = loadSettings();
    this.asked = 0;
    $("#language").addEventListener("click", () => this.set("language", otherLanguage()));
    $("#theme").addEventListener("click", () => this.set("theme", isDark(this.settings) ? "light" : "dark"));
  }

  /** The answer of a type; null if it was refused, which is told, or if something else was asked for meanwhile. */
  async answer(type, request) {
    this.asked += 1;
    const id = this.asked;
    let answer = null;
    $("#sentence").textContent = t("explain.asking"); // at once: a busy machine takes its time
    try {
      const response = await fetch("api/ask", { method: "POST", body: JSON.stringify({ ...request, id }) });
      answer = await response.json();
    } catch {
      // the server is gone
    }
    if (id !== this.asked) return null;
    const refused = answer?.type !== type;
    $("#notice").hidden = !refused;
    $("#notice").textContent = refused ? (answer?.message ?? t("explain.lost")) : "";
    if (refused) {
      $("#sentence").textContent = "";
      this.render();
    }
    return refused ? null : answer;
  }

  applySettings() {
    appear(this.settings);
    this.render();
  }

  set(name, value) {
    this.settings[name] = value;
    saveSettings(this.settings);
    this.applySettings();
  }
}
