// What a hand writes at a move: signs and a comment; and what it does with the move's place in the game.

import { h, iconButton, show } from "../dom.mjs";
import { annotate, promoteMove, removeMove } from "../game.mjs";
import { glyphsOf, OF_MOVES, SIGNS } from "../glyphs.mjs";
import { change, state, watchLater } from "../state.mjs";
import { t } from "../words/index.mjs";

/** A comment without what programs say to each other in it, such as `[%clk 0:03:00]`, and those words. */
export const prose = (text) => (text ?? "").replace(/\[%[^\]]*\]/g, "").trim();
const commands = (text) => ((text ?? "").match(/\[%[^\]]*\]/g) ?? []).join(" ");

/** What can be done with the move on the board, in analysis. */
export function moveTools() {
  const { node, notes } = state;
  const write = () =>
    change(() => {
      state.notes = !notes;
    });
  const isMain = !node.parent || node.parent.children[0] === node;
  return [
    iconButton("write", t("notes.write"), write, { "aria-expanded": String(Boolean(notes)), "data-key": "write" }),
    !isMain && iconButton("promote", t("moves.promote"), () => promoteMove(node)),
    node.parent && iconButton("remove", t("moves.remove"), () => removeMove(node)),
  ];
}

export function mountNotes(element) {
  watchLater(
    () => [state.notes, state.node, state.treeVersion, state.retry, state.settings],
    (on, node) => {
      element.hidden = !on || state.retry !== null;
      // what is being written stays under the hand
      if (element.hidden || element.querySelector("textarea:focus")?.dataset.node === String(node.id)) return;
      show(element, node.parent && signs(node), words(node));
    },
  );
}

/** The signs of a move, of which one can be on. */
function signs(node) {
  const now = glyphsOf(node).find((nag) => OF_MOVES.includes(nag));
  const others = node.nags.filter((nag) => !OF_MOVES.includes(nag));
  const choose = (nag) => () => annotate(node, { nags: nag === now ? others : [nag, ...others], ownGlyph: true });
  const sign = (nag) => h("button", { type: "button", class: "glyph", "aria-pressed": String(nag === now), "aria-label": t(`glyph.${nag}`), title: t(`glyph.${nag}`), "data-key": `glyph-${nag}`, onclick: choose(nag) }, SIGNS[nag]);
  return h("div", { class: "row", role: "group", "aria-label": t("notes.signs") }, OF_MOVES.map(sign));
}

function words(node) {
  const keep = (event) => {
    const text = [commands(node.comment), event.target.value.trim()].filter(Boolean).join(" ");
    if (text !== (node.comment ?? "")) annotate(node, { comment: text || undefined });
  };
  return h("textarea", { rows: "2", "aria-label": t("notes.comment"), placeholder: t("notes.comment"), "data-node": node.id, "data-key": "comment", value: prose(node.comment), onchange: keep });
}
