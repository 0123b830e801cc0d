/*
 * Code that reads URLs in JavaScript, and code that few options need. A platform that can load a file in the
 * middle of a call loads this file when it is first needed (platform/). So no other file of the core imports
 * it.
 */

export { checkHostOptions } from "../compile/check-host-options.ts";
export { normalizeAliases } from "../compile/normalize-aliases.ts";
export { appliedRules, explain } from "../engine/explain/explain.ts";
export { JsEngine } from "../engine/js/engine.ts";
export { rowInForm, urlkeyOf, writeBase } from "../engine/js/row.ts";
export { toSurt } from "../normalizer/surt.ts";
export { decodePlan } from "../plan/decode/decode.ts";
export { writeSiteRules } from "../plan/encode/encode-rules.ts";
export { parseAliases } from "../site-rules/aliases/alias-file.ts";
export { parseRules } from "../site-rules/language/rule-file.ts";
export { lowerCase, urlByteString } from "../url/bytes.ts";
export { endsInNumber } from "../url/host/ipv4.ts";
export { normalHost, writtenInPath, writtenInQuery } from "../url/written.ts";
