import { splitTarget } from "../site/nodes.ts";

/** Returns a path with its numbers as `N`, and its long texts and those with a hyphen as `W`. */
export function shapeOf(path: string): string {
  return path.replaceAll(/\d+/g, "N").replaceAll(/[^/.]*-[^/.]*|[^/.]{16,}/g, "W");
}

/** Returns what URLs of one kind of page share: the shape of their path, and the names of their parameters. */
export function kindOfPage(target: string): string {
  const [path, query] = splitTarget(target);
  const names = (query ?? "").split("&").map((param) => param.split("=", 1)[0]);
  return `${shapeOf(path)}?${[...new Set(names)].toSorted().join("&")}`;
}
