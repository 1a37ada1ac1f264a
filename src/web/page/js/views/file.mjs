// The games of an opened file: a list with a filter, and beside the board which of them it shows.

import { Refusal } from "../api.mjs";
import { h, iconButton, show } from "../dom.mjs";
import { closeFile, filtered, openAt, setFilter } from "../file.mjs";
import { say, unsay } from "../game.mjs";
import { state, watchLater } from "../state.mjs";
import { errorText, t } from "../words/index.mjs";
import { button, noticeAt } from "./controls.mjs";

/** So many games are listed at first, and so many more whenever the end is reached. */
const PAGE = 100;

const counted = (number) => number.toLocaleString(document.documentElement.lang);

/** The list of the games, with their filter; `opened` is called once one is on the board. */
export function gameList(opened) {
  const { games, filter } = state.file;
  const list = h("ul", { class: "games", tabindex: "0", "aria-label": t("file.list") });
  const sum = h("p", { class: "muted", role: "status" });
  let found = [];
  const more = () => {
    const from = list.childElementCount;
    list.append(...found.slice(from, from + PAGE).map((index) => item(index, opened)));
  };
  const fill = () => {
    found = filtered(state.file);
    sum.textContent = t(found.length === games.length ? "file.count" : "file.found", { count: counted(games.length), found: counted(found.length) });
    list.replaceChildren();
    more();
  };
  list.addEventListener("scroll", () => list.scrollTop + list.clientHeight * 2 > list.scrollHeight && more());
  const sieve = h("input", { type: "search", value: filter, placeholder: t("file.filter"), "aria-label": t("file.filter"), "data-key": "filter", oninput: (event) => (setFilter(event.target.value), fill()) });
  fill();
  return h("div", { class: "setup" }, games.length > 8 && sieve, sum, list);
}

function nameOf({ tags, plain }) {
  if (tags.White) return `${tags.White} – ${tags.Black ?? "?"}`;
  return plain && plain.nodes.length === 0 ? t("exchange.position") : t("file.game");
}

function item(index, opened) {
  const game = state.file.games[index];
  const { tags, plain } = game;
  const more = [tags.Result, tags.Date, tags.Event, tags.Round && `(${tags.Round})`].filter((text) => text && !/^\(?\?/.test(text)).join(", ");
  const faults = (plain?.problems ?? []).map((fault) => h("span", { class: "problem" }, errorText(fault)));
  const line = h("li", { "aria-current": index === state.file.at ? "true" : false }, h("span", { class: "number" }, `${counted(index + 1)}.`), " ", button(nameOf(game), () => take(index, line, opened)), h("span", { class: "muted" }, ` ${more}`), faults);
  return line;
}

async function take(index, line, opened) {
  line.querySelectorAll(".problem").forEach((fault) => fault.remove());
  try {
    tellFaults(await openAt(index));
    opened();
  } catch (error) {
    line.append(h("span", { class: "problem", role: "alert" }, errorText(error instanceof Refusal ? error : { code: "server_gone" })));
  }
}

/** What could not be read of the game on the board is said beside it. */
function tellFaults([fault]) {
  if (fault) say("file", fault);
  else unsay();
}

/** Which game of the file is on the board, and the ways to others; `openList` shows them all. */
export function mountFile(element, openList) {
  watchLater(
    () => [state.file, state.notice, state.retry, state.settings],
    (file) => {
      element.hidden = !file || state.retry !== null;
      if (!element.hidden) show(element, bar(file, openList), noticeAt("file"));
    },
  );
}

function bar(file, openList) {
  const found = filtered(file);
  const place = found.indexOf(file.at);
  const go = (by) => async () => {
    try {
      tellFaults(await openAt(found[place + by]));
    } catch (error) {
      say("file", error instanceof Refusal ? error : { code: "server_gone" });
    }
  };
  const at = file.at === null ? "–" : counted(file.at + 1);
  return h(
    "div",
    { class: "row file" },
    iconButton("back", t("file.before"), go(-1), { disabled: place <= 0, "data-key": "file-back" }),
    button(t("file.at", { at, of: counted(file.games.length) }), openList, { "data-key": "file-list" }),
    iconButton("forth", t("file.next"), go(1), { disabled: place + 1 >= found.length, "data-key": "file-forth" }),
    h("span", { class: "name muted" }, file.name),
    iconButton("close", t("file.close"), closeFile, { "data-key": "file-close" }),
  );
}
