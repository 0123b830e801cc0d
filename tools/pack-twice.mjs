// Builds and packs the package twice and compares the two: equal sources must give equal bytes. Leaves the
// tarball in build/pack.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "build/pack/");

/**
 * Packs the package, which builds it first. Returns the file's name and hash, and the bytes it unpacks to.
 */
function pack() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const args = ["pack", "--json", "--pack-destination", folder];
  const printed = execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio: "pipe" });
  // The output of the build comes first.
  const [{ filename, unpackedSize, files }] = JSON.parse(
    printed.slice(printed.indexOf("\n[\n") + 1),
  );
  const hash = createHash("sha256")
    .update(readFileSync(folder + filename))
    .digest("hex");
  return { filename, unpackedSize, files: files.length, hash };
}

const first = pack();
const second = pack();
console.log(
  `${first.filename}: ${first.unpackedSize} bytes in ${first.files} files, sha256 ${first.hash}`,
);
if (first.hash !== second.hash) {
  console.error(
    `packed again it is ${second.hash}: something in the build depends on when or where it runs`,
  );
  process.exitCode = 1;
}
