/**
 * The mails that bring a receipt to somebody. A mail is written down before it is sent, and its id is part of the Message-ID: a
 * repeated attempt has the same, so mailboxes drop it. Pure.
 */
import type { CustomerNumber } from '../../shared/ids.ts';
import { nextTryAt } from '../../shared/mail-retries.ts';
import { ServiceError } from '../../shared/service-error.ts';
import type { TextLanguage } from '../../shared/text.ts';
import type { ReceiptStatus } from './receipt.ts';

/** That of the delivery, to the contact of the order. Those of callers are numbered from 1. */
export const CONTACT_MAILING = 'contact';
export const MOST_MAILINGS = 50;

/** An address that a caller has given, sealed with the order's own key. Rules pass it on and never read it. */
export interface SealedAddress {
  readonly keyId: string;
  readonly sealed: Uint8Array;
}

export interface MailTarget {
  /** The address is read from the profile when the mail is sent. */
  readonly customerNumber?: CustomerNumber;
  /** In its place; removed by erasure. */
  readonly address?: SealedAddress;
  /** Absent: that of the receipt. */
  readonly language?: TextLanguage;
}

/** DUE: it is tried at `nextTryAt`. FAILED: its address is refused, or the server has not taken it for 24 hours. */
export interface Mailing extends MailTarget {
  readonly id: string;
  readonly status: 'DUE' | 'SENT' | 'FAILED';
  readonly attempts: number;
  /** The server's code; never its text, which may hold the address. */
  readonly lastFailure?: string;
  readonly createdAt: Date;
  /** The 24 hours count from it: an attempt may come long after the call. */
  readonly firstTriedAt?: Date;
  /** With DUE. */
  readonly nextTryAt?: Date;
  readonly settledAt?: Date;
}

/** As a mailer reports it. REFUSED for good; UNKNOWN may have been taken. */
export type MailResult =
  | { readonly kind: 'SENT' }
  | { readonly kind: 'REFUSED'; readonly code: string }
  | { readonly kind: 'UNKNOWN'; readonly code: string };

export function newMailing(id: string, target: MailTarget, now: Date): Mailing {
  return { id, ...target, status: 'DUE', attempts: 0, createdAt: now, nextTryAt: now };
}

/** Throws INVALID_STATE once the receipt was sent too often. */
export function addMailing(mailings: readonly Mailing[], target: MailTarget, now: Date): readonly Mailing[] {
  if (mailings.length >= MOST_MAILINGS) {
    const detail = `The receipt was sent ${MOST_MAILINGS} times. Download its PDF instead.`;
    throw new ServiceError('INVALID_STATE', detail);
  }
  const number = mailings.filter(({ id }) => id !== CONTACT_MAILING).length + 1;
  return [...mailings, newMailing(String(number), target, now)];
}

/** The outcome of an attempt. Repeated, or come late, it never takes back that a mail was sent. */
export function noteResult(mailing: Mailing, result: MailResult, now: Date): Mailing {
  if (mailing.status === 'SENT') return mailing;
  const { nextTryAt: _next, settledAt: _settled, lastFailure: _failure, ...rest } = mailing;
  const { firstTriedAt = now } = mailing;
  const tried = { ...rest, firstTriedAt, attempts: mailing.attempts + 1 };
  if (result.kind === 'SENT') return { ...tried, status: 'SENT', settledAt: now };
  if (mailing.status === 'FAILED') return mailing;
  const lastFailure = result.code;
  const next = result.kind === 'UNKNOWN' ? nextTryAt(firstTriedAt, tried.attempts, now) : undefined;
  if (next) return { ...tried, status: 'DUE', lastFailure, nextTryAt: next };
  return { ...tried, status: 'FAILED', lastFailure, settledAt: now };
}

/** The last mail decides. */
export function receiptStatus(mailings: readonly Mailing[]): ReceiptStatus {
  const last = mailings.at(-1);
  if (!last) return 'CREATED';
  return last.status === 'DUE' ? 'SENDING' : last.status;
}

export function isDue({ status, nextTryAt: next }: Mailing, now: Date): boolean {
  return status === 'DUE' && (next?.getTime() ?? 0) <= now.getTime();
}

/** When the workflow of callers' mails has something to do next; that of the delivery has its own. */
export function nextMailAt(mailings: readonly Mailing[]): Date | undefined {
  const times = mailings.flatMap(({ id, nextTryAt: next }) => (id !== CONTACT_MAILING && next ? [next.getTime()] : []));
  return times.length === 0 ? undefined : new Date(Math.min(...times));
}
