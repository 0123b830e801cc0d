import { expect, test } from "vitest";
import { describeEngines } from "../shared/engines.ts";

describeEngines("directoryIndex", (create) => {
  test("compares names without regard to ASCII case", () => {
    const n = create({ directoryIndex: true });
    expect(n.normalize("http://a/b/INDEX.Html")).toBe("http://a/b/");
    expect(create({ directoryIndex: ["Start.ÄSP"] }).normalize("http://a/sTART.%C3%84sp")).toBe(
      "http://a/",
    );
  });

  test.each(
    "html htm shtml xhtml php php3 php4 php5 phtml asp aspx jsp jspa jspx jsf cfm cgi do".split(
      " ",
    ),
  )("has index.%s and default of that ending in its default list", (ending) => {
    const n = create({ directoryIndex: true });
    expect(n.normalize(`http://a/index.${ending}`)).toBe("http://a/");
    expect(n.normalize(`http://a/b/Default.${ending}?q`)).toBe("http://a/b/?q");
  });

  test("leaves names that only begin or end like one of the list", () => {
    const n = create({ directoryIndex: true });
    for (const path of ["index.html5", "myindex.html", "index", "index.html/"]) {
      expect(n.normalize(`http://a/${path}`)).toBe(`http://a/${path}`);
    }
  });
});

describeEngines("duplicateSlashes", (create) => {
  const n = create({ duplicateSlashes: "collapse" });

  test("keeps the // after a scheme inside the path", () => {
    const archived = "http://web.archive.org/web/2020/http://a/b";
    expect(n.normalize(archived)).toBe(archived);
    expect(n.normalize("http://a//x:https://b//c")).toBe("http://a/x:https://b/c");
    expect(n.normalize("http://a/ftp://")).toBe("http://a/ftp://");
  });

  test("leaves two slashes of more after such a scheme", () => {
    expect(n.normalize("http://a/http:////b///c")).toBe("http://a/http://b/c");
    expect(n.normalize("http://a/http:///")).toBe("http://a/http://");
  });

  test("collapses after a colon that does not end a scheme", () => {
    expect(n.normalize("http://a/12://b")).toBe("http://a/12:/b");
    expect(n.normalize("http://a/://b")).toBe("http://a/:/b");
    expect(n.normalize("http://a/%C3%A9://b")).toBe("http://a/%C3%A9:/b");
    expect(n.normalize("file:///C://b")).toBe("file:///C:/b");
  });
});

describeEngines("case", (create) => {
  const url = "http://a/B/%C3%89/%5BX?Id=A%2FB&é=É#F";

  test("stays by default", () => {
    expect(create().normalize(url)).toBe("http://a/B/%C3%89/%5BX?Id=A%2FB&%C3%A9=%C3%89#F");
  });

  test("lower-path makes ASCII letters of the path lower-case, never inside a triplet", () => {
    expect(create({ case: "lower-path" }).normalize(url)).toBe(
      "http://a/b/%C3%89/%5Bx?Id=A%2FB&%C3%A9=%C3%89#F",
    );
  });

  test("lower-path-query does the same to the query, before parameters are compared and sorted", () => {
    const n = create({ case: "lower-path-query" });
    expect(n.normalize(url)).toBe("http://a/b/%C3%89/%5Bx?id=a%2Fb&%C3%A9=%C3%89#F");
    const named = create({
      case: "lower-path-query",
      keepParams: ["ID", "Sort", "b"],
      defaultParams: { SORT: "ASC" },
      repeatedParams: "first",
      sortQuery: "name",
    });
    expect(named.normalize("http://a/?iD=2&B=1&Id=3&sort=Asc&c")).toBe("http://a/?b=1&id=2");
  });

  test("can be set for one site, and comes before the directory index", () => {
    const n = create({ sites: { "*.a.b": { case: "lower-path", directoryIndex: true } } });
    expect(n.normalize("http://x.a.b/Dir/INDEX.ASP?Q")).toBe("http://x.a.b/dir/?Q");
    expect(n.normalize("http://c.d/Dir/INDEX.ASP")).toBe("http://c.d/Dir/INDEX.ASP");
  });
});

