// The text of a file. UTF-8 is read here; every other encoding by the server, which has the rules.

import { ask } from "./api.mjs";

/** Bytes that are sent at once: in base 64 they fit into a call. */
const AT_ONCE = 600_000;

/** The text of a file, its lines ended by line feeds. Throws what the server refused. */
export async function textOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return (inUtf8(bytes) ?? (await decoded(bytes))).replace(/\r\n?/g, "\n");
}

/** Null if it is anything else. */
function inUtf8(bytes) {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

async function decoded(bytes) {
  const texts = [];
  let encoding = null;
  for (let from = 0; from < bytes.length; ) {
    const piece = bytes.subarray(from, from + AT_ONCE);
    const answer = await ask("/api/text", { bytes: await inBase64(piece), encoding, last: from + piece.length === bytes.length });
    texts.push(answer.text);
    encoding = answer.encoding;
    from += answer.used;
  }
  return texts.join("");
}

function inBase64(bytes) {
  const reader = new FileReader();
  return new Promise((done, failed) => {
    reader.onload = () => done(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(new Blob([bytes]));
  });
}
