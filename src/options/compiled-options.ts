import type { PageAlias } from "../site-rules/aliases/alias-file.ts";
import type { Rule } from "../site-rules/rule.ts";
import type { Choices, DefaultScheme } from "./catalog.generated.ts";

/** Holds everything that can be set for one site, with presets and defaults filled in. */
export interface Profile extends Choices {
  /**
   * Lists the file names, in lower case, to remove as the last path segment; they are compared
   * without ASCII case.
   */
  readonly directoryIndex: readonly string[];
  /** Lists the only names to keep, or is null for all; patterns are as in `dropParams`. */
  readonly keepParams: readonly string[] | null;
  /**
   * Lists the names to drop: `name`, `prefix*` or `*suffix`, in lower case if `paramCase` is
   * `ignore`.
   */
  readonly dropParams: readonly string[];
  /** Maps names to values: a parameter with that value is dropped. */
  readonly defaultParams: Readonly<Record<string, string>>;
}

/** Says which hosts a site's profile is for. */
export interface Site {
  /** Holds a host in normal form. */
  readonly host: string;
  /** Says whether its subdomains at any depth are meant too (`*.host`). */
  readonly subdomains: boolean;
  readonly profile: Profile;
}

/** Names the host to write instead of others. */
export interface Alias {
  /** Holds a host in normal form. */
  readonly host: string;
  /** Says whether only the hosts below it are meant, at any depth (`*.host`). */
  readonly below: boolean;
  /** Says whether `host` is a first label, which goes from all hosts that have it (`host.*`). The target is `*` then. */
  readonly isLabel: boolean;
  readonly target: string;
}

/** Holds compiled options, with all names as normalizing writes them. */
export interface CompiledOptions {
  /** Limits the length of a URL in bytes, before and after normalizing. */
  readonly maxLength: number;
  /** Holds the scheme for input without one, or "" if such input is an error. */
  readonly defaultScheme: DefaultScheme | "";
  /** Lists the schemes that pass, or is null if all do. */
  readonly schemes: readonly string[] | null;
  readonly hostAliases: readonly Alias[];
  readonly profile: Profile;
  readonly sites: readonly Site[];
  /** Holds rules by site, in their order. Those for every site are under `ANY_SITE`. */
  readonly siteRules: ReadonlyMap<string, readonly Rule[]>;
  /** Holds the aliases of URLs by site. */
  readonly pageAliases: ReadonlyMap<string, readonly PageAlias[]>;
}
