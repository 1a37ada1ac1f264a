// How a game is set up: what the form proposes; the last choices stay in the browser.

import { Refusal } from "./api.mjs";
import { say, unsay } from "./game.mjs";
import { humanMove, startMatch } from "./match.mjs";
import { change, state } from "./state.mjs";
import { local, readJson } from "./storage.mjs";
import { pathAsPlain, sideToMove } from "./tree.mjs";

const KEY = "enroc.setup";
const DEFAULTS = {
  opponent: "enroc",
  side: "w",
  level: "club",
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

/** The first choice: levels in Elo, and the full search. */
export const LEVELS = { beginner: 900, club: 1500, expert: 2100, full: null };

let setup = { ...DEFAULTS, ...readJson(KEY, {}) };

export const theSetup = () => setup;

/** Changes choices. Some of them follow from others: a level is a mode with an Elo. */
export function choose(more) {
  setup = { ...setup, ...more };
  if (more.level in LEVELS) {
    const elo = LEVELS[more.level];
    setup = { ...setup, mode: elo === null ? "search" : "level", elo: elo ?? setup.elo };
  }
  if (more.mode || more.elo) {
    const named = Object.entries(LEVELS).find(([, elo]) => (setup.mode === "level" ? elo === setup.elo : elo === null && setup.mode === "search"));
    setup.level = named?.[0] ?? "own";
  }
  local.set(KEY, JSON.stringify(setup));
}

/** This network, or the first that there is if the program that answers now does not have it. */
export function knownNet(id) {
  const nets = state.hello?.nets ?? [];
  return nets.length === 0 || nets.some((net) => net.id === id) ? id : nets[0].id;
}

function limitOf() {
  if (setup.mode === "level") return {};
  if (setup.mode === "look_ahead") return { depth: setup.plies };
  if (setup.limit === "nodes") return { nodes: Math.round(setup.nodes) };
  if (setup.limit === "clock" && setup.clock) return null;
  return { movetime_ms: Math.round(setup.seconds * 1000) };
}

/** Starts the game. `first` is a move made by hand, whose side is then the person's; `kept` keeps the moves on the board. */
export async function begin({ first = null, kept = false } = {}) {
  unsay();
  const withEngine = setup.opponent === "enroc";
  const drawn = setup.side === "random" ? (Math.random() < 0.5 ? "w" : "b") : setup.side;
  const side = first ? sideToMove(state.node, state.game.root) : drawn;
  const human = { w: !withEngine || side === "w", b: !withEngine || side === "b" };
  const net = knownNet(setup.net);
  const { mode, elo, plies, quiescence, clock, minutes, increment } = setup;
  const player = { search: { net, mode }, level: { net, mode, elo }, look_ahead: { net, mode, plies, quiescence } }[mode];
  const fromBoard = first || kept || setup.start === "board" ? pathAsPlain(state.game, state.node) : null;
  const from = fromBoard ?? (setup.start === "chess960" ? "chess960" : null);
  try {
    await startMatch({ human, player, limit: limitOf(), clock: clock ? { minutes, increment } : null, from });
    if (first) await humanMove(first);
  } catch (error) {
    change(() => {
      state.room = "play";
    });
    say("play", error instanceof Refusal ? error : { code: "server_gone" });
  }
}
