// The dialog by which games and positions come in and go out: pasted, dropped, copied, downloaded.

import { Refusal } from "../api.mjs";
import { byId, h, show } from "../dom.mjs";
import { writePgn } from "../exported.mjs";
import { gamesOf, keepFile, plainGame } from "../file.mjs";
import { open, readText, replaceGame } from "../game.mjs";
import { change, state } from "../state.mjs";
import { textOf } from "../text.mjs";
import { makeGame } from "../tree.mjs";
import { errorText, t } from "../words/index.mjs";
import { button, check } from "./controls.mjs";
import { openDialog } from "./dialog.mjs";
import { openEditor } from "./editor.mjs";
import { gameList } from "./file.mjs";

/** The most bytes of a game that the server reads, and of a file with many. */
const mostBytes = () => state.hello?.limits.pgn_bytes ?? 500_000;
const MOST_FILE = 200_000_000;
/** The longest text that the field shows. */
const LONGEST_SHOWN = 200_000;

/** Opens the dialog, with a text to read at once if one was pasted or dropped. */
export function openExchange(text = "") {
  const found = h("div", { id: "found" });
  const area = h("textarea", { id: "incoming", rows: "5", spellcheck: "false", placeholder: t("exchange.placeholder"), "aria-label": t("exchange.in"), "aria-describedby": "found" });
  const out = h("div", { class: "setup" });
  openDialog(
    "exchange",
    t("exchange.title"),
    h("h3", {}, t("exchange.in")),
    area,
    found,
    h("div", { class: "row" }, button(t("exchange.read"), () => read(area.value, "", area, found), { class: "primary" }), fileButton(area, found), button(t("exchange.new"), fresh), button(t("editor.title"), () => (close(), openEditor()))),
    h("h3", {}, t("exchange.out")),
    out,
  );
  fillOut(out);
  if (text) take(text, "", area, found);
  else if (state.file) show(found, gameList(close));
}

const close = () => byId("exchange").close();

function fresh() {
  replaceGame(makeGame());
  close();
}

function fileButton(area, found) {
  const chosen = (event) => {
    const [file] = event.target.files;
    if (file) takeFile(file, area, found);
  };
  const input = h("input", { type: "file", accept: ".pgn,.fen,.epd,.txt", class: "visually-hidden", onchange: chosen });
  return h("label", { class: "button" }, input, t("exchange.file"));
}

async function takeFile(file, area, found) {
  if (file.size > MOST_FILE) return complain(area, found, { code: "too_large" });
  try {
    await take(await textOf(file), file.name, area, found);
  } catch (error) {
    complain(area, found, error instanceof Refusal ? error : { code: "server_gone" });
  }
}

/** Puts a text into the field, unless it is too long to be looked at there, and reads it. */
function take(text, name, area, found) {
  area.value = text.length > LONGEST_SHOWN ? "" : text;
  return read(text, name, area, found);
}

/** Reads a text; its fault is said beside it, and the game on the board stays. */
async function read(text, name, area, found) {
  area.removeAttribute("aria-invalid");
  found.replaceChildren();
  const games = gamesOf(text);
  if (games.length > 1) {
    keepFile(name, text, games);
    return show(found, gameList(close));
  }
  if (new Blob([text]).size > mostBytes()) return complain(area, found, { code: "too_large" });
  try {
    const all = await readText(text);
    if (all.length === 1 && !all[0].problems?.length) return put(all[0]);
    keepFile(name, text, all.map(plainGame));
    show(found, gameList(close));
  } catch (error) {
    complain(area, found, error instanceof Refusal ? error : { code: "server_gone" });
    if (error.at !== undefined) area.setSelectionRange(error.at, error.at + 1);
  }
}

function complain(area, found, error) {
  area.setAttribute("aria-invalid", "true");
  show(found, h("p", { class: "problem", role: "alert" }, errorText(error)));
}

function put(game) {
  open(game, null);
  change(() => {
    if (state.room === "play") state.room = "analysis";
  });
  close();
}

let annotated = true;

async function fillOut(element) {
  const fen = state.node.fen ?? "";
  let pgn = "";
  try {
    pgn = await writePgn(annotated);
  } catch (error) {
    show(element, copyRow("FEN", fen), h("p", { class: "problem" }, errorText(error instanceof Refusal ? error : { code: "server_gone" })));
    return;
  }
  const text = h("textarea", { id: "outgoing", rows: "5", readonly: true, "aria-label": "PGN", value: pgn });
  const choose = (value) => {
    annotated = value;
    fillOut(element);
  };
  show(
    element,
    copyRow("FEN", fen),
    text,
    check(t("exchange.annotated"), "annotated", annotated, choose),
    h("div", { class: "row" }, copyButton(t("exchange.copy.pgn"), text), button(t("exchange.download"), () => download(pgn))),
  );
}

function copyRow(name, text) {
  const field = h("input", { id: "fen-out", readonly: true, value: text, "aria-label": name });
  return h("div", { class: "row copy" }, field, copyButton(t("exchange.copy.fen"), field));
}

function copyButton(label, field) {
  const copy = async (event) => {
    const { currentTarget } = event;
    try {
      await navigator.clipboard.writeText(field.value);
      currentTarget.textContent = t("exchange.copied");
    } catch {
      field.select(); // the browser does not let the page copy: the reader can
    }
  };
  return button(label, copy);
}

function download(pgn) {
  const address = URL.createObjectURL(new Blob([pgn], { type: "application/x-chess-pgn" }));
  h("a", { href: address, download: "enroc.pgn" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Takes files that are dropped and texts that are pasted anywhere on the page. */
export function takeDropsAndPastes() {
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (!file) {
      const text = event.dataTransfer.getData("text/plain");
      if (text) openExchange(text);
      return;
    }
    openExchange();
    takeFile(file, byId("incoming"), byId("found"));
  });
  addEventListener("paste", (event) => {
    if (event.target.closest?.("input, textarea, dialog")) return;
    const text = event.clipboardData.getData("text/plain");
    if (text.trim()) openExchange(text);
  });
}
