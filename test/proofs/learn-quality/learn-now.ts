import {
  type Learned,
  type LearnOptions,
  type LearnRecord,
  learnSites,
  SiteCollector,
} from "urlmill/learn";

/** Does what `learn` does, at once and on this thread, by the built package. */
export function learnNow(records: readonly LearnRecord[], options: LearnOptions = {}): Learned {
  const collector = new SiteCollector();
  collector.add(records);
  return learnSites(collector, options);
}
