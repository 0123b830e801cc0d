import { GATES } from "../select/gates.ts";
import { type Shapes, shapesOf } from "./shape.ts";
import { SELF } from "./statements.ts";

/** Holds, for each key, the keys whose pages say that they are its page. */
export type Claims = Map<string, Set<string>>;

/** Holds the claims of statements of one shape. */
export interface Shape {
  readonly name: string;
  readonly kind: string;
  readonly claims: Claims;
}

/** Gathers claims by the shape of the statements that make them. */
export class ClaimsByShape {
  readonly #pageOf: ReadonlyMap<string, number>;
  readonly #shapes = new Map<string, Shape & { readonly wide: string }>();
  readonly #known = new Map<string, Shapes>();

  /** Takes the pages of keys, as far as they are known. */
  constructor(pageOf: ReadonlyMap<string, number>) {
    this.#pageOf = pageOf;
  }

  /** Adds that a statement of this kind about a target claims a key for the page of another. */
  add(target: string, kind: string, key: string, by: string): void {
    const { narrow, wide } = this.#shapesOf(target, kind);
    const { claims } = this.#shapes.get(narrow) ?? { claims: new Map() };
    this.#shapes.set(narrow, { name: narrow, kind, wide, claims });
    addClaim(claims, key, by);
  }

  /** Yields each shape. Narrow ones of few known pages are judged as a wide one. */
  *all(): Generator<Shape> {
    const pooled = new Map<string, Claims>();
    for (const shape of this.#shapes.values()) {
      const { kind, wide, claims } = shape;
      if (!kind.startsWith(SELF) || this.#hasEnough(claims)) yield shape;
      else {
        const pool = pooled.get(wide) ?? new Map();
        pooled.set(wide, pool);
        for (const [key, claimants] of claims) for (const by of claimants) addClaim(pool, key, by);
      }
    }
    for (const [name, claims] of pooled) yield { name, kind: SELF, claims };
  }

  /** Returns whether the known pages are as many as evidence needs. */
  #hasEnough(claims: Claims): boolean {
    const pages = new Set<number>();
    for (const [key, claimants] of claims) {
      if (!this.#pageOf.has(key)) continue;
      for (const by of claimants) pages.add(this.#pageOf.get(by) as number);
      if (pages.size >= GATES.classes) return true;
    }
    return false;
  }

  #shapesOf(target: string, kind: string): Shapes {
    const id = `${kind} ${target}`;
    const known = this.#known.get(id) ?? shapesOf(target, kind);
    this.#known.set(id, known);
    return known;
  }
}

function addClaim(claims: Claims, key: string, by: string): void {
  const claimants = claims.get(key);
  if (claimants === undefined) claims.set(key, new Set([by]));
  else claimants.add(by);
}
