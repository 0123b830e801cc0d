import type { Condition, Pattern, Rule } from "../../site-rules/rule.ts";
import type { Nodes } from "../site/nodes.ts";
import { scriptOf } from "../site/page-types.ts";

/**
 * Holds what tells the software of a site by its URLs: the names of scripts, as `/viewtopic.php`, and
 * of parameters, as `?highlight`. Numbers and names that any software has are left out.
 */
export type Marks = ReadonlySet<string>;

/** Counts how much marks say: a script says as much as two parameters. */
export function weightOf(mark: string): number {
  return mark.startsWith("/") ? 2 : 1;
}

/** Returns the marks in the URLs of a site. */
export function marksOfSite({ names, paths }: Pick<Nodes, "names" | "paths">): Marks {
  const marks = new Set<string>();
  for (const name of names) addName(name, marks);
  for (const path of paths) addScript(path, marks);
  return marks;
}

/** Returns the marks that a rule names. */
export function marksOfRule({ condition, action }: Pick<Rule, "condition" | "action">): Marks {
  const marks = new Set<string>();
  addCondition(condition, marks);
  switch (action.type) {
    case "drop":
    case "keep":
      for (const name of action.params) addName(name, marks);
      break;
    case "dropif":
    case "set":
      addName(action.param, marks);
      break;
    case "sub":
    case "path":
      addPattern(action.from, marks);
      break;
    case "sink":
      addText(action.target, marks);
      break;
  }
  return marks;
}

function addCondition({ path, params }: Condition, marks: Set<string>): void {
  if (path !== null) addPattern(path, marks);
  // That a parameter is absent says nothing of the site's software.
  for (const { name, is } of params) if (is !== "absent") addName(name, marks);
}

function addPattern(pattern: Pattern, marks: Set<string>): void {
  for (const element of pattern) if (element.kind === "text") addText(element.text, marks);
}

/** Adds the scripts and the parameters in a part of a path and query. */
function addText(text: string, marks: Set<string>): void {
  for (const piece of text.split(/[/?&;]/)) {
    const equals = piece.indexOf("=");
    if (equals < 0) addScript(piece, marks);
    else addName(piece.slice(0, equals), marks);
  }
}

function addName(name: string, marks: Set<string>): void {
  if (/^[A-Za-z_][\w.[\]-]*$/.test(name)) marks.add(`?${name}`);
}

function addScript(path: string, marks: Set<string>): void {
  const script = scriptOf(path);
  if (script !== null && !/^(?:index|default)\./i.test(script)) marks.add(`/${script}`);
}
