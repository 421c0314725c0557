/** When which part is killed: at random times, which a seed repeats. Used by the runs of payments and refunds. */
import { createRandom } from '../../dev/demo/random.ts';
import type { PartName } from '../support/service.ts';

export interface PlannedKill {
  readonly victim: PartName;
  /** Of the work of the run, from 0 to 1: when so much has begun, the pause starts. */
  readonly share: number;
  readonly pauseMs: number;
}

const LONGEST_PAUSE_MS = 3_000;

/** Every victim dies as often as the others, in random order. */
export function planKills(victims: readonly PartName[], kills: number, seed: string): readonly PlannedKill[] {
  const random = createRandom(`kills ${seed}`);
  const chosen = Array.from({ length: kills }, (_, at) => ({
    victim: victims[at % victims.length] as PartName,
    order: random.next(),
  }));
  const shares = chosen.map(() => random.next()).sort((one, other) => one - other);
  return chosen
    .toSorted((one, other) => one.order - other.order)
    .map(({ victim }, at) => ({ victim, share: shares[at] ?? 0, pauseMs: random.integer(0, LONGEST_PAUSE_MS) }));
}
