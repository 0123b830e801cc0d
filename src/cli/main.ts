#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { UrlmillError } from "../errors.ts";
import { runDedupe } from "./dedupe.ts";
import { CommandFailure } from "./failure.ts";
import { HELP, USAGE } from "./help.ts";
import { runNormalize } from "./normalize.ts";
import { readOptions } from "./options.ts";

const COMMANDS = { normalize: runNormalize, dedupe: runDedupe };

async function main([command, ...args]: string[]): Promise<void> {
  if (command === undefined) throw new CommandFailure(`which command?\n\n${USAGE}`, 2);
  if (command === "--help" || command === "-h" || command === "help") {
    process.stdout.write(USAGE);
  } else if (command === "--version" || command === "-V") {
    process.stdout.write(`${version()}\n`);
  } else if (command === "normalize" || command === "dedupe") {
    const options = readOptions(command, args);
    if (options.help) process.stdout.write(HELP[command]);
    else await COMMANDS[command](options);
  } else {
    throw new CommandFailure(`there is no command "${command}"; see urlmill --help`, 2);
  }
}

function version(): string {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof CommandFailure) {
    process.stderr.write(`urlmill: ${error.message.trimEnd()}\n`);
    process.exitCode = error.exitCode;
  } else if (error instanceof UrlmillError) {
    process.stderr.write(`urlmill: ${error.message}\n`);
    process.exitCode = 2;
  } else {
    throw error;
  }
}
