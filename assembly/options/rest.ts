/*
 * Whether hosts reach a fixpoint under the options of a plan. Every circle passes a host that an alias writes, or that a
 * pattern of a site names, perhaps without its `www.`, so only these are tried.
 *
 * Memory: reads the plan region, writes `hostText` as host.ts does, and the output: a byte for each word of the plan,
 * 1 for a text of an alias from which a host reaches a fixpoint.
 */
import { outputStart, planBytes, planStart } from "../memory";
import { aliasTable, defaultProfile, siteTable } from "../plan";
import {
  nameLengthOf,
  nameOf,
  slotCount,
  slotEntry,
  targetOf,
  textEnd,
  textStart,
} from "../tables";
import {
  ALIASED,
  addsWhatGoes,
  dropWww,
  hostEnd,
  hostStart,
  LONGER,
  moveOnce,
  STAYS,
  setHost,
} from "./host";

/** Hosts gain `www.` this often at most before an alias, or before they rest. */
const MAX_ADDED: i32 = 2;
/** Limits the bytes of hosts that are moved, for each byte of the plan. */
const READINGS: i64 = 64;

let left: i64 = 0;

/** Returns whether no host moves forever. */
export function comeToRest(): bool {
  if (addsWhatGoes(defaultProfile)) return false;
  left = READINGS * <i64>planBytes;
  memory.fill(outputStart, 0, planBytes >> 2);
  for (let slot: u32 = 0; aliasTable !== 0 && slot < slotCount(aliasTable); slot++) {
    const entry = slotEntry(aliasTable, slot);
    if (entry === 0) continue;
    const text = targetOf(entry);
    if (!rests(textStart(text), textEnd(text))) return false;
  }
  for (let slot: u32 = 0; siteTable !== 0 && slot < slotCount(siteTable); slot++) {
    const entry = slotEntry(siteTable, slot);
    if (entry === 0) continue;
    const name = nameOf(entry);
    const end = name + nameLengthOf(entry);
    if (addsWhatGoes(targetOf(entry)) || !rests(name, end)) return false;
    setHost(name, end);
    if (dropWww(true) && !rests(hostStart, hostEnd)) return false;
  }
  return true;
}

function rests(p: usize, end: usize): bool {
  const aliases: u32 = aliasTable === 0 ? 0 : slotCount(aliasTable);
  let taken: u32 = 0;
  let added: i32 = 0;
  setHost(p, end);
  while (true) {
    left -= <i64>(hostEnd - hostStart);
    if (left < 0) return false;
    const move = moveOnce();
    if (move === STAYS) break;
    if (move === LONGER && ++added > MAX_ADDED) return false;
    if (move !== ALIASED) continue;
    if (load<u8>(mark()) !== 0) break;
    if (++taken > aliases) return false;
    added = 0;
  }
  setHost(p, end);
  while (taken > 0) {
    if (moveOnce() !== ALIASED) continue;
    store<u8>(mark(), 1);
    taken--;
  }
  return true;
}

/** Returns where the mark of the alias text is that is the host now. */
function mark(): usize {
  return outputStart + ((hostStart - 4 - planStart) >> 2);
}
