// The state of the page in one place. Views watch parts of it and are shown again when those parts have changed.

/**
 * A store over `state`: `change` alters it, `watch` and `watchLater` follow it. `later(run)` runs what may wait until the
 * next frame is on its way.
 */
export function makeStore(state, later) {
  const [atOnce, waiting] = [[], []];
  let depth = 0;
  let scheduled = false;

  const follow = (watchers, select, show) => {
    const seen = select(state);
    watchers.push({ select, show, seen });
    show(...seen);
  };

  const notify = (watchers) => {
    for (const watcher of watchers) {
      const seen = watcher.select(state);
      if (seen.length !== watcher.seen.length || seen.some((value, i) => !Object.is(value, watcher.seen[i]))) {
        watcher.seen = seen;
        watcher.show(...seen);
      }
    }
  };

  const notifyLater = () => {
    if (scheduled) return;
    scheduled = true;
    later(() => {
      scheduled = false;
      notify(waiting);
    });
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
      if (depth > 0) return;
      notify(atOnce);
      notifyLater();
    },
    /** Calls `show` now, and whenever one of the values in the array that `select` makes of the state has changed. */
    watch: (select, show) => follow(atOnce, select, show),
    /** The same for what stands beside the board: after a change the board has its frame first. */
    watchLater: (select, show) => follow(waiting, select, show),
  };
}
