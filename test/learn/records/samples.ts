import type { RecordFormat } from "../../../src/learn/records/format.ts";

/** A few lines of each format as its tools write them, with what is beyond ASCII where it may be. */
export const SAMPLES: Record<RecordFormat, string> = {
  lines: "# seeds\nhttp://example.org/\n\nhttp://example.org/caf\u00e9?\u20ac\nexample.org/x\n",
  tsv: [
    "url\tsize\traw\ttext\tcluster\tnsh",
    "http://www.aesidau.com/\t108234\tb8f46bdf1f72cea0\td69285dcc00d879b\t0\t7032",
    "http://www.aesidau.com/?p=1\t47865\ta992e245e691c699\t\t\t132",
    "http://www.aesidau.com/\u00fc\t24\tec8eaa19386513ba\t\t3\t-1",
    "",
  ].join("\n"),
  TabSeparated: [
    "size\\n\turl\ttext",
    "108234\thttp://www.aesidau.com/it\\'s\t\\N",
    "24\thttp://www.aesidau.com/\u00fc\\x61\td69285dcc00d879b",
    "",
  ].join("\n"),
  TSVRaw: "size\turl\n12\thttp:\\\\www.aesidau.com\\b\n",
  csv: [
    "size,url,fp",
    '12,"http://example.org/a,b",text:x',
    '"13","http://example.org/\u00e9","cls:a ""b"""',
    "14,http://example.org/c,",
    "",
  ].join("\n"),
  jsonl: [
    '{"url":"http://example.org/a","fp":"text:d69285dc","size":12,"status":200}',
    '{"url":"http://example.org/\u00e9","redirect":"/b","canonical":null,"ts":"2020"}',
    "",
  ].join("\n"),
  cdx: [
    " CDX N b a m s k r M S V g",
    "au,gov,financeminister)/ 20150914222034 http://www.financeminister.gov.au/ text/html 200 ZMSA5TNJUKKRYAIM5PRUJLL24DV7QYOO - - 83848 117273 WEB-20150914222031256-00000-43190~heritrix.nla.gov.au~8443.warc.gz",
    "com,example)/old 20150914222035 http://example.com/old text/html 301 3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ http://example.com/new - 412 201121 a.warc.gz",
    "com,example)/ 20150914222036 http://example.com/ warc/revisit - B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A - - 533 201533 a.warc.gz",
    "",
  ].join("\n"),
  cdxj: [
    '!meta {"type": "cdxj"}',
    'com,example)/ 20170730223850 {"url": "http://example.com/", "mime": "text/html", "status": "200", "digest": "G7HRM7BGOKSKMSXZAHMUQTTV53QOFSMK", "length": "1219", "offset": "771", "filename": "example-20170730223917.warc.gz"}',
    'com,example)/a 20170730223851 {"url": "http://example.com/a", "status": 301, "digest": "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "length": 659, "redirect": "https://example.com/\u00e4"}',
    "",
  ].join("\n"),
  wayback: [
    '[["urlkey","timestamp","original","mimetype","statuscode","digest","length"],',
    ' ["org,archive)/", "19970126045828", "http://www.archive.org:80/", "text/html", "200", "Q4YULN754FHV2U6Q5JUT6Q2P57WEWNNY", "1415"],',
    ' ["org,archive)/", "19971211122953", "http://www.archive.org:80/]]", "warc/revisit", "-", "XAHDNHZ5P3GSSSNJ3DMEOJF7BMCCPZR3", "1402"],',
    " [],",
    ' ["org%2Carchive%29%2F+19980109140106%21"]]',
    "",
  ].join("\n"),
  "crawl-log": [
    "2011-06-23T17:12:08.802Z   200       1299 http://content-5.powells.com/robots.txt LREP http://content-5.powells.com/cgi-bin/imageDB.cgi?isbn=9780385518635 text/plain #014 20110623171208574+225 sha1:YIUOKDGOLGI5JYHDTXRFFQ5FF4N2EJRV - -",
    "2011-06-23T17:12:09.100Z     1         62 dns:www.identitytheory.com LP http://www.identitytheory.com/ text/dns #025 20110623171208000+9 sha1:7AJUMSDTOMT4FN7MBFGGNJU3Z56MLCMW - content-size:62",
    '2011-06-23T17:12:09.591Z  -404          - http://www.identitytheory.com/gone L http://www.identitytheory.com/ unknown #025 - - - Ip:1,2t {"contentSize":-1}',
    "",
  ].join("\n"),
  "access-log": [
    '83.149.9.216 - - [17/May/2015:10:05:03 +0000] "GET /presentations/kibana-search.png HTTP/1.1" 200 203023 "http://semicomplete.com/" "Mozilla/5.0 (\\"x\\")"',
    '83.149.9.216 - - [17/May/2015:10:05:43 +0000] "GET /favicon.ico HTTP/1.1" 304 - "-" "-"',
    '::1 - - [17/May/2015:10:05:44 +0000] "POST /login HTTP/1.1" 302 5',
    "",
  ].join("\n"),
  sitemap: [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    "  <url>",
    "    <loc>http://example.org/?a&amp;b</loc><lastmod>2020-01-01</lastmod>",
    "  </url><url><loc>http://example.org/\u00e9</loc></url>",
    "</urlset>",
    "",
  ].join("\n"),
  warc: warcRecord("response", "http://example.org/\u00e9", "HTTP/1.1 200 OK\r\n\r\n<p>\n\nx\n"),
  wat: warcRecord(
    "metadata",
    "http://example.org/a/",
    '{"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{"HTML-Metadata":{"Links":[{"path":"A@/href","url":"b"}]}}}}}',
  ),
};

/** The option without which the sample cannot be read. */
export const OPTIONS = { base: "http://semicomplete.com" };

/** A record of WARC as text. */
export function warcRecord(type: string, uri: string, content: string): string {
  const kind = type === "metadata" ? "application/json" : "application/http; msgtype=response";
  const length = Buffer.byteLength(content);
  return `WARC/1.0\r\nWARC-Type: ${type}\r\nWARC-Target-URI: ${uri}\r\nContent-Type: ${kind}\r\nContent-Length: ${length}\r\n\r\n${content}\r\n\r\n`;
}
