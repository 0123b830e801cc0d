import { entryOf } from "../../base/tallies.ts";
import { believedDeclarations, declaredPages, fingerprintPages, type Known } from "./known.ts";
import type { Nodes } from "./nodes.ts";
import { type PageTypes, pageTypesOf } from "./page-types.ts";
import type { Pages } from "./pages.ts";
import { type SlashHabit, slashHabitOf } from "./slash-habit.ts";
import { withoutSoftErrors } from "./soft-errors.ts";

/** Holds what rules are mined and counted on: URLs of a site and what is known of their pages. */
export interface Stage {
  readonly name: string;
  /** Holds the URLs of the site, or what selected rules made of them. */
  readonly nodes: Nodes;
  /** Holds the pages by fingerprints. */
  readonly pages: Pages;
  /** Holds the pages by what the site declares. */
  readonly declared: Pages;
  readonly types: PageTypes;
  /** Says what the site declares of slashes at the end of paths. */
  readonly slashes: SlashHabit;
}

const stages = new WeakMap<Known, Stage>();

/** Returns the stage that a site begins with: its URLs as records have them. It is built once. */
export function firstStage(name: string, nodes: Nodes, known: Known): Stage {
  return entryOf(stages, known, () => stageOf(name, nodes, known));
}

function stageOf(name: string, nodes: Nodes, known: Known): Stage {
  const pages = withoutSoftErrors(fingerprintPages(known), nodes);
  const declared = believedDeclarations(known.declared, pages);
  return {
    name,
    nodes,
    pages,
    declared: declaredPages({ ...known, declared }, pages.page),
    types: pageTypesOf(nodes),
    slashes: slashHabitOf(nodes, known),
  };
}
