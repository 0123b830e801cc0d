#!/usr/bin/env node
import { endByFault, manifest, runCommandLine } from "./command-line.ts";

try {
  process.exitCode = await runCommandLine(process.argv.slice(2));
} catch (error) {
  endByFault(error, manifest());
}
