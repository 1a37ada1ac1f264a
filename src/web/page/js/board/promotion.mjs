// The choice of a piece, over the square where the pawn arrives.

import { h, s, show } from "../dom.mjs";
import { commit, letGo } from "../hand.mjs";
import { state } from "../state.mjs";
import { t } from "../words/index.mjs";
import { placeOf } from "./geometry.mjs";

const ORDER = "qnrb";

/** Whether the choice that is shown has been pressed: the click of a tap that brought it goes to what is then there. */
let pressed = false;

/** Shows the choice, or hides it; `element` lies over the board. */
export function showPromotion(element, promotion, bottom) {
  element.hidden = !promotion;
  pressed = false;
  if (!promotion) return element.replaceChildren();
  const { column, row } = placeOf(promotion.square, bottom);
  element.style.left = `${column * 12.5}%`;
  element.classList.toggle("upwards", row === 7);
  const side = promotion.square[1] === "8" ? "w" : "b";
  const moves = [...promotion.moves].sort((a, b) => ORDER.indexOf(a.promotion) - ORDER.indexOf(b.promotion));
  show(element, moves.map((move) => choice(move, side)));
  element.firstElementChild.focus();
}

function choice(move, side) {
  const name = t(`piece.${move.promotion}`);
  const picture = s("svg", { viewBox: "0 0 100 100" }, s("use", { href: `#piece-${move.promotion}`, class: `piece ${side}` }));
  const press = () => {
    pressed = true;
  };
  const choose = (event) => (pressed || event.detail === 0) && commit(move);
  return h("button", { type: "button", "aria-label": name, title: name, onpointerdown: press, onclick: choose, onkeydown: walk }, picture);
}

function walk(event) {
  const { nextElementSibling, previousElementSibling } = event.currentTarget;
  const step = { ArrowDown: nextElementSibling, ArrowRight: nextElementSibling, ArrowUp: previousElementSibling, ArrowLeft: previousElementSibling };
  if (event.key === "Escape") letGo();
  else if (event.key in step) step[event.key]?.focus();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

export const isOpen = () => state.promotion !== null;
