import { writeDomainHost } from "../../url/host/host.ts";
import type { Action } from "../rule.ts";
import { badRule } from "./bad-rule.ts";
import { paramName, paramText, writeName } from "./condition-text.ts";
import { splitEscaped, unescapeText } from "./escape.ts";
import { checkDots, normalText, QUERY_BYTES } from "./normal-text.ts";
import { capturesOf, parsePattern, parseTemplate, writePattern, writeTemplate } from "./pattern.ts";

type Read = (text: string, site: string) => Action;

const READERS: Readonly<Record<Action["type"], Read>> = {
  drop: (text) => ({ type: "drop", params: names(text) }),
  keep: (text) => ({ type: "keep", params: text === "" ? [] : names(text) }),
  dropif: (text) => ({ type: "dropif", ...pair(text) }),
  set: (text) => ({ type: "set", ...pair(text) }),
  sort: (text) => nothing(text, { type: "sort" }),
  sub: (text) => replacement(text, "sub"),
  path: (text) => replacement(text, "path"),
  cut: (text) => ({ type: "cut", segment: segment(text) }),
  lower: (text) => only(text, "path", { type: "lower" }),
  host: (text, site) => ({ type: "host", to: otherSite(text, site) }),
  scheme: (text) => only(text, "https", { type: "scheme", to: "https" }),
  sink: (text) => ({ type: "sink", target: target(text) }),
  slash: (text) => only(text, "path", { type: "slash" }),
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
      return `${action.type} ${action.params.map(writeName).join(",")}`.trimEnd();
    case "dropif":
    case "set":
      return `${action.type} ${writeName(action.param)}=${action.value}`;
    case "sub":
    case "path":
      return `${action.type} ${writePattern(action.from)} => ${writeTemplate(action.to)}`.trimEnd();
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

function names(text: string): string[] {
  const read = splitEscaped(text, ",").map(paramName);
  if (new Set(read).size < read.length) throw badRule(`"${text}" names a parameter twice`);
  return read;
}

function pair(text: string): { param: string; value: string } {
  const [name = "", ...values] = splitEscaped(text, "=");
  if (values.length === 0) throw badRule(`"${text}" is not name=value`);
  return { param: paramName(name), value: paramText(values.join("=")) };
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
  if (from !== site || rest.length > 0) {
    throw badRule(`host takes ${site} => B, not "${text}"`);
  }
  return siteName(to);
}

const LARGEST_PORT = 65_535;

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
