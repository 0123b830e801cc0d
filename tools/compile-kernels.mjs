// Compiles modules of assembly/ by targets of asconfig.json, one after the other. The first one of a process takes five
// seconds besides, for the compiler itself. Each argument is a target and the files that it begins with: `lanes=index.ts,lanes.ts`.
import asc from "assemblyscript/asc";

for (const argument of process.argv.slice(2)) {
  const [target, names] = argument.split("=");
  const files = names.split(",").map((file) => `assembly/${file}`);
  const options = ["--config", "asconfig.json", "--target", target];
  const { error, stderr } = await asc.main([...files, ...options]);
  process.stderr.write(stderr.toString());
  if (error !== null) throw error;
}
