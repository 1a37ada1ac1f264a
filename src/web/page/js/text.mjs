// The text of a file, whatever it is written in: by the rules by which the server reads games.

const LINE_FEED = 10;
/** What a game in UTF-16 without a mark begins with: a tag, or the number of the first move. */
const isFirstSign = (byte) => byte === 0x5b || byte === 0x31;

/** The text of a file, its lines ended by line feeds. */
export async function textOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return decode(bytes).replace(/\r\n?/g, "\n");
}

function decode(bytes) {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (isFirstSign(first) && second === 0)) return new TextDecoder("utf-16le").decode(bytes);
  if ((first === 0xfe && second === 0xff) || (first === 0 && isFirstSign(second))) return new TextDecoder("utf-16be").decode(bytes);
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  try {
    return utf8.decode(bytes);
  } catch {
    return byLines(bytes);
  }
}

/** Each line in UTF-8, or if it is not that in Latin-1, PGN's own, in the form that Windows gave it. */
function byLines(bytes) {
  const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const latin = new TextDecoder("windows-1252");
  const lines = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, from);
    const to = end < 0 ? bytes.length : end + 1;
    const line = bytes.subarray(from, to);
    try {
      lines.push(utf8.decode(line));
    } catch {
      lines.push(latin.decode(line));
    }
    from = to;
  }
  return lines.join("");
}
