// What the reader chose, kept in the browser.

import { local, readJson } from "./storage.mjs";

const KEY = "enroc.settings";

/** The choices of every setting; the first is the default. */
export const CHOICES = {
  language: ["", "ca", "es", "en"],
  theme: ["system", "light", "dark"],
  board: ["sage", "slate", "wood", "paper"],
  pieces: ["ivory", "honey", "mono"],
  animation: ["on", "off"],
  coordinates: ["on", "off"],
  notation: ["letters", "figurines"],
  sound: ["off", "on"],
};

const allowed = (settings) =>
  Object.fromEntries(
    Object.entries(CHOICES).map(([name, choices]) => [name, choices.includes(settings?.[name]) ? settings[name] : choices[0]]),
  );

/** The settings as kept; what is missing or not a choice becomes the default. */
export const readSettings = () => allowed(readJson(KEY, {}));

export const keepSettings = (settings) => local.set(KEY, JSON.stringify(settings));

/** Calls `changed` when another tab has changed the settings. */
export function onOtherTab(changed) {
  addEventListener("storage", (event) => {
    if (event.key === KEY) changed(readSettings());
  });
}

/** The language of the page: the chosen one, or the first of the browser's that there is. */
export function languageOf(settings) {
  if (settings.language) return settings.language;
  const known = navigator.languages.map((language) => language.slice(0, 2)).find((language) => CHOICES.language.includes(language));
  return known ?? "en";
}

/** Puts the looks where the style sheets read them. */
export function applySettings(settings) {
  const root = document.documentElement;
  root.lang = languageOf(settings);
  for (const name of ["theme", "board", "pieces", "animation", "coordinates"]) root.dataset[name] = settings[name];
}
