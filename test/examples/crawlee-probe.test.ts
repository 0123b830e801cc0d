// At full length only: probe.test.ts asks the same site in short runs, and Crawlee takes seconds to start.

import { test } from "vitest";
import { expectProbed } from "../shared/asked-site.ts";

test("crawlee-probe.mjs asks a site until it knows which URLs are one page, and obeys robots.txt", () =>
  expectProbed("crawlee-probe.mjs"));
