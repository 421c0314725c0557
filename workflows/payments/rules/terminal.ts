/** From a new transaction to one that the customer has authorised. Pure. */

import { BOOK } from './book.ts';
import { assertActive } from './creation.ts';
import type { SealedAddress, SealedApp, TerminalSession, Transaction } from './payment.ts';
import { type PaymentCommand, unchanged } from './payment-change.ts';
import { ofTransaction } from './payment-events.ts';
import {
  findTransaction,
  invalidState,
  isOpen,
  logged,
  type OfOne,
  transactionOf,
  withTransaction,
} from './transactions.ts';

export interface TerminalRequest extends OfOne {
  readonly kind: TerminalSession['kind'];
  /** One of the two. */
  readonly redirectUrl?: SealedAddress;
  readonly pageKeyId?: string;
  readonly callbackUrl?: SealedAddress;
  readonly language?: string;
  readonly countryCode?: string;
  readonly app?: SealedApp;
}

/**
 * Writes down the session that is to be opened, before the provider is called. While a session lives it has no effect: the
 * customer goes to the terminal that is open. Throws INVALID_STATE, PAYMENT_INACTIVE.
 */
export const prepareTerminal: PaymentCommand<TerminalRequest> = (payment, { transactionId, ...request }, now) => {
  const transaction = transactionOf(payment, transactionId);
  if (!isOpen(transaction)) throw invalidState(`The transaction is ${transaction.status}: create another one.`);
  assertActive(payment);
  if (transaction.provider === BOOK) throw invalidState('This payment method has no terminal: capture it at once.');
  if (transaction.intent) throw invalidState('The transaction is being captured or cancelled.');
  const { session: earlier } = transaction;
  if (earlier && !earlier.endedAt) return unchanged(payment);
  const number = (earlier?.number ?? 0) + 1;
  const session: TerminalSession = { ...request, number, key: `auth-${transactionId}-${number}`, openedAt: now };
  const { authorisationId: _ended, needsChallenge: _challenge, ...rest } = transaction;
  // In an app the customer pays at once: nothing is left to confirm for the caller.
  const capturesItself = transaction.capturesItself || transaction.paymentTypeGroup === 'MOBILE';
  const prepared: Transaction = { ...rest, capturesItself, session, activeAt: now };
  return { payment: withTransaction(payment, prepared, now), events: [] };
};

/**
 * Of a page, whose provider has ended the session with a soft decline: its customer passes the challenge in the next one, and comes
 * back to the same link. Of other transactions the caller gives the address. Throws what {@link prepareTerminal} throws.
 */
export const prepareChallenge: PaymentCommand<OfOne> = (payment, { transactionId }, now) => {
  const { paymentPageId, needsChallenge, session } = transactionOf(payment, transactionId);
  if (paymentPageId === undefined || !needsChallenge || !session?.endedAt) return unchanged(payment);
  const { kind, pageKeyId, language } = session;
  const back = { ...(pageKeyId !== undefined && { pageKeyId }), ...(language !== undefined && { language }) };
  return prepareTerminal(payment, { transactionId, kind, ...back }, now);
};

export interface OpenedTerminal extends OfOne {
  readonly key: string;
  readonly sessionId: string;
  readonly terminalUri: string;
}

/** The provider has opened the session. What it was asked with is forgotten: the app, and the way back, which may name the customer. */
export const noteTerminal: PaymentCommand<OpenedTerminal> = (payment, command, now) => {
  const { transactionId, key, sessionId, terminalUri } = command;
  const transaction = findTransaction(payment, transactionId);
  const session = transaction?.session;
  if (!transaction || session?.key !== key || session.sessionId !== undefined) return unchanged(payment);
  // Another attempt of the call was refused.
  const { app: _app, redirectUrl: _redirectUrl, endedAt: _endedAt, ...known } = session;
  // It was cancelled meanwhile: who cancels finds the session, and ends it.
  if (!isOpen(transaction) || transaction.intent) {
    const found: Transaction = { ...transaction, session: { ...known, sessionId } };
    return { payment: withTransaction(payment, found, now), events: [] };
  }
  const opened: Transaction = { ...transaction, session: { ...known, sessionId, terminalUri } };
  const initiated = logged({ ...opened, status: 'INITIATED', activeAt: now }, 'INITIATE', now);
  return {
    payment: withTransaction(payment, initiated, now),
    events: [{ type: 'TransactionInitiated', ...ofTransaction(payment, transaction) }],
  };
};

