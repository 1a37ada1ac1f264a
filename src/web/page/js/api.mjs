// Talks to the server on this machine. Every failure becomes one of the three errors below.

import { session as kept } from "./storage.mjs";

/** The server understood and refused: what is wrong, in which field, and where. */
export class Refusal extends Error {
  constructor({ field, code, message, at }) {
    super(message);
    Object.assign(this, { field, code, at });
  }
}

/** No answer: the server was stopped, or the machine slept. */
export class Gone extends Error {}

/** The server does not know the token: it was started again since. */
export class Stranger extends Error {}

const TOKEN = "enroc.token";
/** This tab's engine at the server. Not kept, so that a tab which was duplicated has its own. */
const session = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

let listener = () => {};

/** `heard` is told "ok", "gone" or "stranger" after every call. */
export function onConnection(heard) {
  listener = heard;
}

/** Takes the token out of the address, where it would stay in the history. True if there was one. */
export function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token === null) return false;
  useToken(token);
  history.replaceState(null, "", location.pathname);
  return true;
}

export const useToken = (token) => kept.set(TOKEN, token);
export const token = () => kept.get(TOKEN);

const headersOf = () => ({ Authorization: `Bearer ${token() ?? ""}`, "X-Board-Session": session });

/** Tells the server that the tab closes, so that its engine goes. */
export function leaveServer() {
  const headers = { ...headersOf(), "Content-Type": "application/json" };
  fetch("/api/leave", { method: "POST", keepalive: true, headers, body: "{}" }).catch(() => {});
}

async function call(path, body, signal) {
  const headers = headersOf();
  const request = { headers, signal, cache: "no-store" };
  if (body !== undefined) {
    request.method = "POST";
    request.body = JSON.stringify(body);
    headers["Content-Type"] = "application/json";
  }
  let response;
  try {
    response = await fetch(path, request);
  } catch (error) {
    if (signal?.aborted) throw error;
    listener("gone");
    throw new Gone(error.message);
  }
  if (response.status === 401) {
    listener("stranger");
    throw new Stranger("the server was started again");
  }
  listener("ok");
  if (!response.ok) {
    const answer = await response.json().catch(() => null);
    throw new Refusal(answer?.error ?? { code: "http", message: `${response.status} ${response.statusText}` });
  }
  return response;
}

/** Looks whether the server is still there; the listener is told. It is no sign of life of this tab's engine. */
export async function ping() {
  try {
    const { status } = await fetch("/api/hello", { headers: { Authorization: `Bearer ${token() ?? ""}` }, cache: "no-store" });
    listener(status === 401 ? "stranger" : "ok");
  } catch {
    listener("gone");
  }
}

/** Asks one question; `body` is left out of a GET. */
export async function ask(path, body, signal) {
  return (await call(path, body, signal)).json();
}

/** Asks for a stream of events; `hear(name, data)` gets each of them. Returns after `done`, or when the stream has ended. */
export async function stream(path, body, hear, signal) {
  const response = await call(path, body, signal);
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    let piece;
    try {
      piece = await reader.read();
    } catch (error) {
      if (signal?.aborted) throw error;
      listener("gone");
      throw new Gone(error.message);
    }
    if (piece.done) return;
    text += decoder.decode(piece.value, { stream: true }).replaceAll("\r", "");
    const events = text.split("\n\n");
    text = events.pop();
    // nothing comes after the last event: its consequences need not wait for the end of the connection
    if (events.map((event) => tell(event, hear)).includes("done")) return;
  }
}

/** Tells one event to `hear`; returns its name. */
function tell(event, hear) {
  let name = "message";
  const data = [];
  for (const line of event.split("\n")) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5));
  }
  if (data.length === 0) return name; // a comment that keeps the connection alive
  const value = JSON.parse(data.join("\n"));
  if (name === "error") throw new Refusal(value.error ?? value);
  if (name === "failed" && !value.net) throw new Refusal(value);
  if (name === "closing") throw new Gone("the server ends");
  hear(name, value);
  return name;
}

/** True for the error of a call that the page itself broke off. */
export const brokenOff = (error) => error?.name === "AbortError";
