import type { TokenizerCallbacks } from "htmlparser2";
import { peerError } from "../../base/peer.ts";

/** Gives an HTML page to a handler, token by token. Rejects with `PACKAGE_MISSING` without `htmlparser2`. */
export async function readTokens<Handler extends TokenizerCallbacks>(
  html: string,
  handler: Handler,
): Promise<Handler> {
  const { Tokenizer } = await loadHtmlparser();
  const tokenizer = new Tokenizer({}, handler);
  tokenizer.write(html);
  tokenizer.end();
  return handler;
}

async function loadHtmlparser(): Promise<typeof import("htmlparser2")> {
  try {
    return await import("htmlparser2");
  } catch (error) {
    throw peerError(error, "htmlparser2", "PACKAGE_MISSING");
  }
}
