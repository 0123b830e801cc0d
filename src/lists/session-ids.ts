/** A name, or `prefix*`, and why it can name no content. Compared without ASCII case. */
export interface ListedName {
  readonly name: string;
  readonly evidence: string;
}

/**
 * Query parameters that carry a session and nothing else. `sid` is not among them: on real boards it
 * names a search.
 */
export const SESSION_PARAMS: readonly ListedName[] = [
  {
    name: "jsessionid",
    evidence: "Jakarta Servlet specification, 7.1.3: the name of the session id",
  },
  { name: "phpsessid", evidence: "PHP manual, session.name: the default name of the session id" },
  { name: "aspsessionid*", evidence: "Microsoft IIS: ASPSESSIONID and eight random letters" },
];

/**
 * Dropped where both stand in one query. Evidence: Adobe ColdFusion, client identification, which sets
 * CFID and CFTOKEN together.
 */
export const SESSION_PAIR: readonly [string, string] = ["cfid", "cftoken"];

/** Jakarta Servlet specification, 7.1.3: the session id as a parameter of a path segment. */
export const SESSION_PATH_PARAMETER = ";jsessionid=";
