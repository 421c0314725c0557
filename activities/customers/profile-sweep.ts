/**
 * Tells workflows again what crashes have left untold, and brings back those that should be running and are not. Every process
 * may sweep at any time; several at once do no harm. Caller: the worker `sales-customers`, every few seconds.
 */
import type { CustomerInput } from '../../workflows/customers/messages.ts';
import type { Logger } from '../shared/log.ts';
import type { TemporalClient } from '../shared/temporal.ts';
import { startProfileErasure } from './profile-erasure-start.ts';
import type { ProfileLifecycleStore, WantedStart } from './profile-lifecycle-store.ts';
import { signalEraseNow, signalExpirationChanged } from './temporary-profile-start.ts';

export interface ProfileSweepDependencies {
  readonly profiles: Pick<ProfileLifecycleStore, 'listPendingStarts' | 'clearPendingStart' | 'listDue' | 'listErasing'>;
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
/** Most erasures have ended by then, and are not asked about. */
const LOST_AFTER_MS = 60_000;
const PROFILES_PER_SWEEP = 200;

export async function sweepProfiles(dependencies: ProfileSweepDependencies): Promise<void> {
  await tellPending(dependencies);
  await wakeDue(dependencies);
}

/** What was written and perhaps not told. */
async function tellPending({ profiles, temporal, log, now }: ProfileSweepDependencies): Promise<void> {
  for (const wanted of await profiles.listPendingStarts(ago(HANDLER_TIME_MS, now), PROFILES_PER_SWEEP)) {
    await tell(temporal, wanted);
    await profiles.clearPendingStart(wanted.customerNumber, wanted.revision);
    const { customerNumber, organisationId, status } = wanted;
    log.info({ customerNumber, organisationId, status }, 'told the workflow of a profile what was pending');
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
async function wakeDue({ profiles, temporal, log, now }: ProfileSweepDependencies): Promise<void> {
  for (const { customerNumber, organisationId } of await profiles.listDue(
    ago(TIMER_TIME_MS, now),
    PROFILES_PER_SWEEP,
  )) {
    await signalExpirationChanged(temporal, { customerNumber, organisationId });
    log.info({ customerNumber, organisationId }, 'woke the workflow of a profile that is due');
  }
}

/** Where a run is alive this asks Temporal once and changes nothing; so it is to be run less often. */
export async function startLostErasures(dependencies: ProfileSweepDependencies): Promise<void> {
  const { profiles, temporal, onOverdue, now } = dependencies;
  const overdue = await profiles.listErasing(ago(LOST_AFTER_MS, now), PROFILES_PER_SWEEP);
  onOverdue?.(overdue.length);
  for (const { customerNumber, organisationId } of overdue) {
    await startProfileErasure(temporal, { customerNumber, organisationId });
  }
}

function ago(ms: number, now: (() => Date) | undefined): Date {
  return new Date((now?.() ?? new Date()).getTime() - ms);
}
