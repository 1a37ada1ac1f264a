// The editor of positions: pieces are put on a board of its own, and the rules say whether a game can begin there.

import { ask, Refusal } from "../api.mjs";
import { byId, h, s, show } from "../dom.mjs";
import { isDark, piecesOf, sideOf, squareAt, squaresFrom } from "../board/geometry.mjs";
import { open } from "../game.mjs";
import { change, state } from "../state.mjs";
import { START } from "../tree.mjs";
import { errorText, t } from "../words/index.mjs";
import { button, check, segmented } from "./controls.mjs";
import { openDialog } from "./dialog.mjs";

const EMPTY = "8/8/8/8/8/8/8/8 w - - 0 1";

/** The position that is made: `{ pieces, turn, castling, passant }`, and what a click on a square does: a piece, or "hand", "none". */
let draft = null;
let tool = "hand";
let lifted = null;

function readDraft(fen) {
  const [, turn, castling = "-", passant = "-"] = fen.split(" ");
  draft = { pieces: piecesOf(fen), turn: turn === "b" ? "b" : "w", castling: castling === "-" ? "" : castling, passant };
}

function fenOf({ pieces, turn, castling, passant }) {
  const ranks = [8, 7, 6, 5, 4, 3, 2, 1].map((rank) =>
    [..."abcdefgh"]
      .map((file) => pieces[file + rank] ?? "1")
      .join("")
      .replace(/1+/g, (ones) => String(ones.length)),
  );
  return `${ranks.join("/")} ${turn} ${castling || "-"} ${passant} 0 1`;
}

export function openEditor() {
  readDraft(state.node.fen ?? START);
  lifted = null;
  const board = h("div", { class: "edit-board", onpointerdown: press, onpointermove: drag, onpointerup: drop, onpointercancel: letGo });
  const said = h("p", { id: "editor-said", class: "muted", role: "status" });
  const fen = h("input", { id: "editor-fen", "aria-label": "FEN", spellcheck: "false", onchange: (event) => (readDraft(event.target.value.trim()), refresh()) });
  const ways = h("div", { class: "row" }, button(t("editor.analyse"), () => take("analysis"), { class: "primary" }), button(t("editor.play"), () => take("play")));
  openDialog("editor", t("editor.title"), h("div", { class: "edit-area" }, board, h("div", { class: "setup" }, h("div", { id: "editor-tools", class: "setup" }), fen, said, ways)));
  refresh();
}

/** Shows the draft, and what the rules say of it. */
async function refresh() {
  const { bottom } = state;
  show(byId("editor-tools"), palette(), rights());
  show(document.querySelector(".edit-board"), squaresFrom(bottom).map(square));
  const fen = fenOf(draft);
  byId("editor-fen").value = fen;
  const said = byId("editor-said");
  const tell = (text, isProblem) => {
    said.textContent = text;
    said.className = isProblem ? "problem" : "muted";
  };
  try {
    const { ignored } = await ask("/api/position", { state: { start: fen, chess960: state.game.chess960, moves: [] } });
    if (fen === fenOf(draft)) tell(ignored.length > 0 ? errorText(ignored[0]) : t("editor.sound"), ignored.length > 0);
  } catch (error) {
    tell(errorText(error instanceof Refusal ? { code: error.code, message: error.message } : { code: "server_gone" }), true);
  }
}

