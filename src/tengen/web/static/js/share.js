// Games that leave the page and come in: links, text and files, pictures.
import { $, choice, h } from "./dom.js";
import { t } from "./i18n.js";
import { importText } from "./refusals.js";
import { fragment, newGame } from "./store.js";
import { fromList, toList } from "./tree.js";

const SHADE = 5; // of a picture, out of 255

export class Share {
  constructor(app) {
    this.app = app;
    this.listen();
  }

  listen() {
    const on = (id, action) => $(`#${id}`).addEventListener("click", action);
    on("link", ({ target }) => {
      const link = location.origin + location.pathname + fragment(this.app.game, this.app.current);
      this.copy(link, target, () => this.app.notice(link));
    });
    on("import", () => this.openImport());
    on("import-open", () => this.sendText($("#import-text").value));
    $("#import-file").addEventListener("change", ({ target }) => this.sendFile(target.files[0]));
    on("export", () => this.openExport());
    on("export-copy", ({ target }) => this.copy($("#export-text").value, target, () => $("#export-text").select()));
    on("export-save", () => this.save($("#export-text").value, "text/plain", `tengen.${this.format}`));
    on("export-svg", () => this.save(this.app.board.picture(), "image/svg+xml", "tengen.svg"));
    on("export-png", () => this.savePng());
  }

  // -- in

  openImport() {
    $("#import-text").value = "";
    $("#import-file").value = "";
    $("#import-error").hidden = true;
    $("#import-dialog").showModal();
    $("#import-text").focus();
  }

  refuse(why) {
    $("#import-error").hidden = false;
    $("#import-error").textContent = why;
  }

  /** Sends a file as it is: the server knows the encodings in which games are written. */
  async sendFile(file) {
    if (!file) return;
    if (file.size > (this.app.facts?.max_record_bytes ?? 0)) this.refuse(this.app.errorText({ code: "large" }));
    else this.send({ data: base64(await file.arrayBuffer()) });
  }

  sendText(text) {
    if (text.trim()) this.send({ text });
    else this.refuse(t("share.problem.empty"));
  }

  /** Asks for the game in a text or in the bytes of a file. */
  send(content) {
    const { app } = this;
    const { rule, size } = app.game;
    const sent = app.connection.send({ type: "import", rule, size, ...content }, (answer) => {
      if (answer.type === "import") this.open(answer);
      else if (answer.code === "illegal") this.refuse(importText(answer));
      else this.refuse(app.errorText(answer));
    });
    if (!sent) this.refuse(t("connection.lost"));
  }

  open({ game: { size, rule }, tree }) {
    $("#import-dialog").close();
    this.app.setGame(newGame({ size, rule, mode: "people", kept: true }, fromList(tree).end()), "analyse");
  }

  // -- out

  openExport() {
    const { formats } = this.app.facts ?? { formats: ["pos"] };
    const choices = formats.map((name) => choice("format", name, name.toUpperCase(), () => this.exportAs(name)));
    choices[0].firstElementChild.checked = true;
    $("#export-formats").replaceChildren(...choices);
    this.exportAs(formats[0]);
    $("#export-dialog").showModal();
  }

  exportAs(format) {
    const { app } = this;
    this.format = format;
    // SGF takes the whole game with its variations, the other formats the moves up to the shown position.
    const tree = format === "sgf" ? toList(app.current.root()) : [];
    const winner = app.game.ended?.winner ?? null;
    const request = { type: "export", game: app.gameAt(app.current), format, tree, winner };
    const sent = app.connection.send(request, (answer) => {
      if (this.format !== format) return; // another was chosen meanwhile
      $("#export-text").value = answer.type === "export" ? answer.text : app.errorText(answer);
    });
    $("#export-text").value = sent ? "" : t("connection.lost");
  }

  /** Copies a text; `otherwise` shows it where a page may not write to the clipboard, as without HTTPS. */
  async copy(text, button, otherwise) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      otherwise();
      return;
    }
    const before = button.textContent;
    button.textContent = t("action.copied");
    setTimeout(() => button.replaceChildren(before), 1200);
  }

  save(content, type, name) {
    const url = URL.createObjectURL(new Blob([content], { type }));
    h("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }

  async savePng() {
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([this.app.board.picture()], { type: "image/svg+xml" }));
    await image.decode();
    const canvas = h("canvas", { width: image.width * 2, height: image.height * 2 });
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    flatten(context, canvas);
    canvas.toBlob((blob) => this.save(blob, "image/png", "tengen.png"), "image/png");
  }
}

/** Fewer shades: nobody sees it, and the soft gradients of wood and stones take a fraction of the bytes. */
function flatten(context, { width, height }) {
  const picture = context.getImageData(0, 0, width, height);
  const { data } = picture;
  for (let i = 0; i < data.length; i++) data[i] = Math.min(255, Math.round(data[i] / SHADE) * SHADE);
  context.putImageData(picture, 0, 0);
}

function base64(buffer) {
  return btoa(Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join(""));
}
