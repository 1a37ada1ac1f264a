// What cannot wait for the rest of the page: the looks that were chosen, and whether a game may have been kept, so that
// the pieces of the start are not shown before its own. The rest begins once this has been painted.

{
  const { dataset } = document.documentElement;
  try {
    const settings = JSON.parse(localStorage.getItem("enroc.settings")) ?? {};
    for (const name of ["theme", "board", "pieces", "coordinates"]) dataset[name] = settings[name] ?? dataset[name];
    if (Object.keys(localStorage).some((key) => key.startsWith("enroc.game."))) dataset.restoring = "";
  } catch {
    // nothing was kept, or it may not be read
  }

  const rest = () => import("/page.mjs"); // however often it is called, it runs once
  new PerformanceObserver(rest).observe({ type: "paint", buffered: true });
  setTimeout(rest, 300); // a tab that is not seen is not painted
}
