// The top of the page: the rooms, what opens a dialog, and what is to be said of the connection.

import { byId, h, iconButton, show } from "../dom.mjs";
import { change, state, watch } from "../state.mjs";
import { t } from "../words/index.mjs";
import { button } from "./controls.mjs";
import { openExchange } from "./exchange.mjs";
import { openSettings } from "./settings.mjs";

const ROOMS = ["play", "analysis", "networks"];

export function mountHeader(reconnect) {
  watch(
    () => [state.room, state.settings],
    (room) => {
      document.title = `${t(`room.${room}`)} · Enroc`;
      document.documentElement.dataset.room = room;
      byId("rooms").setAttribute("aria-label", t("rooms.label"));
      show(byId("rooms"), ROOMS.map(roomButton));
      show(
        byId("tools"),
        iconButton("exchange", t("exchange.title"), () => openExchange()),
        iconButton("settings", t("settings.title"), openSettings),
      );
    },
  );
  watch(
    () => [state.connection, state.settings],
    (connection) => showBanner(byId("banner"), connection, reconnect),
  );
}

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
