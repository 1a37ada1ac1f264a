// The running lines under the board: one search, which follows the board.

import { brokenOff, Refusal, stream } from "./api.mjs";
import { isOn as matchIsOn } from "./match.mjs";
import { change, state, watch } from "./state.mjs";
import { local } from "./storage.mjs";
import { stateAt } from "./tree.mjs";

/** Pages through a game are not worth a search each. */
const PAUSE_MS = 120;

let search = null;
let timer = null;

/** Whether lines are wanted now: a match, a retry and a search for mistakes have the engine for themselves. */
const wanted = () =>
  state.analysis.on &&
  state.room === "analysis" &&
  state.connection === "ok" &&
  !matchIsOn() &&
  !state.retry &&
  !state.review &&
  !state.networks.busy &&
  !document.hidden;

/** Starts to follow the board. */
export function followBoard() {
  const watched = () => [wanted(), state.node, state.position === null, state.analysis.net, state.analysis.lines, state.analysis.threads, state.analysis.hash, state.analysis.limit, state.analysis.depth, state.analysis.seconds];
  watch(watched, restart);
  document.addEventListener("visibilitychange", () => change(() => {}));
}

function restart(on) {
  search?.abort();
  search = null;
  clearTimeout(timer);
  if (state.analysis.info) {
    change(() => {
      state.analysis.info = null;
    });
  }
  if (on && state.position?.legal.length > 0) timer = setTimeout(run, PAUSE_MS);
}

/** What the engine is told of the end of its search. */
const limitOf = ({ limit, depth, seconds }) => ({ depth: { depth }, time: { movetime_ms: Math.round(seconds * 1000) } })[limit] ?? { infinite: true };

/** Changes what the engine is told, and keeps it. */
export function setEngine(more) {
  change(() => {
    state.analysis = { ...state.analysis, ...more };
  });
  const { on, net, lines, threads, hash, limit, depth, seconds } = state.analysis;
  local.set("enroc.engine", JSON.stringify({ on, net, lines, threads, hash, limit, depth, seconds }));
}

async function run() {
  const { game, node, analysis } = state;
  search = new AbortController();
  const { signal } = search;
  const player = { net: analysis.net, mode: "search" };
  const { threads, hash } = analysis;
  const question = { state: stateAt(game, node), player, limit: limitOf(analysis), multipv: analysis.lines, threads, hash };
  const hear = (name, info) => {
    if (name !== "info" || signal.aborted) return;
    change(() => {
      Object.assign(state.analysis, { info: { ...info, node }, problem: null });
    });
  };
  try {
    await stream("/api/search", question, hear, signal);
  } catch (error) {
    if (brokenOff(error) || !(error instanceof Refusal)) return;
    change(() => {
      state.analysis.problem = error;
    });
  }
}
