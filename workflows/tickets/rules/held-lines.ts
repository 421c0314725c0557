/**
 * Lines of a mailing whose tickets cannot be sent yet: they may be paid back, or they could not be signed. The others do not wait for
 * them. They are planned again after a pause, whatever becomes of who holds them; the end of a refund has it done at once. Pure.
 */
import type { OrderLineId } from '../../shared/ids.ts';
import { withState } from './mailing-steps.ts';
import type { MailedReceipt, Mailing, TicketMail } from './ticket-mailing.ts';

const SHORTEST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 10 * 60_000;

/** Its workflow is to be started. */
export function isToPlan({ state, planAgainAt }: Pick<Mailing, 'state' | 'planAgainAt'>): boolean {
  return state === 'NEW' || planAgainAt !== undefined;
}

/** A refund of these lines has ended, however. What is not planned yet finds the order as it is then. */
export function releaseLines(mailing: Mailing, orderLineIds: readonly OrderLineId[], now: Date): Mailing {
  if (!mailing.held?.some((id) => orderLineIds.includes(id))) return mailing;
  return { ...mailing, planAgainAt: now };
}

export interface Planned {
  /** The mailing that the plan was made from. */
  readonly of: Mailing;
  readonly mails: readonly TicketMail[];
  readonly unaddressed: number;
  readonly receipt?: MailedReceipt | undefined;
  readonly paymentPageId?: Mailing['paymentPageId'] | undefined;
  readonly underRefund: readonly OrderLineId[];
  /** Their tickets could not be made; that is tried again. */
  readonly unmade: readonly OrderLineId[];
}

/** Without an effect where another plan came first. */
export function afterPlan(before: Mailing, plan: Planned, now: Date): Mailing {
  const { of, mails, unaddressed, receipt, paymentPageId, underRefund, unmade } = plan;
  if (before.state !== of.state && (before.state === 'NEW' || of.state === 'NEW')) return before;
  if (!isToPlan(before)) return before;
  const { held: _held, unmade: _unmade, planAgainAt, ...rest } = before;
  const left = [...underRefund, ...unmade];
  const isLeft = (id: OrderLineId) => left.includes(id);
  // What this plan has sent, another one has sent before.
  if (of.held?.some((id) => !isLeft(id) && !before.held?.includes(id))) return before;
  const held = of.state === 'NEW' ? left : (before.held ?? []).filter(isLeft);
  // A later time is the sweep's, which puts off what is being planned.
  const isWoken =
    planAgainAt !== undefined && planAgainAt <= now && planAgainAt.getTime() !== of.planAgainAt?.getTime();
  const next = isWoken ? planAgainAt : pauseAfter(before, now);
  const stillUnmade = held.filter((id) => unmade.includes(id));
  const planned: Mailing = {
    ...rest,
    mails: [...before.mails, ...mails],
    unaddressed: before.unaddressed + unaddressed,
    ...(receipt && { receipt }),
    ...(paymentPageId !== undefined && { paymentPageId }),
    ...(held.length > 0 && { held, planAgainAt: next }),
    ...(stillUnmade.length > 0 && { unmade: stillUnmade }),
  };
  return withState(planned);
}

/** What does not add up is tried no more; mails that are due go on. */
export function afterRefusal(before: Mailing, faults: readonly string[], receipt: MailedReceipt | undefined): Mailing {
  if (!isToPlan(before)) return before;
  const { held: _held, unmade: _unmade, planAgainAt: _again, ...rest } = before;
  if (before.state !== 'NEW') return withState({ ...rest, faults });
  return { ...rest, state: 'REFUSED', faults, ...(receipt && { receipt }) };
}

/** Longer, the longer it has been wanted. */
function pauseAfter({ createdAt }: Pick<Mailing, 'createdAt'>, now: Date): Date {
  const ageMs = now.getTime() - createdAt.getTime();
  return new Date(now.getTime() + Math.min(Math.max(ageMs / 2, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS));
}
