/**
 * Holds a name, or `prefix*`, and the reason why it cannot name content. Names are compared without ASCII
 * case.
 */
export interface ListedName {
  readonly name: string;
  readonly evidence: string;
}

/**
 * Lists query parameters that only carry a session. `sid` is not among them: on real boards it names a
 * search.
 */
export const SESSION_PARAMS: readonly ListedName[] = [
  {
    name: "jsessionid",
    evidence: "Jakarta Servlet specification, 7.1.3: the name of the session id",
  },
  { name: "phpsessid", evidence: "PHP manual, session.name: the default name of the session id" },
  { name: "aspsessionid*", evidence: "Microsoft IIS: ASPSESSIONID and eight random letters" },
  { name: "_sessionid", evidence: "Apache Nutch, regex-normalize.xml: a session id by default" },
  { name: "bv_sessionid", evidence: "BroadVision One-To-One: the session id, BV_SessionID" },
];

/**
 * Names two parameters that are dropped if both are in one query. Evidence: Adobe ColdFusion, client
 * identification, which sets CFID and CFTOKEN together.
 */
export const SESSION_PAIR: readonly [string, string] = ["cfid", "cftoken"];

/**
 * Begins a session id that is a parameter of a path segment (Jakarta Servlet specification, 7.1.3).
 * It also ends a query value that is such a path.
 */
export const SESSION_PATH_PARAMETER = ";jsessionid=";

/**
 * Lists the letters, in lower case, that name the ids in a path segment `(A(…)S(…)F(…))`: one for an anonymous user, one
 * for a session, one for a login. Any of them may be missing (ASP.NET 2.0, cookieless features; `CookielessHelperClass`).
 */
export const SESSION_LETTERS = "asf";

/**
 * Describes the id that is a path segment `(…)` alone: 24 of these characters (ASP.NET 1.0, sessionState with
 * `cookieless`; `SessionId`).
 */
export const SESSION_ID = { length: 24, characters: "abcdefghijklmnopqrstuvwxyz012345" } as const;
