/** After this many milliseconds of work the page can answer the visitor. */
const BUDGET_MS = 4;

/**
 * Appends what is made of each item, a few milliseconds at a time, so that the page answers meanwhile.
 * Stops when `isStopped` returns true.
 */
export async function appendInSlices<T>(
  parent: HTMLElement,
  items: readonly T[],
  make: (item: T) => Node,
  isStopped: () => boolean,
): Promise<void> {
  let began = performance.now();
  for (const item of items) {
    parent.append(make(item));
    if (performance.now() - began < BUDGET_MS) continue;
    await painted();
    if (isStopped()) return;
    began = performance.now();
  }
}

/** Waits until the next frame is painted. A hidden page has no frames, so it waits only for a timer. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    if (document.hidden) setTimeout(resolve);
    else requestAnimationFrame(() => setTimeout(resolve));
  });
}
