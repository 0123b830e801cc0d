import type { Rule } from "../site-rules/rule.ts";
import type { Profile } from "./profile.ts";

/** Lists the special schemes that need a host, in the order of their numbers in the kernel. */
export const DEFAULT_SCHEMES = ["http", "https", "ws", "wss", "ftp"] as const;
/**
 * Names a scheme that `defaultScheme` can take: a special scheme of the URL Standard that needs a
 * host.
 */
export type DefaultScheme = (typeof DEFAULT_SCHEMES)[number];

/** Says which hosts a site's profile is for. */
export interface Site {
  /** A host in normal form. */
  readonly host: string;
  /** Whether its subdomains at any depth are meant as well (`*.host`). */
  readonly subdomains: boolean;
  readonly profile: Profile;
}

/** Names the host to write instead of others. */
export interface Alias {
  /** A host in normal form. */
  readonly host: string;
  /** Whether the hosts below it are meant, at any depth, and not itself (`*.host`). */
  readonly below: boolean;
  readonly target: string;
}

/** Holds what options compile to, with all names in the form that normalizing writes. */
export interface CompiledOptions {
  /** Longest URL in bytes, in and out. */
  readonly maxLength: number;
  /** Scheme put before input that has none, or "" for none. */
  readonly defaultScheme: DefaultScheme | "";
  /** Schemes that pass, or null for all. */
  readonly schemes: readonly string[] | null;
  readonly hostAliases: readonly Alias[];
  readonly profile: Profile;
  readonly sites: readonly Site[];
  /** Rules by site, in their order; those for every site under `ANY_SITE`. */
  readonly siteRules: ReadonlyMap<string, readonly Rule[]>;
}
