import { createSocket } from "node:dgram";
import { once } from "node:events";

const TYPES = { A: 1, PTR: 12, AAAA: 28 } as const;
type RecordType = keyof typeof TYPES;

/** Answers by `TYPE name`, such as `PTR 4.3.2.1.in-addr.arpa`; "silence" is never answered. */
export type Zone = Readonly<Record<string, readonly string[] | "silence">>;

/** Starts a DNS server on loopback (RFC 1035), which stops after the test. */
export async function startDnsServer(zone: Zone) {
  const socket = createSocket("udp4");
  const queries: string[] = [];
  socket.on("message", (message, { port, address }) => {
    const { name, type, end } = readQuestion(message);
    const query = `${type} ${name}`;
    queries.push(query);
    const answers = zone[query];
    if (answers === "silence") return;
    socket.send(writeAnswer(message.subarray(0, end), type, answers ?? []), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    server: `127.0.0.1:${socket.address().port}`,
    queries,
    close: () => socket.close(),
  };
}

function readQuestion(message: Buffer): { name: string; type: RecordType; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at++] as number; length > 0; length = message[at++] as number) {
    labels.push(message.toString("latin1", at, at + length));
    at += length;
  }
  const number = message.readUInt16BE(at);
  const type = (Object.keys(TYPES) as RecordType[]).find((name) => TYPES[name] === number) ?? "A";
  return { name: labels.join("."), type, end: at + 4 };
}

function writeAnswer(question: Buffer, type: RecordType, answers: readonly string[]): Buffer {
  const header = Buffer.from(question);
  header.writeUInt16BE(answers.length === 0 ? 0x8183 : 0x8180, 2); // NXDOMAIN, or no error
  header.writeUInt16BE(answers.length, 6);
  header.writeUInt32BE(0, 8);
  const records = answers.map((answer) => {
    const data = type === "PTR" ? writeName(answer) : writeAddress(answer);
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0); // the name in the question
    record.writeUInt16BE(TYPES[type], 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(60, 6);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([header, ...records]);
}

function writeName(name: string): Buffer {
  const labels = name
    .split(".")
    .map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`, "latin1"));
  return Buffer.concat([...labels, Buffer.of(0)]);
}

/** IPv4, or IPv6 written out in full. */
function writeAddress(address: string): Buffer {
  if (address.includes(".")) return Buffer.from(address.split(".").map(Number));
  return Buffer.from(
    address
      .split(":")
      .map((piece) => piece.padStart(4, "0"))
      .join(""),
    "hex",
  );
}