const picture = (sign) => s("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, s("use", { href: `#piece-${sign.toLowerCase()}`, class: `piece ${sideOf(sign)}` }));

const nameOf = (sign) => t(`man.${sideOf(sign)}.${sign.toLowerCase()}`);

function square(at) {
  const sign = draft.pieces[at];
  const name = `${at}, ${sign ? nameOf(sign) : t("square.empty")}`;
  return h("button", { type: "button", class: `square ${isDark(at) ? "dark" : "light"} ${lifted === at ? "selected" : ""}`, "data-at": at, "data-key": `edit-${at}`, "aria-label": name, onclick: (event) => event.detail === 0 && put(at) }, sign && picture(sign));
}

function palette() {
  const choose = (own) => () => {
    tool = own;
    lifted = null;
    refresh();
  };
  const option = (own, label, content) => h("button", { type: "button", class: "edit-tool", "aria-pressed": String(tool === own), "aria-label": label, title: label, "data-key": `tool-${own}`, onclick: choose(own) }, content);
  const row = (side, signs) => h("div", { class: "palette", role: "group", "aria-label": t(`side.${side}`) }, [...signs].map((sign) => option(sign, nameOf(sign), picture(sign))));
  return [
    row("w", "KQRBNP"),
    row("b", "kqrbnp"),
    h(
      "div",
      { class: "row" },
      option("hand", t("editor.hand"), t("editor.hand")),
      option("none", t("editor.remove"), t("editor.remove")),
      button(t("editor.start"), () => (readDraft(START), refresh())),
      button(t("editor.clear"), () => (readDraft(EMPTY), refresh())),
    ),
  ];
}

function rights() {
  const castle = (letter, label) =>
    check(label, `castle-${letter}`, draft.castling.includes(letter), (on) => {
      draft.castling = [..."KQkq"].filter((own) => (own === letter ? on : draft.castling.includes(own))).join("");
      refresh();
    });
  const turn = segmented(t("editor.turn"), "editor-turn", ["w", "b"].map((side) => [side, t(`side.${side}`)]), draft.turn, (value) => {
    Object.assign(draft, { turn: value, passant: "-" });
    refresh();
  });
  const names = [["K", "w", "short"], ["Q", "w", "long"], ["k", "b", "short"], ["q", "b", "long"]];
  return [turn, h("div", { class: "castles" }, names.map(([letter, side, wing]) => castle(letter, `${t(`side.${side}`)} ${wing === "short" ? "O-O" : "O-O-O"}`)))];
}

/** Does to a square what the tool does. */
function put(at) {
  const { pieces } = draft;
  if (tool === "hand") {
    if (lifted && lifted !== at) {
      pieces[at] = pieces[lifted];
      delete pieces[lifted];
      lifted = null;
    } else lifted = lifted || !pieces[at] ? null : at;
  } else if (tool === "none" || pieces[at] === tool) delete pieces[at];
  else pieces[at] = tool;
  draft.passant = "-";
  refresh();
}

/** How far a pointer moves, in pixels, before a click becomes a drag. */
const SLACK = 6;

/** Where the pointer went down, while it is: `{ x, y, at, dragged }`. */
let pressed = null;

/** The square at a pointer; null beside the board. It is reckoned, for the board's squares are made anew meanwhile. */
function squareUnder({ clientX, clientY }) {
  const { left, top, width } = document.querySelector(".edit-board").getBoundingClientRect();
  return squareAt(Math.floor(((clientX - left) / width) * 8), Math.floor(((clientY - top) / width) * 8), state.bottom);
}

function press(event) {
  const at = squareUnder(event);
  if (!at || event.button !== 0 || !event.isPrimary) return;
  event.preventDefault();
  event.currentTarget.setPointerCapture(event.pointerId);
  pressed = { x: event.clientX, y: event.clientY, at, dragged: false };
  put(at);
}

/** A lifted piece follows the pointer; any other tool does its work on every square that it passes. */
function drag(event) {
  if (!pressed) return;
  const [dx, dy] = [event.clientX - pressed.x, event.clientY - pressed.y];
  pressed.dragged ||= Math.hypot(dx, dy) > SLACK;
  if (!pressed.dragged) return;
  if (tool === "hand") return carry(dx, dy);
  const at = squareUnder(event);
  if (!at || at === pressed.at) return;
  pressed.at = at;
  if (draft.pieces[at] !== (tool === "none" ? undefined : tool)) put(at);
}

/** Shows the lifted piece so far from its square. */
function carry(dx, dy) {
  const piece = lifted && document.querySelector(`[data-at=${lifted}] svg`);
  if (!piece) return;
  piece.style.transform = `translate(${dx}px, ${dy}px)`;
  piece.classList.add("carried");
}

/** A piece that was dragged is put where it is let go; beside the board it is taken away. */
function drop(event) {
  const { dragged } = pressed ?? {};
  pressed = null;
  if (!dragged || tool !== "hand" || !lifted) return;
  const at = squareUnder(event);
  if (at && at !== lifted) return put(at);
  if (!at) delete draft.pieces[lifted];
  lifted = null;
  draft.passant = "-";
  refresh();
}

function letGo() {
  pressed = null;
  lifted = null;
  refresh();
}

async function take(room) {
  const start = fenOf(draft);
  try {
    const position = await ask("/api/position", { state: { start, chess960: state.game.chess960, moves: [] } });
    // it is none of the games of the file
    const file = state.file && { ...state.file, at: null };
    open({ start: position.fen, chess960: position.chess960, tags: [], nodes: [], result: "*" }, file);
    change(() => {
      state.room = room;
    });
    byId("editor").close();
  } catch {
    refresh(); // which says why
  }
}
