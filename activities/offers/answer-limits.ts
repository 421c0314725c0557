/** Bounds what one search answers and stores, however many products a catalogue has. Pure. */
import type { SeatedDraft } from './seated-drafts.ts';

/** Some dozen products give fewer, also for twenty rides. A document with so many stays far below MongoDB's 16 MB. */
export const MAX_OFFERS = 400;
export const MAX_UNAVAILABLE = 200;

/** Tickets for one of several rides are left out first. The order stays. */
export function limitOffers(seated: readonly SeatedDraft[]): readonly SeatedDraft[] {
  if (seated.length <= MAX_OFFERS) return seated;
  const rides = new Set(seated.flatMap(({ draft }) => draft.coverage.legIndexes)).size;
  const isPart = ({ draft }: SeatedDraft) => rides > 1 && draft.coverage.legIndexes.length === 1;
  const chosen = new Set([...seated.filter((each) => !isPart(each)), ...seated.filter(isPart)].slice(0, MAX_OFFERS));
  return seated.filter((each) => chosen.has(each));
}
