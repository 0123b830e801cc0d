// Each file here measures one function of the kernel that can take much time, by lines that keep it busy.
// `npm run bench -- --functions`
import type { MakePath } from "../path.ts";
import { cleanLines } from "./clean-lines.ts";
import { decodePunycode } from "./decode-punycode.ts";
import { encodePunycode } from "./encode-punycode.ts";
import { mapNfc } from "./map-nfc.ts";
import { removeDotSegments } from "./remove-dot-segments.ts";
import { scanQuery } from "./scan-query.ts";
import { sortPieces } from "./sort-pieces.ts";
import { writeComponent } from "./write-component.ts";
import { writeIpv6 } from "./write-ipv6.ts";

export const functions: readonly MakePath[] = [
  cleanLines,
  scanQuery,
  sortPieces,
  writeComponent,
  removeDotSegments,
  encodePunycode,
  decodePunycode,
  mapNfc,
  writeIpv6,
];
