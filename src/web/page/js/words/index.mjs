// The words of the page in the language that is chosen.

import { languageOf } from "../settings.mjs";
import { state } from "../state.mjs";
import { ca } from "./ca.mjs";
import { en } from "./en.mjs";
import { es } from "./es.mjs";

const TABLES = { ca, en, es };

/** The text of a key, with `{name}` replaced by the value of that name. */
export function t(key, values = {}) {
  const text = TABLES[languageOf(state.settings)][key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** Words for an error of the server or the page; the server's own sentence where there are none. */
export function errorText({ code, message, at, line, column }) {
  const key = `error.${code}`;
  const text = key in en ? t(key) : message ?? t("error.unknown");
  if (line) return `${text} ${t("error.line", { line, column })}`;
  return at === undefined || at === null ? text : `${text} ${t("error.at", { at: at + 1 })}`;
}
