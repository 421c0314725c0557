/**
 * Counts the profiles that are past their time, for metrics. Reads only, over indexes as small as the overdue profiles.
 * Caller: the worker of customers.
 */
import type { Connection } from 'mongoose';
import { type ProfileFilter, profileCollection } from './profile-document.ts';
import { isDue } from './profile-ending.ts';

export interface EndingFigures {
  /**
   * Temporary profiles whose date is at or before `before` and which no process has ended; they are unreadable all the
   * same.
   */
  readonly due: number;
  /** Erasures that have begun and not ended. */
  readonly erasing: number;
  /** Begin of the oldest of them. */
  readonly oldestErasure: Date | undefined;
}

/** Counting stops here: a number this high is alarming enough. */
const COUNTED = 10_000;

export async function readEndingFigures(connection: Connection, before: Date): Promise<EndingFigures> {
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
