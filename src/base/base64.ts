/** Decodes Base64. Node decodes it natively; other platforms have `atob`. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  // In its own memory, not a piece of Node's pool: callers use its ArrayBuffer from 0 on.
  if (globalThis.Buffer !== undefined) return new Uint8Array(Buffer.from(text, "base64"));
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
