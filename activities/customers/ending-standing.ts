/**
 * How many profiles are past their time: for figures. Reads alone, over indexes that hold no more than what is due. Caller: the
 * worker of customers.
 */
import type { Connection } from 'mongoose';
import { type ProfileFilter, profileCollection } from './profile-document.ts';
import { isDue } from './profile-ending.ts';

export interface EndingStanding {
  /** Temporary profiles whose date is at or before `before` and which nobody has ended; nobody can read them all the same. */
  readonly due: number;
  /** Erasures that have begun and not ended. */
  readonly erasing: number;
  /** Since when the one of them that began first is under way. */
  readonly oldestErasure: Date | undefined;
}

/** More are not counted: whoever looks at the figure has understood by then. */
const COUNTED = 10_000;

export async function readEndingStanding(connection: Connection, before: Date): Promise<EndingStanding> {
  const profiles = profileCollection(connection);
  const erasing: ProfileFilter = { 'erasure.begunAt': { $exists: true } };
  const [due, count, oldest] = await Promise.all([
    profiles.countDocuments(isDue(before), { limit: COUNTED }),
    profiles.countDocuments(erasing, { limit: COUNTED }),
    profiles
      .find(erasing, { projection: { erasure: 1 } })
      .sort({ 'erasure.begunAt': 1 })
      .limit(1)
      .next(),
  ]);
  return { due, erasing: count, oldestErasure: oldest?.erasure?.begunAt };
}
