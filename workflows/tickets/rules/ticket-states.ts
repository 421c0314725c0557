/**
 * The states of a ticket, and what leads from one to another. Pure.
 *
 * DISABLED remembers the state before, and follows it: a mail that was on its way when the ticket was disabled still arrives.
 */
import type { Distribution, TicketStatus } from './ticket-group.ts';

/**
 * SEND: mails are written down. ARRIVE: one of them was taken. GIVE_UP: all were refused, or could not be sent in 24 hours.
 * DROP: the last of them went without the ticket, which was not valid then.
 * DISABLE: its line is cancelled or refunded. RESTORE: that refund has failed. REPLACE: a successor is valid.
 */
export type TicketTrigger = 'SEND' | 'ARRIVE' | 'GIVE_UP' | 'DROP' | 'DISABLE' | 'RESTORE' | 'REPLACE';

export const LIVE_STATUSES = [
  'GENERATED',
  'DISTRIBUTING',
  'DISTRIBUTED',
  'FAILED',
] as const satisfies readonly TicketStatus[];
export type LiveStatus = (typeof LIVE_STATUSES)[number];

/** Among live states. What is missing has no effect. */
const MAILING: { readonly [Status in LiveStatus]: { readonly [Trigger in TicketTrigger]?: LiveStatus } } = {
  // A mail of another mailing may still bring what one has dropped.
  GENERATED: { SEND: 'DISTRIBUTING', ARRIVE: 'DISTRIBUTED' },
  DISTRIBUTING: { ARRIVE: 'DISTRIBUTED', GIVE_UP: 'FAILED', DROP: 'GENERATED' },
  // Sent again, on request.
  DISTRIBUTED: { SEND: 'DISTRIBUTING' },
  FAILED: { SEND: 'DISTRIBUTING' },
};

/** Valid for travel with a barcode, as far as its times allow. */
export function isLive({ status }: Pick<Distribution, 'status'>): boolean {
  return isLiveStatus(status);
}

export function isLiveStatus(status: TicketStatus): status is LiveStatus {
  return (LIVE_STATUSES as readonly TicketStatus[]).includes(status);
}

type Stated = Pick<Distribution, 'status' | 'statusBefore'>;

/** The states after the trigger; undefined where it has no effect. */
export function nextStates({ status, statusBefore }: Stated, trigger: TicketTrigger): Stated | undefined {
  if (isLiveStatus(status)) return nextOfLive(status, trigger);
  if (status === 'REPLACED' || statusBefore === undefined || !isLiveStatus(statusBefore)) return undefined;
  if (trigger === 'RESTORE') return { status: statusBefore };
  const before = trigger === 'SEND' ? undefined : MAILING[statusBefore][trigger];
  return before && { status, statusBefore: before };
}

function nextOfLive(status: LiveStatus, trigger: TicketTrigger): Stated | undefined {
  if (trigger === 'DISABLE') return { status: 'DISABLED', statusBefore: status };
  if (trigger === 'REPLACE') return { status: 'REPLACED' };
  const next = MAILING[status][trigger];
  return next && { status: next };
}
