// Opened files stay over a reload. They are too long for what keeps the game, so the browser's database has them, each
// under the name of the game of its tab.

const STORE = "files";

let opened = null;

const answer = (request) =>
  new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });

function open() {
  const request = indexedDB.open("enroc", 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return answer(request);
}

/** What `act` asks of the store; undefined where the browser keeps nothing. */
async function ask(mode, act) {
  try {
    opened ??= open();
    return await answer(act((await opened).transaction(STORE, mode).objectStore(STORE)));
  } catch {
    return undefined;
  }
}

/** Keeps a file, any plain data, or forgets it where it is null. */
export const putFile = (key, file) => ask("readwrite", (store) => (file ? store.put(file, key) : store.delete(key)));

export const getFile = (key) => ask("readonly", (store) => store.get(key));

export const fileKeys = async () => (await ask("readonly", (store) => store.getAllKeys())) ?? [];
