/** When a via entry is met, as "What a search answers" in planner/package.md defines. Pure. */
import type { SmallVia } from './small-network.ts';

/** Via entries met, and the additional time that meeting them takes. */
export interface ViaChoice {
  readonly met: number;
  readonly wait: number;
}

/** Number of via entries met after one call, when `met` were met before. */
export function metAtCall(entries: readonly SmallVia[], met: number, stop: number, visitsToo: boolean): number {
  let count = met;
  for (;;) {
    const via = entries[count];
    const counts = via?.kind === 'passThrough' || (visitsToo && via?.minimumWaitSeconds === 0);
    if (via === undefined || !counts || !via.stops.includes(stop)) return count;
    count += 1;
  }
}

/** The possible outcomes at a transfer. */
export function metAtTransfer(entries: readonly SmallVia[], met: number, from: number, to: number): ViaChoice[] {
  const choices = [{ met, wait: 0 }];
  let wait = 0;
  for (let count = met; count < entries.length; count += 1) {
    const via = entries[count];
    if (via === undefined || !(via.stops.includes(from) || via.stops.includes(to))) break;
    if (via.kind === 'visit') wait += via.minimumWaitSeconds;
    choices.push({ met: count + 1, wait });
  }
  return choices;
}
