// The dialog of the settings.

import { byId, h } from "../dom.mjs";
import { CHOICES, keepSettings } from "../settings.mjs";
import { change, state } from "../state.mjs";
import { t } from "../words/index.mjs";
import { choose, segmented } from "./controls.mjs";
import { fillDialog, openDialog } from "./dialog.mjs";

const LANGUAGES = { ca: "Català", es: "Español", en: "English" };

export const openSettings = () => openDialog("settings", t("settings.title"), form());

function set(name, value) {
  const settings = { ...state.settings, [name]: value };
  keepSettings(settings);
  change(() => {
    state.settings = settings;
  });
  if (byId("settings").open) fillDialog("settings", t("settings.title"), form());
}

function form() {
  const { settings } = state;
  const languages = CHOICES.language.map((language) => [language, LANGUAGES[language] ?? t("settings.language.auto")]);
  const row = (name) => segmented(t(`settings.${name}`), name, CHOICES[name].map((choice) => [choice, t(`settings.${name}.${choice}`)]), settings[name], (value) => set(name, value));
  return h(
    "div",
    { class: "setup" },
    choose(t("settings.language"), "language", languages, settings.language, (value) => set("language", value)),
    ["notation", "theme", "board", "pieces", "animation", "coordinates", "sound"].map(row),
  );
}
