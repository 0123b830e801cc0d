import { ClosedPipe, Output } from "../io/output.ts";

/** Writes texts to a file or standard output, some at a time. */
export async function writeText(out: string, texts: Iterable<string>): Promise<void> {
  const output = await Output.toFile(out);
  try {
    await writeAll(output, texts);
  } catch (error) {
    if (!(error instanceof ClosedPipe)) throw error;
  }
}

async function writeAll(output: Output, texts: Iterable<string>): Promise<void> {
  let waiting = "";
  for (const text of texts) {
    waiting += text;
    if (waiting.length < 1 << 18) continue;
    await output.write(Buffer.from(waiting));
    waiting = "";
  }
  await output.write(Buffer.from(waiting));
  await output.finish();
}
