// The dialog by which games and positions come in and go out: pasted, dropped, copied, downloaded.

import { Refusal } from "../api.mjs";
import { byId, h, show } from "../dom.mjs";
import { open, readText, replaceGame, writePgn } from "../game.mjs";
import { change, state } from "../state.mjs";
import { makeGame } from "../tree.mjs";
import { errorText, t } from "../words/index.mjs";
import { button } from "./controls.mjs";
import { openDialog } from "./dialog.mjs";

/** The most bytes of a text that the server reads. */
const mostBytes = () => state.hello?.limits.pgn_bytes ?? 500_000;

/** Opens the dialog, with a text to read at once if one was pasted or dropped. */
export function openExchange(text = "") {
  const found = h("div", { id: "found" });
  const area = h("textarea", { id: "incoming", rows: "5", spellcheck: "false", value: text, placeholder: t("exchange.placeholder"), "aria-label": t("exchange.in"), "aria-describedby": "found" });
  const out = h("div", { class: "setup" });
  openDialog(
    "exchange",
    t("exchange.title"),
    h("h3", {}, t("exchange.in")),
    area,
    found,
    h("div", { class: "row" }, button(t("exchange.read"), () => read(area, found), { class: "primary" }), fileButton(area, found), button(t("exchange.new"), fresh)),
    h("h3", {}, t("exchange.out")),
    out,
  );
  fillOut(out);
  if (text) read(area, found);
}

function fresh() {
  replaceGame(makeGame());
  byId("exchange").close();
}

function fileButton(area, found) {
  const chosen = async (event) => {
    const [file] = event.target.files;
    if (file) takeFile(file, area, found);
  };
  const input = h("input", { type: "file", accept: ".pgn,.fen,.epd,.txt", class: "visually-hidden", onchange: chosen });
  return h("label", { class: "button" }, input, t("exchange.file"));
}

async function takeFile(file, area, found) {
  if (file.size > mostBytes()) return complain(area, found, { code: "too_large" });
  area.value = await file.text();
  read(area, found);
}

/** Reads the text; its fault is said beside it, and the game on the board stays. */
async function read(area, found) {
  area.removeAttribute("aria-invalid");
  found.replaceChildren();
  if (new Blob([area.value]).size > mostBytes()) return complain(area, found, { code: "too_large" });
  try {
    const games = await readText(area.value);
    if (games.length === 1 && !games[0].problems?.length) return take(games[0]);
    show(found, h("p", { class: "muted" }, t("exchange.games", { count: games.length })), h("ul", { class: "games" }, games.map(gameItem)));
  } catch (error) {
    complain(area, found, error instanceof Refusal ? error : { code: "server_gone" });
    if (error.at !== undefined) area.setSelectionRange(error.at, error.at + 1);
  }
}

function complain(area, found, error) {
  area.setAttribute("aria-invalid", "true");
  show(found, h("p", { class: "problem", role: "alert" }, errorText(error)));
}

function gameItem(game) {
  const tags = Object.fromEntries(game.tags);
  const name = tags.White ? `${tags.White} – ${tags.Black ?? "?"}` : t("exchange.position");
  const more = [tags.Event, tags.Date, game.result].filter((text) => text && !text.startsWith("?")).join(", ");
  const faults = (game.problems ?? []).map((fault) => h("span", { class: "problem" }, errorText(fault)));
  return h("li", {}, button(name, () => take(game)), h("span", { class: "muted" }, ` ${more}`), faults);
}

function take(game) {
  open(game);
  change(() => {
    if (state.room === "play") state.room = "analysis";
  });
  byId("exchange").close();
}

async function fillOut(element) {
  const fen = state.node.fen ?? "";
  let pgn = "";
  try {
    pgn = await writePgn();
  } catch (error) {
    show(element, copyRow("FEN", fen), h("p", { class: "problem" }, errorText(error instanceof Refusal ? error : { code: "server_gone" })));
    return;
  }
  const text = h("textarea", { id: "outgoing", rows: "5", readonly: true, "aria-label": "PGN", value: pgn });
  show(element, copyRow("FEN", fen), text, h("div", { class: "row" }, copyButton(t("exchange.copy.pgn"), pgn), button(t("exchange.download"), () => download(pgn))));
}

const copyRow = (name, text) =>
  h("div", { class: "row copy" }, h("input", { id: "fen-out", readonly: true, value: text, "aria-label": name }), copyButton(t("exchange.copy.fen"), text));

function copyButton(label, text) {
  const copy = async (event) => {
    const { currentTarget } = event;
    await navigator.clipboard.writeText(text);
    currentTarget.textContent = t("exchange.copied");
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
  addEventListener("drop", async (event) => {
    event.preventDefault();
    const { files } = event.dataTransfer;
    const text = files.length > 0 ? (files[0].size > mostBytes() ? null : await files[0].text()) : event.dataTransfer.getData("text/plain");
    if (text === null) openExchange();
    else if (text) openExchange(text);
    if (text === null) complain(byId("incoming"), byId("found"), { code: "too_large" });
  });
  addEventListener("paste", (event) => {
    if (event.target.closest?.("input, textarea, dialog")) return;
    const text = event.clipboardData.getData("text/plain");
    if (text.trim()) openExchange(text);
  });
}
