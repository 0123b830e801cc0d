import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

/** A folder that is served on this machine. */
export interface ServedFolder {
  /** Gives the address of the folder, with a slash at its end. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the files of a folder as any static server does, and 404 for what is not there. */
export async function serveFolder(folder: string): Promise<ServedFolder> {
  const server = createServer(async ({ url = "/" }, response) => {
    const { pathname } = new URL(url, "http://localhost");
    const path = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    const file = join(folder, decodeURIComponent(path));
    const body = await readFile(file).catch(() => null);
    response.writeHead(body === null ? 404 : 200, {
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
    });
    response.end(body ?? "not found");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}
