/** Session ids at the end of a parameter, with the bytes that such an end has at most. */
const SESSIONS: readonly (readonly [RegExp, number])[] = [
  [/jsessionid=[0-9a-z]{32}$/i, 43],
  [/phpsessid=[0-9a-z]{32}$/i, 42],
  [/sid=[0-9a-z]{32}$/i, 36],
  [/aspsessionid[a-z]{8}=[a-z]{24}$/i, 45],
];
const CFTOKEN = /^cftoken=./i;

/** Writes the query of a key, without the `?`. `text`: the query, escaped. */
export function writeQuery(text: string): string {
  let kept = text;
  for (const [session, length] of SESSIONS) kept = withoutSession(kept, session, length);
  return sorted(withoutColdFusion(kept).toLowerCase());
}

/** Removes the last session id of one kind, and the `&` after it. The name may be the end of another one. */
function withoutSession(query: string, session: RegExp, length: number): string {
  for (let end = query.length; end >= 0; end = query.lastIndexOf("&", end - 1)) {
    const tail = query.slice(Math.max(0, end - length), end);
    const at = tail.search(session);
    if (at >= 0) return query.slice(0, end - tail.length + at) + query.slice(end + 1);
    if (end === 0) break;
  }
  return query;
}

/** Removes the last `cfid=…&cftoken=…`, and the `&` after it. */
function withoutColdFusion(query: string): string {
  const params = query.split("&");
  for (let index = params.length - 2; index >= 0; index--) {
    const param = params[index] as string;
    // A value of one byte at least comes after the name.
    const at = param.slice(0, -1).toLowerCase().lastIndexOf("cfid=");
    if (at < 0 || !CFTOKEN.test(params[index + 1] as string)) continue;
    const before = [...params.slice(0, index), param.slice(0, at)].join("&");
    return before + params.slice(index + 2).join("&");
  }
  return query;
}

/** Sorts parameters by name and value; one without `=` comes before one with an empty value. */
function sorted(query: string): string {
  if (query.length < 2) return query;
  return query
    .split("&")
    .map((param) => ({ param, key: param.replace("=", "\0=") }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ param }) => param)
    .join("&");
}
