import { writeDomainHost } from "../../url/host/host.ts";
import { badRule } from "../data-lines.ts";
import { type Action, ANY_SITE, DOMAIN, isWhole, type Pattern } from "../rule.ts";
import { paramName, paramNames, paramText, writeName } from "./condition-text.ts";
import { checkDots, normalText, QUERY_BYTES, splitEscaped, unescapeText } from "./normal-text.ts";
import {
  capturesOf,
  parsePattern,
  parseTemplate,
  writePattern,
  writeTemplate,
  writeValuePattern,
} from "./pattern.ts";

type Read = (text: string, site: string) => Action;

const READERS: Readonly<Record<Action["type"], Read>> = {
  drop: (text) => {
    const { own, whole } = split(text);
    return { type: "drop", params: names(own), ...whole };
  },
  keep: (text) => {
    const { own, whole } = split(text);
    return { type: "keep", params: own === "" ? [] : names(own), ...whole };
  },
  dropif: (text) => {
    const { own, whole } = split(text);
    const { name, value } = pair(own);
    return { type: "dropif", param: paramNames(name), value: valueOrPattern(value), ...whole };
  },
  set: (text) => {
    const { name, value } = pair(text);
    return { type: "set", param: paramName(name), value: paramText(value) };
  },
  sort: (text) => nothing(text, { type: "sort" }),
  sub: (text) => replacement(text, "sub"),
  path: (text) => replacement(text, "path"),
  cut: (text) => ({ type: "cut", segment: segment(text) }),
  lower: (text) => only(text, "path", { type: "lower" }),
  host: (text, site) => ({ type: "host", to: otherSite(text, site) }),
  scheme: (text) => only(text, "https", { type: "scheme", to: "https" }),
  sink: (text) => ({ type: "sink", target: target(text) }),
  slash: (text) => only(text, "path", { type: "slash" }),
  unwrap: (text) => ({ type: "unwrap", params: names(text) }),
};

/** Reads the action `NAME ARGUMENTS` of a rule for `site`. Throws `BAD_RULES`. */
export function parseAction(text: string, site: string): Action {
  const space = text.indexOf(" ");
  const type = space < 0 ? text : text.slice(0, space);
  if (!Object.hasOwn(READERS, type)) {
    throw badRule(`there is no action "${type}": ${Object.keys(READERS).join(", ")}`);
  }
  return READERS[type as Action["type"]](space < 0 ? "" : text.slice(space + 1), site);
}

/** Writes an action as `parseAction` reads it. */
export function writeAction(action: Action, site: string): string {
  switch (action.type) {
    case "drop":
    case "keep":
      return `${typeOf(action)} ${action.params.map(writeName).join(",")}`.trimEnd();
    case "dropif":
    case "set": {
      const { value } = action;
      const written = typeof value === "string" ? value : writeValuePattern(value);
      return `${typeOf(action)} ${writeName(action.param)}=${written}`;
    }
    case "sub":
    case "path":
      return `${action.type} ${writePattern(action.from)} => ${writeTemplate(action.to)}`.trimEnd();
    case "unwrap":
      return `unwrap ${action.params.map(writeName).join(",")}`;
    case "cut":
      return `cut ${action.segment}`;
    case "lower":
      return "lower path";
    case "slash":
      return "slash path";
    case "host":
      return `host ${site} => ${action.to}`;
    case "sink":
      return `sink ${action.target}`;
    case "scheme":
      return "scheme https";
    case "sort":
      return "sort";
  }
}

/** Stands between an action and its names if it is for parameters between `&` alone. */
const WHOLE = "&";

function typeOf(action: Action): string {
  return isWhole(action) ? `${action.type} ${WHOLE}` : action.type;
}

/** Takes `WHOLE` from what follows an action. */
function split(text: string): { own: string; whole: { whole?: true } } {
  if (text === WHOLE) return { own: "", whole: { whole: true } };
  if (!text.startsWith(`${WHOLE} `)) return { own: text, whole: {} };
  return { own: text.slice(WHOLE.length + 1), whole: { whole: true } };
}

