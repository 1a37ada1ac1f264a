// The top of the page: the rooms, what opens a dialog, and what is to be said of the connection.

import { byId, h, icon, show } from "../dom.mjs";
import { change, state, watch } from "../state.mjs";
import { t } from "../words/index.mjs";
import { button } from "./controls.mjs";
import { undo } from "../undo.mjs";
import { openEditor } from "./editor.mjs";
import { openExchange } from "./exchange.mjs";
import { openKeys } from "./keys.mjs";
import { openSettings } from "./settings.mjs";

const ROOMS = ["play", "analysis", "networks"];

export function mountHeader(reconnect) {
  watch(
    () => [state.room, state.undo, state.settings],
    (room) => {
      document.title = `${t(`room.${room}`)} · Enroc`;
      document.documentElement.dataset.room = room;
      byId("rooms").setAttribute("aria-label", t("rooms.label"));
      show(byId("rooms"), ROOMS.map(roomButton));
      show(
        byId("tools"),
        tool("exchange", t("exchange.short"), t("exchange.title"), () => openExchange()),
        tool("edit", t("editor.short"), t("editor.title"), openEditor),
        tool("undo", t("undo.undo"), t("undo.undo"), undo, { disabled: !state.undo.canUndo }),
        tool("keys", t("keys.short"), t("keys.title"), openKeys, { class: "icon-button tool keys-tool" }),
        tool("settings", t("settings.title"), t("settings.title"), openSettings),
      );
    },
  );
  watch(
    () => [state.connection, state.settings],
    (connection) => showBanner(byId("banner"), connection, reconnect),
  );
}

/** A button with a picture and, where there is room, its name. */
const tool = (name, short, label, onclick, more = {}) =>
  h("button", { type: "button", class: "icon-button tool", "aria-label": short, title: label, "data-key": name, onclick, ...more }, icon(name), h("span", { "aria-hidden": "true" }, short));

function roomButton(room) {
  const enter = () =>
    change(() => {
      state.room = room;
    });
  return h("button", { type: "button", "aria-current": state.room === room ? "page" : false, "data-key": room, onclick: enter }, t(`room.${room}`));
}

function showBanner(element, connection, reconnect) {
  element.hidden = connection === "ok";
  if (connection === "ok") return element.replaceChildren();
  show(element, h("span", {}, t(`connection.${connection}`)), connection === "gone" && button(t("connection.again"), reconnect));
}
