// The field for typed moves, and the keys that work wherever the focus is.

import { setEngine } from "../analysis.mjs";
import { Refusal } from "../api.mjs";
import { byId } from "../dom.mjs";
import { say, unsay } from "../game.mjs";
import { giveUp, typed } from "../hand.mjs";
import { state, watch } from "../state.mjs";
import { step } from "../steps.mjs";
import { redo, undo } from "../undo.mjs";
import { errorText, t } from "../words/index.mjs";
import { openKeys } from "./keys.mjs";
import { playBest } from "./lines.mjs";
import { flip } from "./moves.mjs";

/** What a typed move may begin with: a file, a piece in any language of the page, castling. */
const BEGINS_A_MOVE = /^[a-hkqrbntdacoKQRBNTDACO0]$/;

export function mountEntry() {
  const [field, fault] = [byId("entry"), byId("entry-fault")];
  watch(
    () => [state.settings, state.notice],
    (_, notice) => {
      field.setAttribute("aria-label", t("entry.label"));
      field.placeholder = t("entry.label");
      const wrong = notice?.place === "board";
      field.toggleAttribute("aria-invalid", wrong);
      fault.hidden = !wrong;
      fault.textContent = wrong ? errorText(notice.error) : "";
    },
  );
  field.addEventListener("input", () => state.notice?.place === "board" && unsay());
  field.addEventListener("keydown", async (event) => {
    event.stopPropagation();
    // in an empty field there is nowhere else to go
    if (field.value === "" && event.key in STEP_KEYS && !event.ctrlKey && !event.altKey) {
      step((event.shiftKey && SHIFTED[event.key]) || STEP_KEYS[event.key]);
      event.preventDefault();
    }
    if (event.key === "Escape") leave(field);
    if (event.key !== "Enter" || field.value.trim() === "") return;
    event.preventDefault();
    try {
      if (await typed(field.value.trim())) field.value = "";
      else say("board", { code: "not_your_turn" });
    } catch (error) {
      say("board", error instanceof Refusal ? error : { code: "server_gone" });
    }
  });
  addEventListener("keydown", (event) => globalKey(event, field));
}

/** The keys go through the game again. */
function leave(field) {
  field.value = "";
  field.blur();
  unsay();
}

const STEP_KEYS = { ArrowLeft: "back", ArrowRight: "forth", ArrowUp: "above", ArrowDown: "below", Home: "first", End: "last" };
const SHIFTED = { ArrowLeft: "out", ArrowRight: "into" };
const ACTIONS = {
  Escape: giveUp,
  " ": playBest,
  l: () => state.room === "analysis" && setEngine({ on: !state.analysis.on, info: null }),
  v: flip,
  "?": openKeys,
};

function globalKey(event, field) {
  const { target, key } = event;
  if (target.closest?.("dialog, input:not([type=radio]), select, textarea")) return;
  if ((event.ctrlKey || event.metaKey) && !event.altKey && key.toLowerCase() === "z") {
    if ((event.shiftKey ? redo : undo)()) event.preventDefault();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const way = (event.shiftKey ? SHIFTED : STEP_KEYS)[key];
  const scrolls = target.closest?.("[type=radio], .wide, .games");
  if (way && !scrolls) {
    // up and down scroll the page where there is no other move to go to
    if (step(way) || /Left|Right/.test(key)) event.preventDefault();
  } else if (key in ACTIONS && !(key === " " && target.closest?.("button, summary, label, [type=radio]"))) {
    event.preventDefault();
    ACTIONS[key]();
  } else if (BEGINS_A_MOVE.test(key) && !target.closest?.(".promotion") && field.offsetParent) {
    field.focus(); // the key is then typed there
  }
}
