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
  readonly attempt: Attempt;
}

/** The mailing after these attempts, and how its receipt stands now. */
export function afterAttempts(
  mailing: Mailing,
  sent: readonly SentMail[],
  receipt: MailedReceipt | undefined,
  now: Date,
): Mailing {
  const attempts = new Map(sent.map(({ messageId, attempt }) => [messageId, attempt]));
  const mails = mailing.mails.map((mail) => {
    const attempt = attempts.get(mail.messageId);
    return attempt ? afterAttempt(mail, attempt, now) : mail;
  });
  const after = { ...mailing, mails, ...(receipt && mailing.receipt && { receipt }) };
  return { ...after, state: dueAt(after) === undefined ? 'DONE' : 'OPEN' };
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
  | { readonly kind: 'DISTRIBUTED' }
  | { readonly kind: 'TRIED' | 'FAILED'; readonly code: string };

/** What all mails of the mailing together mean for a ticket: one that arrived is enough. Undefined: nothing was tried. */
export function outcomeOf(
  { mails }: Pick<Mailing, 'mails'>,
  ticketId: TicketDistributionId,
): TicketOutcome | undefined {
  const own = mails.filter(({ tickets }) => tickets.some((each) => each.ticketId === ticketId));
  if (own.some(({ state }) => state === 'SENT')) return { kind: 'DISTRIBUTED' };
  const due = own.find(({ state, code }) => state === 'DUE' && code !== undefined);
  if (due?.code !== undefined) return { kind: 'TRIED', code: due.code };
  if (own.some(({ state }) => state === 'DUE')) return undefined;
  const failed = own.find(({ state }) => state === 'FAILED');
  return failed && { kind: 'FAILED', code: failed.code ?? 'UNKNOWN' };
}

/** How all mailings of one workflow stand together. */
export function sendStepOf(mailings: readonly Mailing[]): SendStep {
  const states = mailings.flatMap(({ mails, receipt }) =>
    [...mails, ...(receipt ? [receipt] : [])].map(({ state }) => state),
  );
  const times = mailings.flatMap((mailing) => dueAt(mailing)?.getTime() ?? []);
  const paymentPageId = mailings.find((each) => each.paymentPageId !== undefined)?.paymentPageId;
  return {
    sent: states.filter((state) => state === 'SENT').length,
    failed: states.filter((state) => state === 'FAILED').length,
    unaddressed: mailings.reduce((sum, { unaddressed }) => sum + unaddressed, 0),
    ...(times.length > 0 && { nextTryAtMs: Math.min(...times) }),
    ...(paymentPageId !== undefined && { paymentPageId }),
  };
}
