#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { UrlmillError } from "../errors.ts";
import { IoError } from "../io/io-error.ts";
import { say, tell } from "../io/say.ts";
import { PRESET_NAMES, PRESETS, type PresetName } from "../options/presets.ts";
import { configSchema } from "../options/schema.ts";
import { UNICODE_VERSION } from "../url/idna/unicode-version.ts";
import { runExplain } from "./explain.ts";
import { CommandFailure } from "./failure.ts";
import { HELP, USAGE } from "./help.ts";
import { runHosts } from "./hosts/hosts.ts";
import { parseFlags, readOptions } from "./options.ts";
import { run } from "./run.ts";
import { writeText } from "./write-text.ts";

/** Errors of a run; those of a wrong call end with 2. */
const FAILURES = [
  "ENGINE_FAILED",
  "ENGINE_UNAVAILABLE",
  "WORKER_DIED",
  "SET_FULL",
  "BATCH_TOO_LARGE",
  "SEEN_MISMATCH",
  "SEEN_CORRUPT",
  "SEEN_LOCKED",
  "SEEN_FAILED",
];

async function main([command, ...args]: string[]): Promise<void> {
  switch (command) {
    case undefined:
      process.exitCode = 2;
      return tell(`urlmill: which command?\n\n${USAGE}`);
    case "-h":
    case "--help":
    case "help":
      return print(USAGE);
    case "-V":
    case "--version":
      return print(`${version()} (Unicode ${UNICODE_VERSION})\n`);
    case "normalize":
    case "dedupe": {
      const options = readOptions(command, args);
      if (options.help) return print(HELP[command]);
      return run(options, command === "dedupe");
    }
    case "explain":
      return (await runExplain(args)) ? print(HELP.explain) : undefined;
    case "learn": {
      // Others start faster without it.
      const { runLearn } = await import("./learn/learn.ts");
      const help = await runLearn(args);
      return help === null ? undefined : print(help);
    }
    case "hosts":
      return (await runHosts(args)) ? print(HELP.hosts) : undefined;
    case "presets":
      return print(showPresets(args));
    case "schema":
      return print(showSchema(args));
    default:
      throw new CommandFailure(`there is no command "${command}"; see urlmill --help`, 2);
  }
}

function print(text: string): Promise<void> {
  return writeText("-", [text]);
}

const HELP_FLAG = { help: { type: "boolean", short: "h" } } as const;

/** Returns each preset as a configuration file, or the one that is named. */
function showPresets(args: string[]): string {
  const { values, positionals } = parseFlags("presets", HELP_FLAG, args);
  if (values["help"] === true) return USAGE;
  const [name, another] = positionals;
  if (another !== undefined) throw new CommandFailure("presets takes one name, or none", 2);
  if (name !== undefined && !Object.hasOwn(PRESETS, name)) {
    throw new CommandFailure(`there is no preset "${name}": ${PRESET_NAMES.join(", ")}`, 2);
  }
  const shown = name === undefined ? PRESETS : PRESETS[name as PresetName];
  return `${JSON.stringify(shown, null, 2)}\n`;
}

/** Returns the JSON Schema of configuration files. */
function showSchema(args: string[]): string {
  const { values, positionals } = parseFlags("schema", HELP_FLAG, args);
  if (values["help"] === true) return USAGE;
  if (positionals.length > 0) throw new CommandFailure("schema takes no arguments", 2);
  return `${JSON.stringify(configSchema(), null, 2)}\n`;
}

function version(): string {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof CommandFailure) {
    say(error.message);
    process.exitCode = error.exitCode;
  } else if (error instanceof IoError) {
    say(error.message);
    process.exitCode = 1;
  } else if (error instanceof UrlmillError) {
    say(error.message);
    process.exitCode = FAILURES.includes(error.code) ? 1 : 2;
  } else {
    throw error;
  }
}
