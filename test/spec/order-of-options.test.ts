import { expect, test } from "vitest";
import { STAGES } from "../../src/options/stages.generated.ts";
import { describeEngines } from "../shared/engines.ts";

/** Lists the steps of options by stage, in the order of the catalog. Some apply in two stages. */
const ORDER: readonly string[] = Object.values(STAGES).flat();

// `explain` takes the steps of the JavaScript engine. Other tests hold the kernel to it, by results and by reasons.
describeEngines("options apply in the order of the catalog", (create) => {
  test("from the host to the fragment", () => {
    const n = create({
      hostAliases: { "alias.example": "www.a.example." },
      trailingDot: "remove",
      www: "remove",
      scheme: "https",
      explicitPort: "remove",
      userinfo: "remove",
      sessionIds: "remove",
      case: "lower-path-query",
      duplicateSlashes: "collapse",
      directoryIndex: true,
      trailingSlash: "remove",
      dropParams: ["drop"],
      trackingParams: "remove",
      defaultParams: { page: "1" },
      emptyParams: "remove",
      emptyValues: "remove",
      repeatedParams: "first",
      sortQuery: "name",
      fragment: "remove-text",
    });
    const { url, steps } = n.explain(
      "http://u@alias.example:8080/X;jsessionid=1//index.html" +
        "?PHPSESSID=1&Z=1&drop&utm_id=1&page=1&&b=&Z=2&a=1#utm_id=1:~:text=t",
    );
    expect(url).toBe("https://a.example/x?a=1&z=1");
    const others = ["keepParams", "valuelessParams", "emptyQuery"];
    expect(steps.map(({ step }) => step)).toEqual(ORDER.filter((name) => !others.includes(name)));
  });

  test("in a query of which few parameters are kept, and some have no value", () => {
    const options = {
      case: "lower-path-query",
      keepParams: ["a", "b", "c"],
      dropParams: ["c"],
      valuelessParams: "add-equals",
      sortQuery: "name",
    } as const;
    const { url, steps } = create(options).explain("http://a.example/?B&A&c=1&d=2");
    expect(url).toBe("http://a.example/?a=&b=");
    const ofQuery = [...STAGES.params, ...STAGES.query];
    expect(steps.map(({ step }) => step)).toEqual(ofQuery.filter((name) => name in options));
  });
});
