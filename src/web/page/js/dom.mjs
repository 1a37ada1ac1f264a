// Elements are made here and nowhere else, always from text: data never becomes markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "selected") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An HTML element; attributes named `on…` are listeners, `false` leaves one out. */
export const h = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

/** An SVG element. */
export const s = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/** The element of the page with this id. */
export const byId = (id) => document.getElementById(id);

/** A picture of one of the symbols in index.html. */
export const icon = (name) =>
  s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("use", { href: `#icon-${name}` }));

/** A button with a picture; its name is read aloud and shown as a hint. */
export const iconButton = (name, label, onclick, more = {}) =>
  h("button", { type: "button", class: "icon-button", "aria-label": label, title: label, onclick, ...more }, icon(name));

/**
 * Runs something once the next frame has been drawn; at once in a tab that is not seen, which has no frames. What is
 * being pressed beside the board has to be there still when it is let go, so that this is waited for, too.
 */
export function afterFrame(run) {
  const unlessPressed = () => (document.querySelector(":is(.panel, .top) :active") ? afterFrame(run) : run());
  if (document.hidden) setTimeout(run);
  else requestAnimationFrame(() => setTimeout(unlessPressed));
}

/** Replaces what an element holds and keeps the keyboard where it was, by the `data-key` of the focused element. */
export function show(element, ...children) {
  const focused = document.activeElement;
  const key = element.contains(focused) ? focused.dataset.key : undefined;
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  if (key !== undefined) element.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}
