/** What an attempt means for a mail, and how mailings stand. Pure. */
import type { TicketDistributionId } from '../../shared/ids.ts';
import { nextTryAt } from '../../shared/mail-retries.ts';
import type { SendStep } from '../activities.ts';
import type { MailedReceipt, Mailing, TicketMail } from './ticket-mailing.ts';

/** As a mail server answers, or as we find before it is asked. REFUSED and DROPPED are final. */
export type Attempt =
  | { readonly kind: 'SENT' }
  | { readonly kind: 'REFUSED'; readonly code: string }
  | { readonly kind: 'UNKNOWN'; readonly code: string }
  | { readonly kind: 'DROPPED' };

/** After one attempt. A mail that is not due any more stays as it is. */
export function afterAttempt(mail: TicketMail, attempt: Attempt, now: Date): TicketMail {
  if (mail.state !== 'DUE') return mail;
  const { nextTryAt: _next, code: _code, ...rest } = mail;
  if (attempt.kind === 'DROPPED') return { ...rest, state: 'DROPPED' };
  const attempts = mail.attempts + 1;
  const tried = { ...rest, attempts, firstTriedAt: mail.firstTriedAt ?? now };
  if (attempt.kind === 'SENT') return { ...tried, state: 'SENT' };
  const again = attempt.kind === 'UNKNOWN' ? nextTryAt(tried.firstTriedAt, attempts, now) : undefined;
  const { code } = attempt;
  return again ? { ...tried, state: 'DUE', nextTryAt: again, code } : { ...tried, state: 'FAILED', code };
}

export interface SentMail {
  readonly messageId: string;
  /** Of its tickets, those that were not valid any more. */
  readonly omitted?: readonly TicketDistributionId[];
  readonly attempt: Attempt;
}

/** The mailing after these attempts, and how its receipt stands now. */
export function afterAttempts(
  mailing: Mailing,
  sent: readonly SentMail[],
  receipt: MailedReceipt | undefined,
  now: Date,
): Mailing {
  const attempts = new Map(sent.map((each) => [each.messageId, each]));
  const mails = mailing.mails.map((mail) => {
    const tried = attempts.get(mail.messageId);
    if (!tried || mail.state !== 'DUE') return mail;
    const { omitted: _omitted, ...shown } = mail;
    const omitted = tried.omitted?.length ? { omitted: tried.omitted } : {};
    return afterAttempt({ ...shown, ...omitted }, tried.attempt, now);
  });
  return withState({ ...mailing, mails, ...(receipt && mailing.receipt && { receipt }) });
}

/** OPEN while a mail is due or a line is held. */
export function withState(mailing: Mailing): Mailing {
  if (mailing.state === 'REFUSED') return mailing;
  const isOpen = dueAt(mailing) !== undefined || (mailing.held?.length ?? 0) > 0;
  return { ...mailing, state: isOpen ? 'OPEN' : 'DONE' };
}

/** When its next mail is due. Undefined: none is. */
export function dueAt({ mails, receipt }: Pick<Mailing, 'mails' | 'receipt'>): Date | undefined {
  const times = [
    ...mails.flatMap(({ state, nextTryAt: at }) => (state === 'DUE' && at ? [at.getTime()] : [])),
    ...(receipt?.state === 'DUE' ? [receipt.nextTryAt?.getTime() ?? 0] : []),
  ];
  return times.length === 0 ? undefined : new Date(Math.min(...times));
}

export type TicketOutcome =
  /** `code`: of another mail of the ticket, which was refused or given up. */
  | { readonly kind: 'DISTRIBUTED'; readonly code?: string }
  | { readonly kind: 'TRIED' | 'FAILED'; readonly code: string }
  /** Its last mail went without it. */
  | { readonly kind: 'DROPPED' };

/**
 * What the last attempt at a mail means for one of its tickets: one mail that arrives is enough, and all must fail for the ticket to
 * fail. Undefined: nothing was tried.
 */
export function outcomeOf(
  { mails }: Pick<Mailing, 'mails'>,
  mail: TicketMail,
  ticketId: TicketDistributionId,
): TicketOutcome | undefined {
  const { messageId, state, attempts, code = 'UNKNOWN' } = mail;
  const others = mails.filter(
    (each) => each.messageId !== messageId && each.tickets.some((ticket) => ticket.ticketId === ticketId),
  );
  const isLeft = others.some((each) => each.state === 'DUE' || (each.state === 'SENT' && shows(each, ticketId)));
  if (!shows(mail, ticketId)) return state === 'DUE' || isLeft ? undefined : { kind: 'DROPPED' };
  if (attempts === 0) return undefined;
  if (state === 'SENT') {
    const failed = others.find((each) => each.state === 'FAILED');
    return { kind: 'DISTRIBUTED', ...(failed && { code: failed.code ?? 'UNKNOWN' }) };
  }
  return { kind: state === 'DUE' || isLeft ? 'TRIED' : 'FAILED', code };
}

function shows({ state, omitted = [] }: TicketMail, ticketId: TicketDistributionId): boolean {
  return state !== 'DROPPED' && !omitted.includes(ticketId);
}

/** How all mailings of one workflow stand together. */
export function sendStepOf(mailings: readonly Mailing[]): SendStep {
  const states = mailings.flatMap(({ mails, receipt }) =>
    [...mails, ...(receipt ? [receipt] : [])].map(({ state }) => state),
  );
  const times = mailings.flatMap((mailing) => dueAt(mailing)?.getTime() ?? []);
  const receipts = mailings.filter(({ receipt }) => receipt?.state === 'UNADDRESSED');
  const waiting = mailings.reduce((sum, { held = [] }) => sum + held.length, 0);
  const paymentPageId = mailings.find((each) => each.paymentPageId !== undefined)?.paymentPageId;
  return {
    sent: states.filter((state) => state === 'SENT').length,
    failed: states.filter((state) => state === 'FAILED').length,
    unaddressed: mailings.reduce((sum, { unaddressed }) => sum + unaddressed, 0) + receipts.length,
    ...(waiting > 0 && { waiting }),
    ...(times.length > 0 && { nextTryAtMs: Math.min(...times) }),
    ...(paymentPageId !== undefined && { paymentPageId }),
  };
}
