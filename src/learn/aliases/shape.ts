import { entryOf } from "../../base/tallies.ts";
import { splitParams } from "../../site-rules/apply/params.ts";
import { splitTarget } from "../site/nodes.ts";
import { scriptOf } from "../site/page-types.ts";
import { SELF, withClasses } from "../site/statements.ts";
import { THRESHOLDS } from "../thresholds/thresholds.ts";

/** Says which statements of a kind are right or wrong together, from the narrowest on, as `Trust` writes shapes. */
export interface Shapes {
  /** Has the path of the URL but for its numbers, and the names of its parameters. */
  readonly narrow: string;
  /** Has the number of segments in place of their texts, but for a script. */
  readonly wide: string;
}

/**
 * Returns the shapes of a statement that names a URL. Declarations have one shape, whatever the URL: a site writes them
 * rightly or not.
 */
export function shapesOf(target: string, kind: string): Shapes {
  if (!kind.startsWith(SELF)) return { narrow: "*", wide: "*" };
  const [path, query] = splitTarget(target);
  const names = query === null ? "" : namesOf(query);
  const rest = names === "" ? "" : ` ?${names}`;
  return { narrow: withClasses(path) + rest, wide: depthOf(path) + rest };
}

function namesOf(query: string): string {
  const names = splitParams(query).map(({ name }) => withClasses(name));
  return [...new Set(names)].toSorted().join("&");
}

function depthOf(path: string): string {
  const script = scriptOf(path);
  const segments = path.split("/");
  return segments
    .map((segment, at) =>
      at === 0 || (at === segments.length - 1 && (segment === "" || script !== null))
        ? segment
        : "*",
    )
    .join("/");
}

/** Holds, for each key, the keys whose pages say that they are its page. */
export type Claims = Map<string, Set<string>>;

/** Holds the claims of one shape, which are right or wrong together. */
export interface ShapeClaims extends Shapes {
  readonly kind: string;
  readonly claims: Claims;
  /** Holds, for each key whose page makes such statements, the URLs that these name. */
  readonly links: Claims;
}

/** Gathers claims by the shape of the statements that make them. */
export class ClaimsByShape {
  readonly #pageOf: ReadonlyMap<string, number>;
  readonly #shapes = new Map<string, ShapeClaims>();
  readonly #known = new Map<string, Shapes>();

  /** Takes the pages of keys, as far as they are known. */
  constructor(pageOf: ReadonlyMap<string, number>) {
    this.#pageOf = pageOf;
  }

  /** Adds that a statement of this kind about a target claims a key for the page of another. */
  add(target: string, kind: string, key: string, by: string): void {
    const shapes = this.#shapesOf(target, kind);
    add(this.#shapes, kind, shapes, {
      claims: new Map([[key, new Set([by])]]),
      links: new Map([[by, new Set([target])]]),
    });
  }

  /** Lists the claims of each shape. Narrow ones of few known pages are pooled as a wide one, which is its own narrow one. */
  all(): ShapeClaims[] {
    const judged: ShapeClaims[] = [];
    const pooled = new Map<string, ShapeClaims>();
    for (const shape of this.#shapes.values()) {
      const { kind, wide, claims } = shape;
      if (!kind.startsWith(SELF) || this.#hasEnough(claims)) judged.push(shape);
      else add(pooled, kind, { narrow: wide, wide }, shape);
    }
    return [...judged, ...pooled.values()];
  }

  /** Returns whether the known pages are as many as evidence needs. */
  #hasEnough(claims: Claims): boolean {
    const pages = new Set<number>();
    for (const [key, claimants] of claims) {
      if (!this.#pageOf.has(key)) continue;
      for (const by of claimants) pages.add(this.#pageOf.get(by) as number);
      if (pages.size >= THRESHOLDS.classes) return true;
    }
    return false;
  }

  #shapesOf(target: string, kind: string): Shapes {
    return entryOf(this.#known, `${kind} ${target}`, () => shapesOf(target, kind));
  }
}

/** Adds claims and links to those of a kind and its narrow shape. */
function add(
  to: Map<string, ShapeClaims>,
  kind: string,
  shapes: Shapes,
  { claims, links }: Pick<ShapeClaims, "claims" | "links">,
): void {
  const id = `${kind} ${shapes.narrow}`;
  const own = entryOf(to, id, () => ({ kind, ...shapes, claims: new Map(), links: new Map() }));
  addAll(own.claims, claims);
  addAll(own.links, links);
}

function addAll(to: Claims, claims: Claims): void {
  for (const [key, others] of claims) {
    const known = entryOf(to, key, () => new Set());
    for (const other of others) known.add(other);
  }
}
