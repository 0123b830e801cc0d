import { isSound } from "../../plan/check.ts";
import { decodePlan, type LoadedPlan } from "../../plan/decode/decode.ts";
import { unreadablePlan } from "../../plan/decode/plan-reader.ts";
import { circleOf } from "./options/host.ts";

/**
 * Reads a plan that anybody may have written. Throws `ENGINE_FAILED` for one that is damaged or of another version,
 * or under which a host would move forever.
 */
export function loadPlan(bytes: Uint8Array): LoadedPlan {
  if (!isSound(bytes)) throw unreadablePlan();
  const plan = decodePlan(bytes);
  const { aliases, domainAliases, exactSites, domainSites } = plan;
  if (addsWhatGoes(plan)) throw unreadablePlan();
  const targets = [...aliases.values(), ...domainAliases.values()];
  const sites = [...exactSites.keys(), ...domainSites.keys()];
  const hosts = [...targets, ...sites, ...sites.map((host) => host.replace(/^www\d{0,3}\./, ""))];
  if (circleOf(hosts, plan, READINGS * bytes.length) !== null) throw unreadablePlan();
  return plan;
}

/** Returns whether some hosts gain the first label `www` that goes from all. */
function addsWhatGoes({ labels, profile, exactSites, domainSites }: LoadedPlan): boolean {
  const profiles = [profile, ...exactSites.values(), ...domainSites.values()];
  return labels.has("www") && profiles.some(({ www }) => www === "add");
}

/** Limits the bytes of hosts that are moved, for each byte of the plan. */
const READINGS = 64;
