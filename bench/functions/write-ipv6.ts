import { busy } from "./function.ts";

export const writeIpv6 = busy(
  "writeIpv6",
  (row) => `https://[2001:DB8:0:0:0:0:0:${(row % 65_536).toString(16)}]/`,
  "an address to compress",
);
