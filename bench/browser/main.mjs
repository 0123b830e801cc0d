// Prints the table as a page in Chromium measures it, and takes a picture of the page. `npm run bench browser`

import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { rolldown } from "rolldown";

const root = new URL("../../", import.meta.url);
const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    rounds: { type: "string", default: "9" },
    picture: { type: "string", default: "build/bench-browser.png" },
  },
});
const path = (name) => fileURLToPath(new URL(name, root));

const build = await rolldown({
  input: path("bench/browser/page.ts"),
  platform: "browser",
  logLevel: "warn",
});
const { output } = await build.generate({ format: "esm" });
const files = new Map([
  ["/", ["text/html", readFileSync(path("bench/browser/index.html"))]],
  ["/urls.txt", ["text/plain", gunzipSync(readFileSync(path("test/fixtures/urls-50k.txt.gz")))]],
  ["/kernel.wasm", ["application/wasm", readFileSync(path("dist/kernel.wasm"))]],
  ...output.map(({ fileName, code }) => [`/${fileName}`, ["text/javascript", code]]),
]);
const server = createServer(({ url = "/" }, response) => {
  const file = files.get(url.split("?")[0]);
  if (file === undefined) return response.writeHead(404).end();
  // Isolated pages have finer clocks.
  response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
  response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
  response.setHeader("Content-Type", file[0]);
  response.end(file[1]);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

const browser = await chromium.launch({
  executablePath: ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
    existsSync,
  ),
  args: ["--no-sandbox"],
});
try {
  const page = await browser.newPage({ viewport: { width: 1100, height: 900 } });
  page.on("pageerror", (error) => {
    console.error(error);
    process.exitCode = 1;
  });
  const { port } = server.address();
  const query = new URLSearchParams({ only: values.only, rounds: values.rounds });
  await page.goto(`http://127.0.0.1:${port}/?${query}`);
  await page.getByText("Done.").waitFor({ timeout: 600_000 });
  console.log((await page.evaluate(() => globalThis.lines)).join("\n"));
  mkdirSync(path("build"), { recursive: true });
  await page.screenshot({ path: path(values.picture), fullPage: true });
  console.log(`\nPicture: ${values.picture}`);
} finally {
  await browser.close();
  server.close();
}
