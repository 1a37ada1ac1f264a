// A game that is being played: two people, or a person and Enroc.

import { ask, brokenOff, Refusal, stream } from "./api.mjs";
import { makeClock, pause, press, remaining, resume } from "./clock.mjs";
import { goTo, holdWithGame, movesBetween, play, replaceGame, say, unsay } from "./game.mjs";
import { change, state } from "./state.mjs";
import { addMove, depth, lastOf, makeGame, numberOf, otherSide, path, removeAfter, sideToMove, stateAt } from "./tree.mjs";
import { remember } from "./undo.mjs";

/** Enroc accepts no draw before this move. */
const FIRST_DRAW = 20;

/** What breaks off the search that is running. */
let search = null;

const now = () => performance.now();

/** Whose turn it is at the end of the game that is played. */
const turn = () => sideToMove(state.match.tip, state.game.root);

export const isOn = () => state.match !== null && state.match.over === null;

/** The side that may pick up a piece now, also to move it in advance; null for neither, "both" outside of a match. */
export function handsOf() {
  const { match } = state;
  if (!match || match.over) return "both";
  if (state.node !== match.tip) return null;
  if (match.human.w && match.human.b) return turn();
  return match.human.w ? "w" : "b";
}

/**
 * Starts a game. `human` says which sides people play; `player` and `limit` are those of the server's search, `limit`
 * null for Enroc's own clock; `clock` is `{ minutes, increment }` or null; `from` is a game as plain data whose moves are
 * kept, "chess960", or null for the usual start.
 */
export async function startMatch({ human, player, limit, clock, from }) {
  const plain = from === "chess960" ? { chess960: true, start: (await ask("/api/chess960", {})).fen } : from ?? {};
  const made = makeGame({ ...plain, tags: Object.entries(tagsOf(human, player, clock)) });
  const tip = lastOf(made.root);
  change(() => {
    replaceGame(made, tip, "undo.match");
    state.room = "play";
    state.analysis.on = false;
    state.bottom = human.w || !human.b ? "w" : "b";
    state.match = {
      human,
      player,
      limit,
      clock: clock && makeClock(clock.minutes, clock.increment),
      tip,
      thinking: false,
      premove: null,
      expected: null,
      over: null,
    };
  });
  await goTo(tip);
  goOn();
}

function tagsOf(human, player, clock) {
  const today = new Date();
  const two = (number) => String(number).padStart(2, "0");
  const how = player.mode === "level" ? `, ${player.elo} Elo` : "";
  const name = (side) => (human[side] ? "?" : `Enroc (${player.net}${how})`);
  const date = `${today.getFullYear()}.${two(today.getMonth() + 1)}.${two(today.getDate())}`;
  const control = clock ? { TimeControl: `${Math.round(clock.minutes * 60)}+${clock.increment}` } : {};
  return { White: name("w"), Black: name("b"), Date: date, ...control };
}

/** A move of a person, one of `position.legal`. */
export async function humanMove(move) {
  await withClock(() => play(move));
  goOn();
}

/** Makes a move and presses the mover's clock at once. */
function withClock(make) {
  const { match } = state;
  const side = turn();
  let made;
  change(() => {
    made = make();
    match.tip = state.node;
    if (!match.clock) return;
    press(match.clock, side, now());
    state.node.clock = match.clock.left[side];
  });
  return made;
}

/** Looks at the position at the end of the game: it is over, or Enroc thinks, or a person does. */
export function goOn() {
  const { match, position } = state;
  if (!isOn() || state.node !== match.tip || !position) return;
  if (position.result) return finish(position.result);
  if (match.clock && match.tip.parent) change(() => resume(match.clock, position.turn, now()));
  if (!match.human[position.turn]) return think();
  playPremove();
}

async function think() {
  const { match } = state;
  if (match.thinking) return;
  search = new AbortController();
  const { signal } = search;
  change(() => {
    match.thinking = true;
  });
  let best = null;
  const hear = (name, data) => {
    if (name === "info") match.expected = data.lines[0]?.expected ?? match.expected;
    if (name === "done" && !data.stopped) best = data.bestmove;
  };
  try {
    const question = { state: stateAt(state.game, match.tip), player: match.player, limit: limitOf(match), multipv: 1 };
    await stream("/api/search", question, hear, signal);
  } catch (error) {
    if (brokenOff(error)) return;
    if (error instanceof Refusal) say("play", error);
  }
  if (state.match !== match || signal.aborted) return;
  const rest = () => {
    match.thinking = false;
  };
  if (!best || match.over) return change(rest);
  await withClock(() => {
    rest();
    return goTo(grow(match.tip, best));
  });
  goOn();
}

function grow(node, move) {
  state.treeVersion += 1;
  return addMove(node, move);
}

function limitOf({ limit, clock }) {
  if (limit) return limit;
  const time = (side) => Math.round(remaining(clock, side, now()));
  const { increment } = clock;
  return { clock: { white_ms: time("w"), black_ms: time("b"), white_inc_ms: increment, black_inc_ms: increment } };
}

