// What the dialogs have in common.

import { byId, h, iconButton, show } from "../dom.mjs";
import { t } from "../words/index.mjs";

/** Fills and opens the dialog of this id; a click beside it closes it. */
export function openDialog(id, title, ...children) {
  const dialog = byId(id);
  fillDialog(id, title, ...children);
  if (!dialog.open) dialog.showModal();
  dialog.onclick = (event) => {
    if (event.target === dialog) dialog.close();
  };
}

export function fillDialog(id, title, ...children) {
  const dialog = byId(id);
  dialog.setAttribute("aria-label", title);
  const head = h("div", { class: "card-head" }, h("h2", {}, title), iconButton("close", t("close"), () => dialog.close(), { "data-key": "close" }));
  show(dialog, h("div", { class: "sheet" }, head, children));
}
