import { splitParams } from "../../site-rules/apply/params.ts";
import { splitTarget } from "../site/nodes.ts";
import { scriptOf } from "../site/page-types.ts";
import { SELF, withClasses } from "../site/statements.ts";

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
