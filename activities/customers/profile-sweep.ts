/**
 * Starts the workflows that crashes have left pending, and restarts those that should be running and are not. Every
 * process may sweep at any time; several at once are harmless. Caller: the worker `sales-customers`, every few seconds.
 */
import { sweepPendingStarts } from '../../platform/aggregate/pending-starts.ts';
import { startEach } from '../../platform/aggregate/start-each.ts';
import type { Logger } from '../../platform/log.ts';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import type { CustomerInput } from '../../workflows/customers/messages.ts';
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
  /** Called with the number of profiles that should have been erased by now, at most as many as one sweep handles. */
  readonly onOverdue?: (profiles: number) => void;
  readonly now?: () => Date;
}

/** The workflow's own timer comes first. */
const TIMER_TIME_MS = 5_000;
/** Workflows have ended most profiles by then. */
const LATE_AFTER_MS = 15_000;
/** Most erasures have ended by then, so Temporal is not asked about them. */
const LOST_AFTER_MS = 60_000;
const PROFILES_AT_ONCE = 200;

/** Two sweeps; neither waits for the other. */
export async function sweepProfiles(dependencies: ProfileSweepDependencies): Promise<void> {
  const turns = await Promise.allSettled([startPending(dependencies), startDue(dependencies)]);
  for (const turn of turns) if (turn.status === 'rejected') throw turn.reason;
}

async function startPending({ profiles, temporal, log, now }: ProfileSweepDependencies): Promise<void> {
  await sweepPendingStarts<WantedStart>({
    list: (before, limit) => profiles.listPendingStarts(before, limit),
    start: (wanted) => startWorkflowOf(temporal, wanted),
    clear: ({ organisationId, customerNumber, revision }) =>
      profiles.clearPendingStart(organisationId, customerNumber, revision),
    describe,
    log,
    ...(now && { now }),
  });
}

async function startWorkflowOf(temporal: TemporalClient, wanted: WantedStart): Promise<void> {
  const input = inputOf(wanted);
  if (wanted.status === 'ACTIVE') await signalExpirationChanged(temporal, input);
  // Its workflow may be asleep; the signal makes it begin the erasure.
  else if (wanted.status === 'EXPIRED') await signalEraseNow(temporal, input);
  else await startProfileErasure(temporal, input);
}

/**
 * Starts profiles whose date has passed without effect: the workflow was terminated by hand, or lost with Temporal's
 * storage.
 */
async function startDue({ profiles, temporal, log, now }: ProfileSweepDependencies): Promise<void> {
  const due = await profiles.listDue(ago(TIMER_TIME_MS, now), PROFILES_AT_ONCE);
  // It does not signal: where many are due at once, most have a workflow that is only late, and a signal would delay
  // it.
  await startEach(due, { log, describe }, (wanted) => startTemporaryProfile(temporal, inputOf(wanted)));
}

/** Needs no Temporal. Runs by itself, since the other sweeps may wait for Temporal. */
export async function endLateProfiles({
  profiles,
  log,
  now,
}: Pick<ProfileSweepDependencies, 'profiles' | 'log' | 'now'>): Promise<void> {
  const ended = await profiles.endLate(ago(LATE_AFTER_MS, now));
  if (ended > 0) log.warn({ profiles: ended }, 'ended profiles whose workflows are late');
}

/** For each live run this asks Temporal once and changes nothing, so it runs less often. */
export async function startLostErasures(dependencies: ProfileSweepDependencies): Promise<void> {
  const { profiles, temporal, log, onOverdue, now } = dependencies;
  const overdue = await profiles.listErasing(ago(LOST_AFTER_MS, now), PROFILES_AT_ONCE);
  onOverdue?.(overdue.length);
  await startEach(overdue, { log, describe }, (wanted) => startProfileErasure(temporal, inputOf(wanted)));
}

function inputOf({ organisationId, customerNumber }: WantedStart): CustomerInput {
  return { organisationId, customerNumber };
}

function describe({ customerNumber, organisationId, status }: WantedStart) {
  return { customerNumber, organisationId, status };
}

function ago(ms: number, now: (() => Date) | undefined): Date {
  return new Date((now?.() ?? new Date()).getTime() - ms);
}
