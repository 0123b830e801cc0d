import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parquetWriteBuffer } from "hyparquet-writer";
import { beforeAll, expect, test } from "vitest";
import { tempFolder } from "../shared/temp-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = tempFolder();
/** Where someone unpacked an archive that brings a package of its own. */
const unpacked = join(folder, "unpacked");
const mark = join(folder, "somebody's code ran");
let tarball = "";

/** An environment in which npm installs to the temporary folder and nowhere else. */
const env = {
  ...process.env,
  NPM_CONFIG_PREFIX: join(folder, "global"),
  NPM_CONFIG_YES: "true",
  PATH: `${join(folder, "global/bin")}${delimiter}${process.env["PATH"]}`,
};

beforeAll(() => {
  const pack = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
  tarball = join(folder, execFileSync("npm", pack, { cwd: root, encoding: "utf8" }).trim());
  const planted = join(unpacked, "node_modules/hyparquet");
  mkdirSync(planted, { recursive: true });
  writeFileSync(join(planted, "package.json"), '{"main":"x.cjs"}');
  const code = `require("fs").writeFileSync(${JSON.stringify(mark)}, "")`;
  writeFileSync(join(planted, "x.cjs"), code);
  const columnData = [{ name: "url", data: ["HTTP://A/"], type: "STRING" as const }];
  writeFileSync(join(unpacked, "in.parquet"), Buffer.from(parquetWriteBuffer({ columnData })));
});

/** Runs a line of a shell in the unpacked archive. */
function shell(line: string): { status: number | null; stderr: string } {
  return spawnSync("sh", ["-c", line], { cwd: unpacked, env, encoding: "utf8" });
}

const RUN = "dedupe in.parquet -o out.parquet";

test.each([
  ["with npm i -g", () => `npm i -g ${tarball}`, () => "urlmill"],
  [
    "in a project",
    () =>
      `mkdir ../project && echo {} > ../project/package.json && npm i --prefix ../project ${tarball}`,
    () => "../project/node_modules/.bin/urlmill",
  ],
  ["with npx", () => "true", () => `npx -p ${tarball} urlmill`],
])("after an installation %s the line that is printed brings Parquet", (_, install, command) => {
  expect(shell(install())).toMatchObject({ status: 0 });
  const { status, stderr } = shell(`${command()} ${RUN}`);
  expect(status).toBe(1);
  const line = /Parquet needs extra packages: (.*)$/m.exec(stderr)?.[1] ?? stderr;
  // Until the package is in the registry, its tarball stands for it.
  const printed = line.replace("npx -p urlmill ", `npx -p ${tarball} `);
  const then = printed.startsWith("npx ")
    ? `${printed} ${RUN}`
    : `${printed} && ${command()} ${RUN}`;
  expect(shell(then)).toMatchObject({ status: 0 });
  expect(existsSync(join(unpacked, "out.parquet"))).toBe(true);
  rmSync(join(unpacked, "out.parquet"));
  expect(existsSync(mark)).toBe(false);
});
