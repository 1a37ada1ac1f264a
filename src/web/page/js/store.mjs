// The state of the page in one place. Views watch parts of it and are shown again when those parts have changed.

/** A store over `state`: `change` alters it, `watch` follows it. */
export function makeStore(state) {
  const watchers = [];
  let depth = 0;

  const notify = () => {
    for (const watcher of watchers) {
      const seen = watcher.select(state);
      if (seen.length !== watcher.seen?.length || seen.some((value, i) => !Object.is(value, watcher.seen[i]))) {
        watcher.seen = seen;
        watcher.show(...seen);
      }
    }
  };

  return {
    state,
    /** Alters the state, then shows what follows from it once, however deep the changes are nested. */
    change(alter) {
      depth += 1;
      try {
        alter(state);
      } finally {
        depth -= 1;
      }
      if (depth === 0) notify();
    },
    /** Calls `show` now, and whenever one of the values in the array that `select` makes of the state has changed. */
    watch(select, show) {
      const seen = select(state);
      watchers.push({ select, show, seen });
      show(...seen);
    },
  };
}
