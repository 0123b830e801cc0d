/*
 * Code that reads URLs in JavaScript, and code that few options need. A platform that can load a file in the
 * middle of a call loads this file when it is first needed (platform/). So no other file of the core imports
 * it.
 */
export { JsEngine } from "./engine/js/engine.ts";
export { writeRow } from "./engine/js/row.ts";
export { appliedRules, explain } from "./explain/explain.ts";
export { checkHostOptions } from "./options/check-host-options.ts";
export { restAliases } from "./options/rest-aliases.ts";
export { decodePlan } from "./plan/decode.ts";
export { writeSiteRules } from "./plan/encode-rules.ts";
export { parseAliases } from "./site-rules/aliases/alias-file.ts";
export { parseRules } from "./site-rules/language/rule-file.ts";
export { toSurt } from "./surt.ts";
export { lowerCase, urlByteString } from "./url/bytes.ts";
export { endsInNumber } from "./url/ipv4.ts";
export { normalHost } from "./url/normal-host.ts";
export { writtenInPath, writtenInQuery } from "./url/written.ts";
