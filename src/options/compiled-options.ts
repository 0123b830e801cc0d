import type { PageAlias } from "../site-rules/aliases/page-alias.ts";
import type { Rule } from "../site-rules/rule.ts";
import type { DefaultScheme } from "./catalog.generated.ts";
import type { Profile } from "./profile.ts";

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
  readonly target: string;
}

/** Holds compiled options, with all names as normalizing writes them. */
export interface CompiledOptions {
  /** Limits the length of a URL in bytes, before and after normalizing. */
  readonly maxLength: number;
  /** Holds the scheme for input without one, or "" for none. */
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
