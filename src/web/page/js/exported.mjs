// The game as PGN, plain or with all that the page knows of it: grades as glyphs, scores, the better lines, clocks.

import { ask } from "./api.mjs";
import { glyphsOf } from "./glyphs.mjs";
import { isMistake } from "./review.mjs";
import { state } from "./state.mjs";
import { toWrite } from "./tree.mjs";

/** What is written beside a move. */
function notes(node) {
  const { judged, clock } = node;
  return { nags: glyphsOf(node), score: judged?.after.score, clock_ms: clock === undefined ? undefined : Math.round(clock) };
}

/** Adds the line that the engine would have played to every mistake, where the game does not have it. */
function withBetterLines(plain, nodes) {
  nodes.forEach((node, index) => {
    const { judged } = node;
    const line = judged?.line ?? [];
    if (!judged || !isMistake(judged) || line.length === 0 || node.parent.children.some(({ uci }) => uci === line[0])) return;
    let { parent } = plain.nodes[index];
    for (const uci of line) {
      plain.nodes.push({ parent, uci, nags: [] });
      parent = plain.nodes.length - 1;
    }
  });
  return plain;
}

/** The game on the board as PGN. */
export async function writePgn(annotated = true) {
  const nodes = [];
  const noted = (node) => {
    nodes.push(node);
    return annotated ? notes(node) : {};
  };
  const plain = toWrite(state.game, noted);
  const game = annotated ? withBetterLines(plain, nodes) : plain;
  return (await ask("/api/pgn/write", { game })).text;
}
