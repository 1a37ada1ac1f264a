// What was just done, with the way back.

import { byId, h, show } from "../dom.mjs";
import { state, watchLater } from "../state.mjs";
import { redo, undo } from "../undo.mjs";
import { t } from "../words/index.mjs";
import { button } from "./controls.mjs";

const SHOWN_MS = 12_000;

export function mountToast() {
  const element = byId("toast");
  let timer = null;
  const hide = () => {
    element.hidden = true;
  };
  watchLater(
    () => [state.undo, state.settings],
    ({ key, of }) => {
      clearTimeout(timer);
      element.hidden = key === null;
      if (element.hidden) return;
      const way = of === "undone" ? button(t("undo.redo"), redo, { "data-key": "way" }) : button(t("undo.undo"), undo, { "data-key": "way" });
      show(element, h("span", { role: "status" }, t(of === "undone" ? "undo.undone" : key)), way);
      // it goes by itself, but not from under the hand or the keyboard
      const later = () => {
        timer = setTimeout(() => (element.matches(":hover, :focus-within") ? later() : hide()), SHOWN_MS);
      };
      later();
    },
  );
}
