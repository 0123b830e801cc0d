import { existsSync } from "node:fs";
import { isHere } from "./tools.ts";

/** The Chromium of this machine, or undefined; `CHROMIUM` names another path. */
export const CHROMIUM = [
  process.env["CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && existsSync(path));
isHere("Chromium", CHROMIUM !== undefined);
