/** Fields of a record's header, besides its length. */
export type WarcFields = Readonly<Record<string, string>>;

/** A record of WARC as a byte string; `length` is what its header says instead of the content's. */
export function warcRecord(
  fields: WarcFields,
  content: string,
  length: number | string = content.length,
): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `WARC/1.0\r\n${lines.join("")}Content-Length: ${length}\r\n\r\n${content}\r\n\r\n`;
}

/** An HTTP response as a record of WARC. */
export function warcResponse(
  uri: string,
  content = "HTTP/1.1 200 OK\r\n\r\n",
  length?: number | string,
): string {
  const fields = {
    "WARC-Type": "response",
    "WARC-Target-URI": uri,
    "WARC-Record-ID": `<urn:${uri}>`,
    "Content-Type": "application/http; msgtype=response",
  };
  return warcRecord(fields, content, length);
}

/** The links of a page as a record of WAT. */
export function watRecord(uri: string, links: readonly string[], base?: string): string {
  const html = {
    Head: base === undefined ? {} : { Base: base },
    Links: links.map((url) => ({ path: "A@/href", url })),
  };
  const metadata = { "HTTP-Response-Metadata": { "HTML-Metadata": html } };
  return watJson(uri, JSON.stringify({ Envelope: { "Payload-Metadata": metadata } }));
}

/** A record of WAT with any content. */
export function watJson(uri: string, text: string): string {
  const fields = {
    "WARC-Type": "metadata",
    "WARC-Target-URI": uri,
    "WARC-Record-ID": `<urn:${uri}>`,
    "Content-Type": "application/json",
  };
  return warcRecord(fields, Buffer.from(text).toString("latin1"));
}
