#!/usr/bin/env node
import { endUnexpectedly, runCommandLine } from "./command-line.ts";

try {
  process.exitCode = await runCommandLine(process.argv.slice(2));
} catch (error) {
  endUnexpectedly(error);
}
