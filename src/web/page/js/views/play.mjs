// The room of play: the set-up of a game, and what a player can do while it runs.

import { Refusal } from "../api.mjs";
import { h, show } from "../dom.mjs";
import { say, unsay } from "../game.mjs";
import { canUndo, claimDraw, leave, offerDraw, resign, startMatch, undo } from "../match.mjs";
import { startReview } from "../review.mjs";
import { change, state, watchLater } from "../state.mjs";
import { t } from "../words/index.mjs";
import { button, check, choose, knownNet, netName, netOptions, noticeAt, number, segmented } from "./controls.mjs";

/** What the form proposes; the last choices stay in the browser. */
const KEY = "enroc.setup";
const DEFAULTS = {
  opponent: "enroc",
  side: "w",
  net: "mlp",
  mode: "level",
  elo: 1500,
  plies: 2,
  quiescence: true,
  limit: "time",
  seconds: 1,
  nodes: 20_000,
  clock: false,
  minutes: 10,
  increment: 5,
  start: "standard",
};

let setup = { ...DEFAULTS };
try {
  setup = { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY)) };
} catch {
  // nothing was kept, or not by this page
}

/** Makes the lists of the room, in the element that holds what is above the moves and the one below. */
export function mountPlay(above, below) {
  const set = (more) => {
    setup = { ...setup, ...more };
    try {
      localStorage.setItem(KEY, JSON.stringify(setup));
    } catch {
      // the choices then last as long as the page
    }
    showAll();
  };
  const showAll = () => {
    const { match } = state;
    show(above, match ? status() : form(set), noticeAt("play"));
    show(below, match ? actions() : []);
  };
  const seen = () => {
    const { match, node, position, hello, notice, settings } = state;
    return [hello, notice, settings, ...(match ? [match, match.over, match.thinking, node, position] : [])];
  };
  watchLater(seen, showAll);
}

function form(set) {
  const withEngine = setup.opponent === "enroc";
  const start = (event) => {
    event.preventDefault();
    begin();
  };
  return h(
    "form",
    { class: "setup", onsubmit: start },
    h("h2", {}, t("setup.title")),
    segmented(t("setup.opponent"), "opponent", options("setup.opponent", ["enroc", "person"]), setup.opponent, (opponent) => set({ opponent })),
    withEngine && segmented(t("setup.side"), "side", options("setup.side", ["w", "random", "b"]), setup.side, (side) => set({ side })),
    withEngine && strength(set),
    segmented(t("setup.clock"), "clock", [["off", t("setup.clock.off")], ["on", t("setup.clock.on")]], setup.clock ? "on" : "off", (value) => set({ clock: value === "on" })),
    setup.clock &&
      h(
        "div",
        { class: "pair" },
        number(t("setup.minutes"), "minutes", { min: 0.5, max: 180, step: 0.5 }, setup.minutes, (minutes) => set({ minutes })),
        number(t("setup.increment"), "increment", { min: 0, max: 60 }, setup.increment, (increment) => set({ increment })),
      ),
    segmented(t("setup.start"), "start", options("setup.start", ["standard", "chess960", "board"]), setup.start, (value) => set({ start: value })),
    h("button", { type: "submit", class: "primary", "data-key": "start" }, t("setup.go")),
  );
}

const options = (prefix, values) => values.map((value) => [value, t(`${prefix}.${value}`)]);

function strength(set) {
  const limits = setup.clock ? ["clock", "time", "nodes"] : ["time", "nodes"];
  const limit = limits.includes(setup.limit) ? setup.limit : limits[0];
  const { mode } = setup;
  const [weakest, strongest] = state.hello?.limits.elo ?? [800, 2600];
  return h(
    "div",
    { class: "strength" },
    choose(t("setup.net"), "net", netOptions(), knownNet(setup.net), (net) => set({ net })),
    segmented(t("setup.mode"), "mode", options("setup.mode", ["level", "search", "look_ahead"]), setup.mode, (mode) => set({ mode })),
    mode === "level" &&
      h(
        "div",
        {},
        number(t("setup.elo"), "elo", { min: weakest, max: strongest, step: 50 }, setup.elo, (elo) => set({ elo })),
        h("p", { class: "muted" }, t("setup.elo.text")),
      ),
    mode === "look_ahead" &&
      h(
        "div",
        { class: "pair" },
        number(t("setup.plies"), "plies", { min: 1, max: 8 }, setup.plies, (plies) => set({ plies })),
        check(t("setup.quiescence"), "quiescence", setup.quiescence, (quiescence) => set({ quiescence })),
      ),
    mode === "search" &&
      h(
        "div",
        { class: "pair" },
        choose(t("setup.limit"), "limit", options("setup.limit", limits), limit, (value) => set({ limit: value })),
        limit === "time" && number(t("setup.seconds"), "seconds", { min: 0.1, max: 60, step: 0.1 }, setup.seconds, (seconds) => set({ seconds })),
        limit === "nodes" && number(t("setup.nodes"), "nodes", { min: 100, max: 10_000_000, step: 100 }, setup.nodes, (nodes) => set({ nodes })),
      ),
  );
}

function limitOf() {
  if (setup.mode === "level") return {};
  if (setup.mode === "look_ahead") return { depth: setup.plies };
  if (setup.limit === "nodes") return { nodes: Math.round(setup.nodes) };
  if (setup.limit === "clock" && setup.clock) return null;
  return { movetime_ms: Math.round(setup.seconds * 1000) };
}

async function begin() {
  unsay();
  const withEngine = setup.opponent === "enroc";
  const side = setup.side === "random" ? (Math.random() < 0.5 ? "w" : "b") : setup.side;
  const human = { w: !withEngine || side === "w", b: !withEngine || side === "b" };
  const net = knownNet(setup.net);
  const { mode, elo, plies, quiescence, clock, minutes, increment } = setup;
  const player = { search: { net, mode }, level: { net, mode, elo }, look_ahead: { net, mode, plies, quiescence } }[mode];
  const fromBoard = setup.start === "board" ? state.node.fen : null;
  const start = setup.start === "chess960" ? "chess960" : fromBoard;
  try {
    await startMatch({ human, player, limit: limitOf(), clock: clock ? { minutes, increment } : null, start, chess960: state.game.chess960 });
  } catch (error) {
    say("play", error instanceof Refusal ? error : { code: "server_gone" });
  }
}

/** Whose turn it is, or how the game ended. */
function status() {
  const { match, position } = state;
  if (match.over) {
    const text = [t(`result.${match.over.score}`), t(`reason.${match.over.reason}`)].join(" · ");
    return h("p", { class: "status over", role: "status" }, text);
  }
  const side = position?.turn ?? "w";
  const mine = match.human[side];
  const text = !mine ? t("match.thinks", { net: netName(match.player.net) }) : match.human.w && match.human.b ? t(`turn.${side}`) : t("turn.yours");
  return h("p", { class: "status" }, text);
}

function actions() {
  const { match, position } = state;
  if (match.over) {
    const review = () => {
      change(() => {
        state.room = "analysis";
      });
      startReview();
    };
    return [
      button(t("match.new"), leave, { class: "primary" }),
      button(t("match.review"), review),
      button(t("match.undo"), undo, { disabled: !canUndo() }),
    ];
  }
  const claims = match.human[position?.turn] ? position?.claims ?? [] : [];
  return [
    button(t("match.undo"), undo, { disabled: !canUndo() }),
    claims.map((claim) => button(t(`claim.${claim}`), () => claimDraw(claim), { class: "primary" })),
    button(t("match.draw"), () => (unsay(), offerDraw())),
    button(t("match.resign"), resign),
  ];
}
