// The documents in their order: the side bar of the site and the list of docs/README.md are made from it.

/** Lists the documents by groups: the file in docs, its name in lists, and what it is for. */
export const DOCUMENTS = [
  {
    title: "Start",
    pages: [
      [
        "getting-started.md",
        "Getting started",
        "from the first URL to a crawl that runs every day",
      ],
      ["options.md", "Options", "what each does, with examples; which preset sets it"],
      ["faq.md", "Questions", "what people ask first"],
    ],
  },
  {
    title: "Guides",
    pages: [
      ["cli.md", "Command line", "formats, memory, which record is kept, runs that end early"],
      ["crawlers.md", "Crawlers", "Crawlee, Playwright, Scrapy, a loop with `fetch`"],
      ["seen-sets.md", "Seen sets", "which URLs are new; in memory, on disk, in LMDB, in Redis"],
      ["learn.md", "Learning rules", "which query parameters of a site do not affect the page"],
      [
        "rules-by-hand.md",
        "Rules by hand",
        "recipes for what you know of a site, each with its output",
      ],
      [
        "learn-records.md",
        "Records of pages",
        "what learning reads, such as lists and access logs",
      ],
      [
        "learn-method.md",
        "How rules are learned",
        "evidence, aliases, how much rules remove and lose",
      ],
      ["lists.md", "Lists that others keep", "what ClearURLs, AdGuard and Brave do to your pages"],
      [
        "python-spark-duckdb-clickhouse.md",
        "Python, Spark, DuckDB, ClickHouse",
        "lists, tables and queries",
      ],
      ["java.md", "Java", "Spark, Nutch and Flink on the JVM"],
      ["go.md", "Go", "a module without cgo, a set of seen pages"],
      ["rust.md", "Rust", "a crate, a set of seen pages"],
      ["browsers-and-edge.md", "Browsers and the edge", "bundlers, Deno, Bun, workers"],
      ["archives.md", "Web archives", "keys of CDX files; sort and merge indexes"],
      ["scale.md", "Scale", "what a month of Common Crawl takes"],
    ],
  },
  {
    title: "Reference",
    pages: [
      ["api/README.md", "API", "every function, class and type, by entry point"],
      ["commands.md", "Commands and flags", "the help of each command"],
      ["spec.md", "Specification", "exactly what normalizing does, with examples that are tests"],
      ["kernel.md", "The kernel elsewhere", "WebAssembly in other runtimes"],
      ["performance.md", "Performance", "figures, with commands and misses"],
      ["platforms.md", "Platforms", "which systems are tested, and what differs there"],
      ["threat-model.md", "Threat model", "what hostile input can do, and what it cannot"],
      ["versions.md", "Versions", "what is public, what may change, how keys change"],
      ["dependencies.md", "Dependencies", "each package with its reason"],
    ],
  },
];
