// A chess clock as plain data, so that it can be saved; time comes from outside, in milliseconds.

import { otherSide } from "./tree.mjs";

/** Both sides with `minutes`, and `increment` seconds a move. It starts with the first press. */
export const makeClock = (minutes, increment) => ({
  left: { w: minutes * 60_000, b: minutes * 60_000 },
  increment: increment * 1000,
  running: null,
  since: 0,
});

/** What a side has left; not below zero. */
export function remaining(clock, side, now) {
  const spent = clock.running === side ? now - clock.since : 0;
  return Math.max(0, clock.left[side] - spent);
}

/** `side` has moved: its increment is added and the other's time runs. The first move costs nothing. */
export function press(clock, side, now) {
  if (clock.running === side) clock.left[side] = remaining(clock, side, now) + clock.increment;
  clock.running = otherSide(side);
  clock.since = now;
}

/** Stops the clock; `press` or `resume` goes on. */
export function pause(clock, now) {
  if (clock.running) clock.left[clock.running] = remaining(clock, clock.running, now);
  clock.running = null;
}

export function resume(clock, side, now) {
  if (clock.running === null) Object.assign(clock, { running: side, since: now });
}

/** e.g. `4:05`, `1:00:00`, and `0:09.3` in the last ten seconds. */
export function clockText(milliseconds) {
  const two = (number) => String(number).padStart(2, "0");
  if (milliseconds < 10_000) return `0:0${(Math.floor(milliseconds / 100) / 10).toFixed(1)}`;
  const seconds = Math.ceil(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}
