// The room of the networks: side by side what each scores and would play, and the pieces' shares on the board.

import { h, show } from "../dom.mjs";
import { leave } from "../match.mjs";
import { compare, mayCompare, stopComparing } from "../networks.mjs";
import { shown } from "../notation.mjs";
import { expectedText, scoreText } from "../scores.mjs";
import { change, state, watchLater } from "../state.mjs";
import { t } from "../words/index.mjs";
import { button, netName, problem, segmented } from "./controls.mjs";

const PLIES = 4;

export function mountNetworks(element) {
  watchLater(
    () => [state.networks, state.hello, state.connection, state.settings, state.match, state.match?.over],
    (networks) => {
      if (!mayCompare()) return show(element, head(), h("p", { class: "status" }, t("networks.match")), button(t("analysis.leave"), leave));
      return show(element, head(), ask(networks), table(networks), shares(networks), problem(networks.problem));
    },
  );
}

const set = (more) =>
  change(() => {
    state.networks = { ...state.networks, ...more };
  });

const head = () => [h("h2", {}, t("networks.title")), h("p", { class: "muted" }, t("networks.text"))];

function ask({ plies, busy }) {
  const choices = [...Array(PLIES + 1).keys()].map((count) => [String(count), String(count)]);
  return h(
    "div",
    { class: "row" },
    segmented(t("networks.plies"), "plies", choices, String(plies), (value) => set({ plies: Number(value) })),
    busy ? button(t("networks.stop"), stopComparing) : button(t("networks.ask"), compare, { class: "primary", disabled: !state.hello }),
  );
}

function table({ rows, busy }) {
  if (rows.length === 0) return busy && h("p", { class: "muted", role: "status" }, t("networks.busy"));
  const nets = [...new Set(rows.map((row) => row.net))];
  const depths = [...new Set(rows.map((row) => row.plies))].sort((a, b) => a - b);
  const cell = (net, plies) => {
    const row = rows.find((other) => other.net === net && other.plies === plies);
    if (!row) return h("td", { class: "muted" }, busy ? "…" : "");
    if (row.message) return h("td", { class: "muted", title: row.message }, "–");
    const note = row.complete ? "" : t("networks.partly", { depth: row.depth });
    return h(
      "td",
      { title: note },
      h("b", {}, row.move ? shown(row.move.san) : scoreText(row.score), note && " *"),
      h("span", { class: "figures" }, [row.move && scoreText(row.score), expectedText(row.expected)].filter(Boolean).join(" · ")),
    );
  };
  return h(
    "div",
    { class: "wide", tabindex: "0", role: "region", "aria-label": t("networks.title") },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("networks.depth")), nets.map((net) => h("th", { scope: "col" }, netName(net))))),
      h("tbody", {}, depths.map((plies) => h("tr", {}, h("th", { scope: "row" }, String(plies)), nets.map((net) => cell(net, plies))))),
    ),
  );
}

function shares({ shares: known, shown: chosen }) {
  const nets = Object.keys(known);
  if (nets.length === 0) return null;
  const choices = [["", t("networks.none")], ...nets.map((net) => [net, netName(net)])];
  return [
    segmented(t("networks.shares"), "shares", choices, known[chosen] ? chosen : "", (net) => set({ shown: net || null })),
    h("p", { class: "muted" }, t("networks.shares.text")),
  ];
}
