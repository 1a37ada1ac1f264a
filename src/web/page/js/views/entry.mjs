// The field for typed moves, and the keys that work wherever the focus is.

import { Refusal } from "../api.mjs";
import { byId } from "../dom.mjs";
import { goTo, say, unsay } from "../game.mjs";
import { typed } from "../hand.mjs";
import { state, watch } from "../state.mjs";
import { lastOf } from "../tree.mjs";
import { errorText, t } from "../words/index.mjs";

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
    if (event.key === "Escape") field.value = "";
    if (event.key !== "Enter" || field.value.trim() === "") return;
    event.preventDefault();
    try {
      if (await typed(field.value.trim())) field.value = "";
    } catch (error) {
      say("board", error instanceof Refusal ? error : { code: "server_gone" });
    }
  });
  addEventListener("keydown", (event) => globalKey(event, field));
}

function globalKey(event, field) {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest?.("dialog, input:not([type=radio]), select, textarea")) return;
  const { node, game, retry } = state;
  const steps = { ArrowLeft: node.parent, ArrowRight: retry ? null : node.children[0], Home: game.root, End: retry ? null : lastOf(node) };
  if (key in steps && !target.closest?.("[type=radio], .wide")) {
    if (steps[key]) goTo(steps[key]);
    event.preventDefault();
  } else if (/^[a-hKQRBNO0]$/.test(key) && !target.closest?.(".promotion") && field.offsetParent) {
    field.focus(); // the key is then typed there
  }
}