/** The provider has refused the session: there is none under this key, and the next call opens another one. */
export const noteSessionRefused: PaymentCommand<OfOne & { readonly key: string }> = (payment, command, now) => {
  const transaction = findTransaction(payment, command.transactionId);
  const session = transaction?.session;
  if (!transaction || session?.key !== command.key || session.sessionId !== undefined) return unchanged(payment);
  if (session.endedAt) return unchanged(payment);
  const { app: _app, redirectUrl: _redirectUrl, ...known } = session;
  const refused: Transaction = { ...transaction, session: { ...known, endedAt: now } };
  return { payment: withTransaction(payment, refused, now), events: [] };
};

export interface Authorisation extends OfOne {
  readonly sessionId: string;
  readonly authorisationId: string;
  readonly last4?: string;
  /** The customer has passed the challenge that a soft decline asks for. */
  readonly challengeDone: boolean;
}

/** Of a transaction that has ended it only keeps the authorisation, so that it can be voided. */
export const noteAuthorised: PaymentCommand<Authorisation> = (payment, command, now) => {
  const { transactionId, sessionId, authorisationId, last4, challengeDone } = command;
  const transaction = findTransaction(payment, transactionId);
  if (!transaction || transaction.session?.sessionId !== sessionId) return unchanged(payment);
  const isKnown = transaction.authorisationId === authorisationId;
  const isPassed = transaction.needsChallenge === true && challengeDone;
  if (isKnown && !isPassed) return unchanged(payment);
  const { needsChallenge, ...rest } = transaction;
  // The provider may have ended the session before it knew.
  const { endedAt: _endedAt, ...session } = transaction.session;
  const authorised: Transaction = {
    ...rest,
    session,
    ...(needsChallenge && !isPassed && { needsChallenge }),
    authorisationId,
    ...(last4 !== undefined && { last4 }),
  };
  const after = isOpen(transaction)
    ? logged({ ...authorised, activeAt: now }, 'AUTHENTICATE', now)
    : lateOf(authorised, now);
  return { payment: withTransaction(payment, after, now), events: [] };
};

/**
 * The provider has ended the session before the customer has authorised, or passed the challenge. The customer may open
 * another one.
 */
export const noteSessionEnded: PaymentCommand<OfOne & { readonly sessionId: string }> = (payment, command, now) => {
  const transaction = findTransaction(payment, command.transactionId);
  const session = transaction?.session;
  if (!transaction || !session || session.endedAt || session.sessionId !== command.sessionId) return unchanged(payment);
  const { authorisationId, needsChallenge, intent } = transaction;
  const isUsed = authorisationId !== undefined && !needsChallenge;
  if (!isOpen(transaction) || intent || isUsed) return unchanged(payment);
  const ended: Transaction = { ...transaction, session: { ...session, endedAt: now } };
  return { payment: withTransaction(payment, ended, now), events: [] };
};

/** An address of a live terminal, where there is one. */
export function liveTerminal({ session }: Transaction): string | undefined {
  return session && !session.endedAt ? session.terminalUri : undefined;
}

/** The customer has somewhere to go once another session is opened, or the one that was written down. */
export function lacksTerminal(transaction: Transaction): boolean {
  const { session, intent, needsChallenge } = transaction;
  if (!session || intent || !isOpen(transaction)) return false;
  return session.endedAt ? needsChallenge === true : session.terminalUri === undefined;
}

/** The money of an authorisation that came too late is to be given back. */
function lateOf(transaction: Transaction, now: Date): Transaction {
  if (transaction.intent || (transaction.status !== 'CANCELLED' && transaction.status !== 'REJECTED'))
    return transaction;
  return { ...transaction, intent: { kind: 'VOID', key: voidKey(transaction), since: now } };
}

export function voidKey({ id }: Pick<Transaction, 'id'>): string {
  return `void-${id}`;
}
