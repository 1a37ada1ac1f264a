// Everything that destroys something can be undone, and done again.

import { change, state } from "./state.mjs";

const MOST = 50;

/** What was done, latest last, and what was undone: `{ key, swap }`, where `swap` changes what is with what was. */
const done = [];
const undone = [];

let number = 0;

const tell = (key, of) =>
  change(() => {
    number += 1;
    state.undo = { key, of, number, canUndo: done.length > 0, canRedo: undone.length > 0 };
  });

/** Remembers what was just done, named by the key of a text; it is offered to be undone, unless that is `quiet`. */
export function remember(key, swap, quiet = false) {
  state.game.touched = true;
  done.push({ key, swap });
  if (done.length > MOST) done.shift();
  undone.length = 0;
  tell(quiet ? null : key, "done");
}

const move = (from, to, of) => () => {
  const entry = from.pop();
  if (!entry) return false;
  entry.swap();
  to.push(entry);
  tell(entry.key, of);
  return true;
};

/** Takes back the last thing that was done; false if there is none. */
export const undo = move(done, undone, "undone");
export const redo = move(undone, done, "redone");

/** Changes fields of an object so that it can be undone; `shown` makes the page show it. */
export function alter(key, object, fields, shown) {
  let other = Object.fromEntries(Object.keys(fields).map((name) => [name, object[name]]));
  Object.assign(object, fields);
  remember(key, () => {
    const now = Object.fromEntries(Object.keys(other).map((name) => [name, object[name]]));
    Object.assign(object, other);
    other = now;
    shown();
  });
}