function names(text: string): string[] {
  const read = splitEscaped(text, ",").map(paramNames);
  if (new Set(read).size < read.length) throw badRule(`"${text}" names a parameter twice`);
  return read;
}

function pair(text: string): { name: string; value: string } {
  const [name = "", ...values] = splitEscaped(text, "=");
  if (values.length === 0) throw badRule(`"${text}" is not name=value`);
  return { name, value: values.join("=") };
}

/** Reads a value, or a pattern of values, which has a mark in `<` and `>`. */
function valueOrPattern(text: string): string | Pattern {
  if (!text.includes("<")) return paramText(text);
  const pattern = parsePattern(text, "value");
  for (const element of pattern) {
    if (element.kind === "text") paramText(element.text);
    if (element.kind === "rest") paramText(element.suffix);
  }
  return pattern;
}

function nothing(text: string, action: Action): Action {
  if (text !== "") throw badRule(`${action.type} takes no "${text}"`);
  return action;
}

function only(text: string, expected: string, action: Action): Action {
  if (text !== expected) throw badRule(`${action.type} takes "${expected}", not "${text}"`);
  return action;
}

function replacement(text: string, type: "sub" | "path"): Action {
  const [from, to, ...rest] = `${text} `.split(" => ");
  if (from === undefined || to === undefined || rest.length > 0) {
    throw badRule(`${type} takes A => B, not "${text}"`);
  }
  const pattern = parsePattern(from, type === "path" ? "path" : "substring");
  const template = parseTemplate(to.slice(0, -1), capturesOf(pattern).length);
  return { type, from: pattern, to: template };
}

function segment(text: string): string {
  const plain = unescapeText(text);
  if (/^$|^\.\.?$|[/?#]/.test(plain)) throw badRule(`"${text}" is not a path segment`);
  return plain;
}

function otherSite(text: string, site: string): string {
  const [from, to = "", ...rest] = text.split(" => ");
  // A rule for many sites cannot move them, whatever it names (check.ts).
  const isOne = site !== ANY_SITE && !site.startsWith(DOMAIN);
  if ((isOne && from !== site) || rest.length > 0) {
    throw badRule(`host takes ${site} => B, not "${text}"`);
  }
  return siteName(to);
}

const LARGEST_PORT = 65_535;
/** Limits the labels of a domain, and so the domains of one host that have rules. */
const MOST_LABELS = 32;

/**
 * Reads the site of a rule that is not for every site: a host as `siteName` reads it, or a domain `*.host`. Throws
 * `BAD_RULES` for any other text.
 */
export function ruleSite(text: string): string {
  if (!text.startsWith(DOMAIN)) return siteName(text);
  const host = siteName(text.slice(DOMAIN.length)).replace(/:\d+$/, "");
  if (/^\[|(?:^|\.)\d+$/.test(host)) throw badRule(`"${host}" is an address: no host is below it`);
  if (host.split(".").length > MOST_LABELS) {
    throw badRule(`"${host}" has more than ${MOST_LABELS} labels: name a domain above it`);
  }
  return text;
}

/**
 * Reads a site as a normalized URL names it: host, with `:port` unless the scheme implies it.
 * Throws `BAD_RULES` for any other text.
 */
export function siteName(text: string): string {
  const [port = ""] = /:[1-9]\d{0,4}$/.exec(text) ?? [];
  const host = text.slice(0, text.length - port.length);
  const isAscii = /^[!-~]+$/.test(host) && !/[/?#@\\*]/.test(host);
  const isPlain = isAscii && Number(port.slice(1)) <= LARGEST_PORT;
  if (!isPlain || writeDomainHost(host, 0, host.length) !== host) {
    throw badRule(`"${text}" is not a host of a normalized URL`);
  }
  return text;
}

function target(text: string): string {
  const plain = unescapeText(text);
  if (!plain.startsWith("/") || plain.includes("#")) {
    throw badRule(`sink takes a path and perhaps a query, not "${text}"`);
  }
  const [path = "", ...query] = plain.split("?");
  normalText(query.join("?"), QUERY_BYTES);
  checkDots(path, true);
  return plain;
}
