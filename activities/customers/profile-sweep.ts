/**
 * Tells workflows again what crashes have left untold, and brings back those that should be running and are not. Every process
 * may sweep at any time; several at once do no harm. Caller: the worker `sales-customers`, every few seconds.
 */

import type { Logger } from '../../platform/log.ts';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import type { CustomerInput } from '../../workflows/customers/messages.ts';
import { runBounded } from '../../workflows/shared/run-bounded.ts';
import { startProfileErasure } from './profile-erasure-start.ts';
import type { ProfileLifecycleStore, WantedStart } from './profile-lifecycle-store.ts';
import { signalEraseNow, signalExpirationChanged, startTemporaryProfile } from './temporary-profile-start.ts';

export interface ProfileSweepDependencies {
  readonly profiles: Pick<
    ProfileLifecycleStore,
    'listPendingStarts' | 'clearPendingStart' | 'listDue' | 'endLate' | 'listErasing'
  >;
  readonly temporal: TemporalClient;
  readonly log: Logger;
  /** Told how many profiles, at most as many as one sweep takes up, should have been erased by now. */
  readonly onOverdue?: (profiles: number) => void;
  readonly now?: () => Date;
}

/** The handler tells the workflow itself within this time of its write. */
const HANDLER_TIME_MS = 2_000;
/** The workflow's own timer comes first. */
const TIMER_TIME_MS = 5_000;
/** Workflows have come to most by then. */
const LATE_AFTER_MS = 15_000;
/** Most erasures have ended by then, and are not asked about. */
const LOST_AFTER_MS = 60_000;
const PROFILES_AT_ONCE = 200;
const TOLD_AT_ONCE = 10;
/** In one list. More mean that nobody can be told at present. */
const FAILURES_BORNE = 5;

/** Of two kinds, neither of which waits for the other. */
export async function sweepProfiles(dependencies: ProfileSweepDependencies): Promise<void> {
  const turns = await Promise.allSettled([tellPending(dependencies), startDue(dependencies)]);
  for (const turn of turns) if (turn.status === 'rejected') throw turn.reason;
}

/** What was written until now and perhaps not told: all of it. */
async function tellPending(dependencies: ProfileSweepDependencies): Promise<void> {
  const { profiles, temporal, log, now } = dependencies;
  const before = ago(HANDLER_TIME_MS, now);
  for (;;) {
    const pending = await profiles.listPendingStarts(before, PROFILES_AT_ONCE);
    await forEach(pending, log, async (wanted) => {
      await tell(temporal, wanted);
      await profiles.clearPendingStart(wanted.customerNumber, wanted.revision);
      const { customerNumber, organisationId, status } = wanted;
      log.info({ customerNumber, organisationId, status }, 'told the workflow of a profile what was pending');
    });
    if (pending.length < PROFILES_AT_ONCE) return;
  }
}

async function tell(temporal: TemporalClient, { status, ...wanted }: WantedStart): Promise<void> {
  const input: CustomerInput = { customerNumber: wanted.customerNumber, organisationId: wanted.organisationId };
  if (status === 'ACTIVE') await signalExpirationChanged(temporal, input);
  // Its workflow sleeps perhaps, and begins the erasure once it is told.
  else if (status === 'EXPIRED') await signalEraseNow(temporal, input);
  else await startProfileErasure(temporal, input);
}

/** Whose date has passed though nothing came of it: the workflow was terminated by hand, or lost with Temporal's storage. */
async function startDue({ profiles, temporal, log, now }: ProfileSweepDependencies): Promise<void> {
  const due = await profiles.listDue(ago(TIMER_TIME_MS, now), PROFILES_AT_ONCE);
  await forEach(due, log, async ({ customerNumber, organisationId }) => {
    // Not a signal: where many are due at once most have a workflow that has not come to it yet, and it would only delay them.
    await startTemporaryProfile(temporal, { customerNumber, organisationId });
  });
}

/** Needs no Temporal, and is to be run by itself: the others may wait for it. */
export async function endLateProfiles({
  profiles,
  log,
  now,
}: Pick<ProfileSweepDependencies, 'profiles' | 'log' | 'now'>): Promise<void> {
  const ended = await profiles.endLate(ago(LATE_AFTER_MS, now));
  if (ended > 0) log.warn({ profiles: ended }, 'ended profiles whose workflows are late');
}

/** Where a run is alive this asks Temporal once and changes nothing; so it is to be run less often. */
export async function startLostErasures(dependencies: ProfileSweepDependencies): Promise<void> {
  const { profiles, temporal, log, onOverdue, now } = dependencies;
  const overdue = await profiles.listErasing(ago(LOST_AFTER_MS, now), PROFILES_AT_ONCE);
  onOverdue?.(overdue.length);
  await forEach(overdue, log, async ({ customerNumber, organisationId }) => {
    await startProfileErasure(temporal, { customerNumber, organisationId });
  });
}

/** One that cannot be told keeps no other waiting: it comes again in the next turn. */
async function forEach(
  profiles: readonly WantedStart[],
  log: Logger,
  act: (profile: WantedStart) => Promise<void>,
): Promise<void> {
  const failed: unknown[] = [];
  const tryOne = async (profile: WantedStart | undefined) => {
    if (!profile) return;
    try {
      await act(profile);
    } catch (error) {
      if (failed.push(error) > FAILURES_BORNE) throw error;
      const { customerNumber, organisationId } = profile;
      log.warn({ err: error, customerNumber, organisationId }, 'the workflow of a profile could not be told');
    }
  };
  await runBounded(profiles.length, TOLD_AT_ONCE, (index) => tryOne(profiles[index]));
}

function ago(ms: number, now: (() => Date) | undefined): Date {
  return new Date((now?.() ?? new Date()).getTime() - ms);
}
