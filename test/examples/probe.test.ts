import { test } from "vitest";
import { expectProbed } from "../shared/asked-site.ts";

test("probe.mjs asks a site until it knows which URLs are one page, and obeys robots.txt", () =>
  expectProbed("probe.mjs"));
