// Reads the messages of errors in options and files of rules from the TypeScript sources, for the Python package: each is
// written there, and only there.
import { readdirSync, readFileSync } from "node:fs";
import { parseAst } from "rolldown/parseAst";

/** What Python calls the texts of a function, in the order in which the function has them. */
const NAMES = {
  // src/options, src/compile
  badOption: ["bad_option"],
  resolveSite: ["not_for_a_site", "unknown_for_a_site"],
  checkOption: [null, "new_value"],
  checkNames: ["unknown"],
  hintFor: ["new_name"],
  compileScheme: ["schemes"],
  checkSchemes: ["allowed_scheme"],
  checkPatterns: ["one_set"],
  compileHostAliases: ["domain", "one_target"],
  compileLabel: ["one_label", "label_goes"],
  compileHost: ["host"],
  compileSite: ["pattern"],
  keptParams: ["no_keep_params"],
  compilePatterns: ["star_at_one_end"],
  compileDefaults: ["one_value"],
  compileFileNames: ["file_names"],
  compileParamName: ["name_not_empty", "name_without_equals"],
  compileParamValue: ["no_ampersand"],
  checkSlashRules: ["no_removal", "all_sites"],
  checkHostOptions: ["no_circle"],
  checkLabels: ["no_label"],
  checkHost: ["the_pattern", "this_option"],
  neverMatches: ["never_matches"],
  // src/site-rules
  dataLines: ["name_of_a_file", "header", "mark", "version"],
  parseAliases: ["alias_twice", "alias_overlap", "alias_of_alias"],
  parseAliasLine: ["alias_columns", "alias_url", "alias_of_itself"],
  urlsOf: ["alias_range"],
  levelOf: ["level"],
  parseTrustLine: ["trust_statement", "trust_shape"],
  parseSkipLine: ["skip_reason"],
  parseRules: ["exception_first"],
  parseLine: ["json"],
  parseRule: ["columns"],
  ruleFromJson: [null, "member", "texts"],
  exceptFromJson: ["except"],
  evidenceFromJson: ["evidence_object", "evidence_counts"],
  addUnless: ["unless", "unless_port", "max_unless"],
  unlessFromJson: ["unless_object"],
  ruleSite: ["address", "many_labels"],
  paramNames: ["any_bytes"],
  parseEvidence: ["evidence", "large_count", "counts"],
  addException: ["no_exceptions", "an_exception", "exception_twice", "max_exceptions"],
  findCircle: ["host_circle"],
  parseAction: ["action"],
  names: ["name_twice"],
  pair: ["pair"],
  nothing: ["takes_nothing"],
  only: ["takes"],
  replacement: ["replacement"],
  segment: ["segment"],
  otherSite: ["other_site"],
  siteName: ["site"],
  target: ["target"],
  checkRule: [
    "host_of_every_site",
    "host_of_domain",
    "same_host",
    "unwrap_of_every_site",
    "long_target",
  ],
  checkPath: ["new_path", "new_path_query"],
  checkDecrease: ["copied_twice", "longer", "as_long"],
  parseCondition: ["condition", "path_first"],
  parseTests: ["no_test", "absent_value"],
  paramName: ["name_missing", "name_of_parameter"],
  paramText: ["part_of_parameter"],
  unescapeText: ["backslash"],
  normalText: ["encoded"],
  checkTriplet: ["whole_triplet", "written_triplet"],
  checkDots: ["dots"],
  checkTarget: ["path_and_query"],
  never: ["never"],
  parsePattern: ["mark_of_pattern"],
  checkPattern: [
    "path_start",
    "text_start",
    "after_end",
    "after_rest",
    "between_marks",
    "fragment",
  ],
  checkPathPattern: ["mark_in_path", "more_than_path"],
  checkEndOfRun: ["end_of_run"],
  checkStartOfRuns: ["start_of_run"],
  parseTemplate: [null, "mark_of_template", "no_capture"],
  tooMany: ["too_many"],
};

/** Returns the messages by their names in Python, with `{0}`, `{1}` for what they show. */
export function pythonMessages() {
  const found = new Map();
  for (const folder of ["options", "compile", "site-rules"]) {
    const url = new URL(`../src/${folder}/`, import.meta.url);
    for (const file of readdirSync(url, { recursive: true })) {
      if (!file.endsWith(".ts")) continue;
      const code = readFileSync(new URL(file, url), "utf8");
      for (const [name, body] of functionsOf(parseAst(code, { lang: "ts" }))) {
        const texts = textsOf(body, code);
        if (texts.length > 0) found.set(name, [...(found.get(name) ?? []), ...texts]);
      }
    }
  }
  return Object.fromEntries(
    Object.entries(NAMES).flatMap(([name, names]) => {
      const texts = found.get(name) ?? [];
      if (texts.length !== names.length) {
        const has = `the function ${name} has ${texts.length} texts, and tools/python-messages.mjs names ${names.length}`;
        throw new Error(`${has}: ${JSON.stringify(texts)}`);
      }
      return names.map((each, index) => [each, texts[index]]).filter(([each]) => each !== null);
    }),
  );
}

/** Returns the name and the body of each function of a module, and of each method of its classes. */
function functionsOf(program) {
  return program.body
    .map((statement) => statement.declaration ?? statement)
    .flatMap((declaration) => {
      if (declaration.type === "FunctionDeclaration")
        return [[declaration.id.name, declaration.body]];
      if (declaration.type !== "ClassDeclaration") return [];
      const methods = declaration.body.body.filter(({ type }) => type === "MethodDefinition");
      return methods.map(({ key, value }) => [key.name, value.body]);
    });
}

/** Returns the texts of two or more words in a syntax tree. */
function textsOf(node, code) {
  if (typeof node !== "object" || node === null) return [];
  const inside = Object.values(node).flatMap((child) => textsOf(child, code));
  const text = node.quasis?.map(({ value }) => value.cooked) ?? [node.value];
  if (!["Literal", "TemplateLiteral"].includes(node.type) || typeof text[0] !== "string")
    return inside;
  if (!/\w.* | .*\w/.test(text.join(""))) return inside;
  const shown = (node.expressions ?? []).map(({ start, end }) => code.slice(start, end));
  const places = [...new Set(shown)];
  const format = text.map((piece, index) => {
    const after = index < shown.length ? `{${places.indexOf(shown[index])}}` : "";
    return piece.replace(/[{}]/g, "$&$&") + after;
  });
  return [format.join(""), ...inside];
}