describeEngines("sessionIds", (create) => {
  const n = create({ sessionIds: "remove" });

  test("removes ;jsessionid at the end of a query value", () => {
    expect(n.normalize("http://a/?u=/b;jsessionid=1F.node1&v=2")).toBe("http://a/?u=/b&v=2");
    expect(n.normalize("http://a/?u=x;JSESSIONID=1;jsessionid=2")).toBe("http://a/?u=x");
    expect(n.normalize("http://a/?u=;jsessionid=1")).toBe("http://a/?u=");
  });

  test("leaves ;jsessionid that does not end a query value", () => {
    for (const query of [
      "u=b;jsessionid=1;v=2",
      "u=;jsessionid=1/c",
      "u=;jsessionid=1?c",
      "u;jsessionid=1",
    ]) {
      expect(n.normalize(`http://a/?${query}`)).toBe(`http://a/?${query}`);
    }
  });

  test.each([
    "(S(lit3py55t21z5v55vlm25s55))",
    "(A(x)S(1_2-3)F(Z))",
    "(f(x)a(y))",
    "(F(Ab-_9))",
    "(lit3py55t21z5v55vlm25s55)",
    "(abcdefghijklmnopqrstuvwx)",
    "(yz0123450123450123450123)",
  ])("removes the session ids %s of ASP.NET", (segment) => {
    expect(n.normalize(`http://a/${segment}/b`)).toBe("http://a/b");
    expect(n.normalize(`http://a/b/${segment}`)).toBe("http://a/b/");
    // Beside one that goes, so that each segment is looked at.
    for (const other of [`x${segment.slice(1)}`, `${segment.slice(0, -1)}x`]) {
      expect(n.normalize(`http://a/${segment}/${other}/b`)).toBe(`http://a/${other}/b`);
    }
  });

  test("finds ids of ASP.NET in any case if the path becomes lower-case", () => {
    const lower = create({ sessionIds: "remove", case: "lower-path" });
    for (const id of ["LIT3PY55T21Z5V55VLM25S55", "Lit3py55t21z5v55vlm25s55"]) {
      expect(lower.normalize(`http://a/(${id})/B`)).toBe("http://a/b");
      expect(lower.normalize(`http://a/b/(${id})`)).toBe("http://a/b/");
    }
    expect(lower.normalize("http://a/(LIT3PY55T21Z5V55VLM25S56)")).toBe(
      "http://a/(lit3py55t21z5v55vlm25s56)",
    );
  });

  test("removes the path segment (S(…)) of ASP.NET", () => {
    expect(n.normalize("http://a/(S(lit3py55t21z5v55vlm25s55))/orders.aspx")).toBe(
      "http://a/orders.aspx",
    );
    expect(n.normalize("http://a/b/(s(X1))")).toBe("http://a/b/");
    expect(n.normalize("http://a/(S(1))")).toBe("http://a/");
    expect(n.normalize("http://a/b/(S(1));jsessionid=2/(S(3))/..;jsessionid=4/c")).toBe(
      "http://a/c",
    );
  });

  test("finds ;jsessionid after other semicolons", () => {
    for (const before of ["", ";", ";;", ";x", ";x;", ";jsessionid"]) {
      expect(n.normalize(`http://a/b${before};jsessionid=1`)).toBe(`http://a/b${before}`);
    }
  });

  test("leaves other segments in parentheses", () => {
    for (const path of [
      "(S())",
      "(S(a b))",
      "(a)",
      "(S(1))x",
      "x(S(1))",
      "(T(1))",
      "S(1)",
      "(S(1)",
      "(S(1)S())",
      "(S(1)x)",
      "(S(1),S(2))",
      "(S(1)B(2))",
      "(Sx1))",
      "(S(1)Sx2))",
      "()",
      "(S)",
      "(film)",
      "(lit3py55t21z5v55vlm25s5)",
      "(lit3py55t21z5v55vlm25s555)",
      "(lit3py55t21z5v55vlm25s56)",
      "(Lit3py55t21z5v55vlm25s55)",
      "(lit3py55t21z5v55vlm25s5-)",
    ]) {
      const url = `http://a/${path.replace(" ", "%20")}/b`;
      expect(n.normalize(url)).toBe(url);
    }
    expect(n.normalize("file:///(S(1))/b")).toBe("file:///(S(1))/b");
  });

  test("removes _sessionid and BV_SessionID", () => {
    expect(n.normalize("http://a/?_sessionid=1&BV_SessionID=2&sid=3")).toBe("http://a/?sid=3");
  });

  test("sees CFID and CFTOKEN as a pair even where another rule drops one of them", () => {
    const each = create({ preset: "crawl", dropParams: ["CFID"] });
    expect(each.normalize("http://a/?CFID=1&cftoken=2&q")).toBe("http://a/?q");
    expect(each.normalize("http://a/?cftoken=2&q")).toBe("http://a/?cftoken=2&q");
  });

  test("works on lines and in batches as on single URLs", () => {
    const rows = ["http://a/(S(1))/b", "http://a/b_(c)/(d)", "http://a/?u=x;jsessionid=1&w"];
    const written = ["http://a/b", "http://a/b_(c)/(d)", "http://a/?u=x&w"];
    for (const each of [n, create({ preset: "crawl" })]) {
      expect(each.normalizeBatch(rows).urls).toEqual(written);
      const { bytes } = each.normalizeLines(new TextEncoder().encode(`${rows.join("\n")}\n`));
      expect(new TextDecoder().decode(bytes)).toBe(`${written.join("\n")}\n`);
    }
  });
});

describeEngines("trackingParams", (create) => {
  test("removes xtor, sms_ss and awesm", () => {
    const n = create({ trackingParams: "remove" });
    expect(n.normalize("http://a/?xtor=RSS-1&sms_ss=x&q&awesm=y")).toBe("http://a/?q");
  });
});
