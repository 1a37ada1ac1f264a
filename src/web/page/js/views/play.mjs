// The room of play: the set-up of a game, and what a player can do while it runs.

import { h, show } from "../dom.mjs";
import { canUndo, claimDraw, leave, offerDraw, resign, undo } from "../match.mjs";
import { startReview } from "../review.mjs";
import { begin, choose as setUp, knownNet, LEVELS, theSetup } from "../setup.mjs";
import { change, state, watchLater } from "../state.mjs";
import { sideToMove } from "../tree.mjs";
import { t } from "../words/index.mjs";
import { button, check, choose, folded, netName, netOptions, noticeAt, number, segmented } from "./controls.mjs";

/** Makes the lists of the room, in the element that holds what is above the moves and the one below. */
export function mountPlay(above, below) {
  const showAll = () => {
    const { match } = state;
    show(above, state.notice?.place === "play" && h("div", { class: "row" }, noticeAt("play"), state.notice.error.code === "no_game" && button(t("setup.here"), here)), match ? status() : form(set));
    show(below, match ? actions() : []);
  };
  const set = (more) => {
    setUp(more);
    showAll();
  };
  const seen = () => {
    const { match, node, position, hello, notice, settings } = state;
    return [hello, notice, settings, node, match, ...(match ? [match.over, match.thinking, position] : [])];
  };
  watchLater(seen, showAll);
}

/** Starts a game from the board, whatever start is chosen. */
const here = () => begin({ kept: true });

const options = (prefix, values) => values.map((value) => [value, t(`${prefix}.${value}`)]);

function form(set) {
  const setup = theSetup();
  const withEngine = setup.opponent === "enroc";
  const start = (event) => {
    event.preventDefault();
    begin();
  };
  return h(
    "form",
    { class: "setup", onsubmit: start },
    h("div", { class: "go" }, h("p", { class: "status" }, hint(setup)), h("button", { type: "submit", class: "primary", "data-key": "start" }, t("setup.go"))),
    segmented(t("setup.opponent"), "opponent", options("setup.opponent", ["enroc", "person"]), setup.opponent, (opponent) => set({ opponent })),
    withEngine && segmented(t("setup.level"), "level", options("setup.level", Object.keys(LEVELS)), setup.level, (level) => set({ level })),
    withEngine && h("p", { class: "muted" }, strengthText(setup)),
    withEngine && segmented(t("setup.side"), "side", options("setup.side", ["w", "random", "b"]), setup.side, (side) => set({ side })),
    segmented(t("setup.clock"), "clock", [["off", t("setup.clock.off")], ["on", t("setup.clock.on")]], setup.clock ? "on" : "off", (value) => set({ clock: value === "on" })),
    setup.clock &&
      h(
        "div",
        { class: "pair" },
        number(t("setup.minutes"), "minutes", { min: 0.5, max: 180, step: 0.5 }, setup.minutes, (minutes) => set({ minutes })),
        number(t("setup.increment"), "increment", { min: 0, max: 60 }, setup.increment, (increment) => set({ increment })),
      ),
    segmented(t("setup.start"), "start", options("setup.start", ["standard", "chess960", "board"]), setup.start, (value) => set({ start: value })),
    withEngine && folded(t("setup.more"), "strength", strength(set)),
  );
}

/** Whose move it is, and what to do. */
function hint({ opponent, side }) {
  const { node, game } = state;
  if (game.root.children.length > 0) return t("setup.hint.kept");
  const turn = sideToMove(node, game.root);
  if (opponent === "enroc" && side !== "random" && side !== turn) return t("setup.hint.start");
  return `${t(`turn.${turn}`)}. ${t(opponent === "enroc" ? "setup.hint.move" : "setup.hint.people")}`;
}

/** Against whom one plays, in a word. */
function strengthText({ mode, elo, plies }) {
  if (mode === "level") return t("setup.strength.level", { elo });
  return mode === "search" ? t("setup.strength.search") : t("setup.strength.look_ahead", { plies });
}

function strength(set) {
  const setup = theSetup();
  const limits = setup.clock ? ["clock", "time", "nodes"] : ["time", "nodes"];
  const limit = limits.includes(setup.limit) ? setup.limit : limits[0];
  const { mode } = setup;
  const [weakest, strongest] = state.hello?.limits.elo ?? [800, 2600];
  return h(
    "div",
    { class: "strength" },
    segmented(t("setup.mode"), "mode", options("setup.mode", ["level", "search", "look_ahead"]), mode, (value) => set({ mode: value })),
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
    choose(t("setup.net"), "net", netOptions(), knownNet(setup.net), (net) => set({ net })),
  );
}

/** Whose turn it is, or how the game ended. */
function status() {
  const { match, position } = state;
  if (match.over) {
    const text = [t(`result.${match.over.score}`), t(`reason.${match.over.reason}`)].join(" · ");
    return h("p", { class: "status over", role: "status" }, text);
  }
  const side = sideToMove(match.tip, state.game.root);
  const mine = match.human[position?.turn ?? side];
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
    button(t("match.draw"), offerDraw),
    button(t("match.resign"), resign),
  ];
}
