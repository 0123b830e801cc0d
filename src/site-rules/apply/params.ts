/** Holds a parameter of a query with the `&` or `;` before it; the first has none. */
export interface Param {
  readonly name: string;
  /** Holds the value without its `=`; null if there is none. */
  readonly value: string | null;
  readonly separator: string;
}

/** Splits a query into its parameters. */
export function splitParams(query: string): Param[] {
  const params: Param[] = [];
  let start = 0;
  let separator = "";
  for (let at = 0; at <= query.length; at++) {
    const character = query[at];
    if (at < query.length && character !== "&" && character !== ";") continue;
    params.push(readParam(query.slice(start, at), separator));
    separator = character ?? "";
    start = at + 1;
  }
  return params;
}

function readParam(text: string, separator: string): Param {
  const equals = text.indexOf("=");
  if (equals < 0) return { name: text, value: null, separator };
  return { name: text.slice(0, equals), value: text.slice(equals + 1), separator };
}

/** Joins parameters to a query; returns null, so that no `?` stays, if none is left. */
export function joinParams(params: readonly Param[]): string | null {
  if (params.length === 0) return null;
  return params
    .map((param, index) => (index === 0 ? "" : param.separator) + textOf(param))
    .join("");
}

/** Returns the text of a parameter, without the separator before it. */
export function textOf({ name, value }: Param): string {
  return value === null ? name : `${name}=${value}`;
}

const NO_PARAMS: readonly Param[] = [];

/** Keeps the parameters of the query that was read last, so that it is split once. */
export class ParamsOfQuery {
  #query: string | null = null;
  #params = NO_PARAMS;

  of(query: string | null): readonly Param[] {
    if (query !== this.#query) {
      this.#query = query;
      this.#params = query === null ? NO_PARAMS : splitParams(query);
    }
    return this.#params;
  }
}
