// The game survives: every tab saves its own in the browser, and a new tab goes on with the last one that no living
// tab holds. Tabs tell each other of a new token, so that all go on when the server was started again.

import { token, useToken } from "./api.mjs";
import { remaining } from "./clock.mjs";
import { gamesOf } from "./file.mjs";
import { fileKeys, getFile, putFile } from "./shelf.mjs";
import { change, state, watch } from "./state.mjs";
import { local, session } from "./storage.mjs";
import { lastOf, makeGame, path, toSave } from "./tree.mjs";

const PREFIX = "enroc.game.";
const KEPT = 5;
const PAUSE_MS = 200;

/** This tab's name, the same after a reload. */
let tab = session.get("enroc.tab") ?? crypto.randomUUID();
session.set("enroc.tab", tab);

/** The record of the game whose file is still to be put back. */
let opened = null;

const channel = openChannel();

/** The other tabs; where the browser keeps tabs apart, nobody. */
function openChannel() {
  try {
    return new BroadcastChannel("enroc");
  } catch {
    return { postMessage() {} };
  }
}

function saved() {
  const keys = local.keys().filter((key) => key.startsWith(PREFIX));
  const read = (key) => {
    try {
      return { key, ...JSON.parse(local.get(key)) };
    } catch {
      return { key, time: 0 };
    }
  };
  return keys.map(read).sort((a, b) => b.time - a.time);
}

/** Where a node is, as the indices of the children on the way. */
const indices = (node) => path(node).map((move) => move.parent.children.indexOf(move));

const follow = (root, way) => way.reduce((node, index) => node.children[index] ?? node, root);

function plainMatch(match) {
  if (!match) return match;
  const { clock } = match;
  const left = (side) => Math.round(remaining(clock, side, performance.now()));
  const stopped = clock && { ...clock, left: { w: left("w"), b: left("b") }, running: null };
  return { ...match, clock: stopped, tip: indices(match.tip), thinking: false };
}

function save() {
  const { game, node, match, room, bottom } = state;
  // until the file has been put back, what was kept of it stays
  const { at, filter } = state.file ?? opened?.file ?? {};
  const file = filter === undefined ? null : { at, filter };
  const untouched = game.root.children.length === 0 && game.start === null && !match && !game.root.drawings && !file;
  const key = PREFIX + tab;
  if (untouched) return local.remove(key);
  const record = { time: Date.now(), game: toSave(game), way: indices(node), match: plainMatch(match), room, bottom, file };
  local.set(key, JSON.stringify(record));
  for (const old of saved().slice(KEPT)) local.remove(old.key);
}

/** The names of the games that living tabs hold. */
async function heldLocks() {
  try {
    return (await navigator.locks.query()).held.map((lock) => lock.name);
  } catch {
    return []; // no locks, or no right to them
  }
}

/** Puts back the game that this tab had, or the last that no living tab holds. */
export async function restore() {
  const held = await heldLocks();
  const records = saved().filter((record) => record.game);
  const mine = records.find(({ key }) => key === PREFIX + tab);
  const found = mine ?? records.find(({ key }) => !held.includes(key));
  if (held.includes(PREFIX + tab)) {
    // this tab is a copy of another one: it goes on with the same game, under a name of its own
    tab = crypto.randomUUID();
    session.set("enroc.tab", tab);
  }
  navigator.locks?.request(PREFIX + tab, () => new Promise(() => {})).catch(() => {});
  if (!found) return;
  if (found !== mine) local.remove(found.key);
  try {
    putBack(found);
    if (found.file) opened = found;
  } catch {
    local.remove(found.key); // saved by another version of the page
  }
}

/** Puts back the file of the game, once the page is there: it may be long. From then on it is kept. */
export async function restoreFile() {
  const kept = opened && (await getFile(opened.key));
  if (kept && !state.file) {
    const { name, text, games } = kept;
    change(() => {
      state.file = { name, text, games: games ?? gamesOf(text), ...opened.file };
    });
  }
  opened = null;
  watch(
    () => [state.file?.text, state.file?.games],
    () => {
      if (!state.file) return putFile(PREFIX + tab, null);
      const { name, text, games } = state.file;
      // games that were read already are not found in the text again
      return putFile(PREFIX + tab, { name, text, games: games.some(({ plain }) => plain) ? games : null });
    },
  );
  const living = new Set([...(await heldLocks()), ...saved().map(({ key }) => key), PREFIX + tab]);
  for (const key of await fileKeys()) if (!living.has(key)) putFile(key, null);
}

function putBack({ game: plain, way, match, room, bottom }) {
  const game = makeGame(plain);
  game.touched = true;
  const tip = match ? follow(game.root, match.tip) : lastOf(game.root);
  if (match?.clock) match.clock.running = null;
  change(() => {
    Object.assign(state, { game, node: follow(game.root, way), room, bottom, match: match && { ...match, tip } });
    state.treeVersion += 1;
  });
}

/** Saves after every change, a moment later. */
export function keepSaving() {
  let timer = null;
  const later = () => {
    timer ??= setTimeout(() => {
      timer = null;
      save();
    }, PAUSE_MS);
  };
  watch(() => [state.game, state.node, state.treeVersion, state.match, state.match?.over, state.room, state.bottom, state.file], later);
  addEventListener("pagehide", save);
}

/** Hears from other tabs of a token that the server has accepted, and tells this tab's to one that has none. */
export function shareToken(heard) {
  channel.onmessage = ({ data }) => {
    if (data === "token?") {
      if (state.connection === "ok" && state.hello) tellToken();
    } else if (data.token !== token()) {
      useToken(data.token);
      heard();
    }
  };
  if (!token()) channel.postMessage("token?");
}

/** Tells the other tabs the token, once the server has accepted it. */
export const tellToken = () => channel.postMessage({ token: token() });
