// What the networks, and Stockfish if there, score and would play in the position on the board.

import { brokenOff, Refusal, stream } from "./api.mjs";
import { isOn as matchIsOn } from "./match.mjs";
import { change, state, watch } from "./state.mjs";
import { stateAt } from "./tree.mjs";

let search = null;

/** In a game the networks would give the best move away. */
export const mayCompare = () => !matchIsOn();

/** Asks all the networks up to the chosen number of plies. */
export async function compare() {
  search?.abort();
  search = new AbortController();
  const { signal } = search;
  const { game, node, networks, hello } = state;
  const set = (more) =>
    change(() => {
      state.networks = { ...state.networks, ...more };
    });
  set({ busy: true, key: node, rows: [], shares: {}, problem: null });
  const hear = (name, data) => {
    if (signal.aborted) return;
    if (name === "failed" && data.plies === undefined) set({ problem: data });
    else if (name === "row" || name === "failed") set({ rows: [...state.networks.rows, data] });
    if (name === "shares") set({ shares: { ...state.networks.shares, [data.net]: data.pieces } });
  };
  try {
    const nets = [...hello.nets.map((net) => net.id), ...(hello.stockfish ? ["stockfish"] : [])];
    const plies = [...Array(networks.plies + 1).keys()];
    await stream("/api/networks", { state: stateAt(game, node), plies, nets, shares: true }, hear, signal);
  } catch (error) {
    if (brokenOff(error)) return;
    set({ problem: error instanceof Refusal ? error : { code: "server_gone" } });
  }
  set({ busy: false });
}

export function stopComparing() {
  search?.abort();
  change(() => {
    state.networks = { ...state.networks, busy: false };
  });
}

/** An answer about another position than the one on the board is not shown; and the engine, once wanted, comes first. */
export function followBoard() {
  watch(
    () => [state.room === "analysis" && state.analysis.on],
    (engine) => engine && state.networks.busy && stopComparing(),
  );
  watch(
    () => [state.node, state.match],
    (node) => {
      if (state.networks.key === null || (state.networks.key === node && mayCompare())) return;
      search?.abort();
      change(() => {
        state.networks = { ...state.networks, busy: false, key: null, rows: [], shares: {}, problem: null };
      });
    },
  );
}

/** The shares to colour the board with, by square; null for none. */
export function sharesNow() {
  const { room, networks } = state;
  const pieces = room === "networks" ? networks.shares[networks.shown] : undefined;
  if (!pieces) return null;
  return Object.fromEntries(pieces.filter(({ cp }) => cp !== null).map(({ square, cp }) => [square, cp]));
}
