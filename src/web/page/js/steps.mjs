// Where one can go from the move on the board.

import { goTo } from "./game.mjs";
import { state } from "./state.mjs";
import { lastOf } from "./tree.mjs";

const forth = () => (state.retry ? null : state.node.children[0]);

/** The next move after a fork, the other move there; null where the line has none. */
function sibling(by) {
  const { node } = state;
  const siblings = node.parent?.children ?? [];
  return siblings[siblings.indexOf(node) + by] ?? null;
}

/** The move before the variation on the board; of the main line, its start. */
function leaveVariation() {
  let at = state.node;
  while (at.parent && at.parent.children[0] === at) at = at.parent;
  return at.parent;
}

/** Where each step leads; to nothing at the ends of the game. */
export const STEPS = {
  first: () => state.node.parent && state.game.root,
  back: () => state.node.parent,
  forth,
  last: () => forth() && lastOf(state.node),
  /** Into the next variation: of the next move first, else the move beside this one. */
  into: () => (state.retry ? null : state.node.children[1] ?? sibling(1)),
  out: leaveVariation,
  above: () => sibling(-1),
  below: () => (state.retry ? null : sibling(1)),
};

/** Goes there, if there is anything. */
export function step(name) {
  const target = STEPS[name]();
  if (target) goTo(target);
  return Boolean(target);
}
