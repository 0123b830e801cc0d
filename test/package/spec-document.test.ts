import { expect, test } from "vitest";
import {
  type Column,
  type Normalizer,
  Status,
  statusName,
  type UrlmillError,
} from "../../src/index.ts";
import { describeEngines } from "../shared/engines.ts";
import {
  codeSpans,
  readExamples,
  SPEC_TEXT,
  type SpecExample,
  tableOf,
} from "../shared/spec-document.ts";

const examples = readExamples(SPEC_TEXT);
const headings = [...new Set(examples.map(({ heading }) => heading))];

test("docs/spec.md has examples", () => {
  expect(examples.length).toBeGreaterThan(200);
});

describeEngines("docs/spec.md", (create) => {
  test.each(headings)('its examples under "%s" tell what happens', (heading) => {
    for (const example of examples.filter((each) => each.heading === heading)) {
      const normalizer = create(example.options);
      const [result, offset] = isError(example.output)
        ? findError(normalizer, example)
        : [findUrl(normalizer, example), null];
      expect([example.row, result]).toEqual([example.row, example.output]);
      if (example.offset !== null)
        expect([example.row, offset]).toEqual([example.row, example.offset]);
    }
  });
});

function isError(output: string): boolean {
  return Object.hasOwn(Status, output);
}

/** The URL that comes out, and comes out again. */
function findUrl(normalizer: Normalizer, { input, base }: SpecExample): string {
  const options = base === null ? {} : { base: Buffer.from(base).toString() };
  const { data } = normalizer.normalizeColumn(columnOf(input), options);
  const url = Buffer.from(data).toString();
  return normalizer.tryNormalize(url).status === Status.UNCHANGED ? url : `${url} changes again`;
}

/** The code and the offset of an error. */
function findError(normalizer: Normalizer, { input, base }: SpecExample): [string, number] {
  const { status } = normalizer.normalizeColumn(columnOf(input));
  try {
    normalizer.normalize(
      Buffer.from(input).toString(),
      base === null ? undefined : Buffer.from(base).toString(),
    );
  } catch (error) {
    const { code, offset } = error as UrlmillError;
    return base === null ? [statusName(status[0] as number), offset] : [code, offset];
  }
  return ["no error", -1];
}

function columnOf(input: Uint8Array): Column {
  return { data: input, offsets: Int32Array.of(0, input.length) };
}

describeEngines("the table of docs/spec.md 3 of what a component allows", (create) => {
  const PLACES: Readonly<Record<string, readonly [string, string, string]>> = {
    userinfo: ["http://", "@h/", "/?#\\@:"],
    path: ["http://h/", "", "/?#\\"],
    "query of a special scheme": ["http://h/?", "", "#"],
    "query of another scheme": ["x://h/?", "", "#"],
    fragment: ["http://h/#", "", ""],
  };

  test.each(tableOf("component", "allows").rows)(
    "is what normalizers leave in the $component",
    ({ component = "", allows = "" }) => {
      const [before, after, delimiters] = PLACES[component] as readonly [string, string, string];
      const allowed = new Set(codeSpans(allows)[0]);
      const normalizer = create();
      for (let code = 0; code < 0x80; code++) {
        const character = String.fromCharCode(code);
        if ("\t\n\r%".includes(character) || delimiters.includes(character)) continue;
        const isAllowed = /[A-Za-z0-9]/.test(character) || allowed.has(character);
        const triplet = `%${code.toString(16).toUpperCase().padStart(2, "0")}`;
        const written = `${before}x${isAllowed ? character : triplet}x${after}`;
        expect(normalizer.normalize(`${before}x${character}x${after}`)).toBe(written);
      }
    },
  );
});
