// A short knock for every move; silent until it is wanted.

import { state, watch } from "./state.mjs";

let audio = null;

/** A knock of a pitch and a length, in hertz and seconds. */
function knock(pitch, length, delay = 0) {
  audio ??= new AudioContext();
  const at = audio.currentTime + delay;
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  tone.type = "triangle";
  tone.frequency.setValueAtTime(pitch, at);
  tone.frequency.exponentialRampToValueAtTime(pitch / 2, at + length);
  volume.gain.setValueAtTime(0.25, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + length);
  tone.connect(volume).connect(audio.destination);
  tone.start(at);
  tone.stop(at + length);
}

function play(san) {
  if (san.includes("x")) knock(330, 0.09);
  knock(220, 0.07, san.includes("x") ? 0.04 : 0);
  if (/[+#]/.test(san)) knock(660, 0.12, 0.06);
}

/** Follows the moves on the board. */
export function soundMoves() {
  let before = state.node;
  watch(
    () => [state.node],
    (node) => {
      const isNext = node.parent === before;
      before = node;
      if (isNext && node.san && state.settings.sound === "on") play(node.san);
    },
  );
}
