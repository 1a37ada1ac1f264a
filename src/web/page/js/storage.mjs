// What the browser keeps for the page. Where it may keep nothing, or no more, the page keeps it as long as it lives.

function store(name) {
  const memory = new Map();
  let real = null;
  try {
    real = window[name];
  } catch {
    // site data is blocked
  }
  const inMemory = (key) => memory.get(key) ?? null;
  return {
    get(key) {
      try {
        return memory.get(key) ?? real.getItem(key);
      } catch {
        return inMemory(key);
      }
    },
    set(key, value) {
      try {
        real.setItem(key, value);
        memory.delete(key);
      } catch {
        memory.set(key, value);
      }
    },
    remove(key) {
      memory.delete(key);
      try {
        real.removeItem(key);
      } catch {
        // it was never there
      }
    },
    keys() {
      try {
        return [...new Set([...Object.keys(real), ...memory.keys()])];
      } catch {
        return [...memory.keys()];
      }
    },
  };
}

/** Kept for this address. */
export const local = store("localStorage");

/** Kept for this tab. */
export const session = store("sessionStorage");

/** A value as JSON, or what it is by default. */
export function readJson(key, otherwise) {
  try {
    return JSON.parse(local.get(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}
