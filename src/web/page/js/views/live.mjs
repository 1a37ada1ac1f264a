// What a screen reader is told: every new move, and the position when it is asked for.

import { byId } from "../dom.mjs";
import { moveInWords, positionInWords } from "../speech.mjs";
import { state, watchLater } from "../state.mjs";
import { otherSide, sideToMove } from "../tree.mjs";
import { t } from "../words/index.mjs";

export function mountLive() {
  const [live, words] = [byId("live"), byId("position-words")];
  watchLater(
    () => [state.node, state.position?.result, state.settings],
    (node, result) => {
      if (!node.parent || !node.san) return;
      const side = t(`side.${otherSide(sideToMove(node, state.game.root))}`);
      const end = result ? ` ${t(`result.${result.score}`)}, ${t(`reason.${result.reason}`)}.` : "";
      live.textContent = `${side}: ${moveInWords(node.san)}.${end}`;
    },
  );
  watchLater(
    () => [state.node.fen, state.settings],
    (fen) => {
      if (fen) words.textContent = positionInWords(fen);
    },
  );
}