/** Breaks off Enroc's search, if one runs for the match. */
export function stopThinking() {
  search?.abort();
  search = null;
  if (state.match) {
    change(() => {
      state.match.thinking = false;
    });
  }
}

/** Keeps a move for when it is one's turn; null forgets it. */
export const premove = (move) =>
  change(() => {
    state.match.premove = move;
  });

function playPremove() {
  const { premove: kept } = state.match;
  if (!kept) return;
  premove(null);
  const moves = movesBetween(kept.from, kept.to);
  const move = moves.find(({ promotion }) => promotion === "q") ?? moves[0];
  if (move) humanMove(move);
}

/** Gives the game another result, or none. */
function setOver(match, game, over) {
  const score = over?.score ?? "*";
  match.over = over;
  game.result = score;
  game.tags.Result = score;
}

/** Ends the match as players do, which can be undone. */
function agree(result) {
  const { match, game } = state;
  let other = null;
  finish(result);
  remember("undo.result", () => {
    if (state.match !== match) return;
    const now = match.over;
    change(() => setOver(match, game, other));
    other = now;
    goOn();
  });
}

/** Ends the match with a result of the server's, of the clock or of the players. */
export function finish(result) {
  stopThinking();
  change(() => {
    const { match, game } = state;
    setOver(match, game, result);
    match.premove = null;
    if (match.clock) pause(match.clock, now());
  });
}

const wonBy = (side) => (side === "w" ? "1-0" : "0-1");

/** The side that resigns is the person's, or the one to move between two people. */
export function resign() {
  const { human } = state.match;
  const side = human.w && human.b ? turn() : human.w ? "w" : "b";
  agree({ score: wonBy(otherSide(side)), reason: "resignation" });
}

export const claimDraw = (reason) => agree({ score: "1/2-1/2", reason });

/** Two people agree; Enroc does once the opening is over, where it thinks that it stands no better than equal. */
export function offerDraw() {
  const { match, game } = state;
  unsay();
  const draw = () => agree({ score: "1/2-1/2", reason: "agreement" });
  if (match.human.w && match.human.b) return draw();
  if (numberOf({ parent: match.tip }, game.root).number < FIRST_DRAW) return say("play", { code: "draw_early" });
  // for Enroc; of what it has not looked at yet it knows nothing
  const own = match.expected === null ? 1 : match.human.w ? 1 - match.expected : match.expected;
  if (own <= 0.5) return draw();
  say("play", { code: "draw_declined" });
}

/** Takes back to the person's last turn. */
export function undo() {
  const { match } = state;
  const moves = path(match.tip);
  const twoPeople = match.human.w && match.human.b;
  const steps = twoPeople || !match.human[turn()] ? 1 : 2;
  const target = moves.at(-steps)?.parent;
  if (!target) return;
  const { game } = state;
  let other = { tip: match.tip, over: match.over, children: target.children };
  const back = () => {
    stopThinking();
    const undone = { tip: match.tip, over: match.over, children: target.children };
    change(() => {
      Object.assign(match, { tip: other.tip, premove: null });
      setOver(match, game, other.over);
      target.children = other.children;
      state.treeVersion += 1;
      if (match.clock) pause(match.clock, now());
    });
    other = undone;
    goTo(match.tip).then(goOn);
  };
  stopThinking();
  change(() => {
    Object.assign(match, { tip: target, premove: null });
    setOver(match, game, null);
    removeAfter(target);
    state.treeVersion += 1;
    if (match.clock) pause(match.clock, now());
  });
  remember("undo.takeback", () => state.match === match && back());
  goTo(target).then(goOn);
}

/** Whether there is a move of a person to take back. */
export function canUndo() {
  const { match } = state;
  const moves = depth(match.tip);
  const twoPeople = match.human.w && match.human.b;
  return moves > (twoPeople || !match.human[turn()] ? 0 : 1);
}

/** Leaves the match; its moves stay on the board. */
export function leave() {
  holdClock();
  stopThinking();
  const { game } = state;
  let other = null; // the match that is left, once it is
  const swap = () => {
    stopThinking();
    const left = state.match;
    change(() => {
      state.match = other;
    });
    other = left;
  };
  swap();
  remember("undo.leave", () => {
    if (state.game !== game) return;
    swap();
    if (state.match) goTo(state.match.tip).then(goOn);
  });
}

/** Ends the match when a flag has fallen: lost, or drawn where the other side could not mate any more. */
export function watchFlag() {
  const { match, position } = state;
  const side = match?.clock?.running;
  if (!isOn() || !side || remaining(match.clock, side, now()) > 0) return;
  const winner = otherSide(side);
  const canMate = position?.mating?.[winner === "w" ? "white" : "black"] ?? true;
  finish(canMate ? { score: wonBy(winner), reason: "time" } : { score: "1/2-1/2", reason: "time_no_mate" });
}

/** Without the server nobody's time runs. */
export function holdClock() {
  if (isOn() && state.match.clock) change(() => pause(state.match.clock, now()));
}

// a game that leaves the board takes its search and its clock with it, and goes on where it comes back
holdWithGame({
  leave() {
    holdClock();
    stopThinking();
  },
  comeBack: goOn,
});
