/** The session at the provider where the customer authorises: opened, read and ended. Caller: capture-activities.ts. */

import { cancelTransaction } from '../../../workflows/payments/rules/cancelling.ts';
import { noteRejected } from '../../../workflows/payments/rules/capture.ts';
import type { TerminalSession, Transaction } from '../../../workflows/payments/rules/payment.ts';
import { combine } from '../../../workflows/payments/rules/payment-change.ts';
import {
  lacksTerminal,
  noteAuthorised,
  noteSessionEnded,
  noteSessionRefused,
  noteTerminal,
  prepareChallenge,
} from '../../../workflows/payments/rules/terminal.ts';
import { isOpen } from '../../../workflows/payments/rules/transactions.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import type { SessionRequest, SessionState } from '../provider/payment-provider.ts';
import { openAddress } from '../sealed-addresses.ts';
import { openApp } from '../sealed-app.ts';
import { type CaptureContext, reference, type Standing, unlessUnknown } from './capture-context.ts';

const DEFAULT_LANGUAGE = 'nob';

/** Writes down the session in which the customer of a page passes the challenge, where the one before has ended. */
export async function withNextSession(context: CaptureContext, standing: Standing): Promise<Standing> {
  if (!lacksTerminal(standing.transaction)) return standing;
  const { transactionId } = context.input;
  return await context.change((payment, now) => prepareChallenge(payment, { transactionId }, now));
}

/** Undefined: the provider has not answered. Repeated it finds the same session by its key. Throws PSP_ERROR. */
export async function openSession(context: CaptureContext, standing: Standing): Promise<Standing | undefined> {
  const { transaction } = standing;
  const { session } = transaction;
  if (!session || session.sessionId !== undefined) return standing;
  const provider = context.providerOf(transaction);
  const request = await requestOf(context, standing, session);
  const { id: transactionId } = transaction;
  const { key } = session;
  const opened = await unlessUnknown(() => provider.openSession(request)).catch(async (error: unknown) => {
    if (isRefused(error)) {
      await context.change((payment, now) => noteSessionRefused(payment, { transactionId, key }, now));
    }
    throw error;
  });
  if (!opened) return undefined;
  return await context.change((payment, now) => noteTerminal(payment, { transactionId, key, ...opened }, now));
}

/**
 * Of a transaction that is to end. A call that opened its session may have had no answer: repeated, it names the session.
 * Where the provider refuses the session there is none. Undefined: the provider has not answered.
 */
export async function findSession(context: CaptureContext, standing: Standing): Promise<Standing | undefined> {
  if (standing.transaction.session?.endedAt) return standing;
  try {
    return await openSession(context, standing);
  } catch (error) {
    if (isRefused(error)) return await context.read();
    throw error;
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'PSP_ERROR';
}

/** Reads the session again and writes down what has become of it. Undefined: the provider has not answered. */
export async function readSession(context: CaptureContext, standing: Standing): Promise<Standing | undefined> {
  const { transaction } = standing;
  const { session } = transaction;
  const sessionId = session?.sessionId;
  if (!session || sessionId === undefined || session.endedAt) return standing;
  const provider = context.providerOf(transaction);
  const state = await unlessUnknown(() => provider.session(sessionId));
  if (!state) return undefined;
  if (!isOfAmount(standing, state)) return await refuseAmount(context, standing);
  return await noteState(context, standing, { sessionId, state });
}

async function noteState(
  context: CaptureContext,
  standing: Standing,
  { sessionId, state }: { readonly sessionId: string; readonly state: SessionState },
): Promise<Standing> {
  const { id: transactionId } = standing.transaction;
  const { status, authorisationId, last4, challengeDone } = state;
  if (status === 'OPEN') return standing;
  if (status === 'AUTHORISED') {
    if (authorisationId === undefined)
      throw new Error(`The session of transaction ${transactionId} names no authorisation`);
    const known = { transactionId, sessionId, authorisationId, challengeDone, ...(last4 !== undefined && { last4 }) };
    return await context.change((payment, now) => noteAuthorised(payment, known, now));
  }
  return await context.change((payment, now) =>
    combine(payment, [
      (before) => noteSessionEnded(before, { transactionId, sessionId }, now),
      (before) =>
        status === 'REFUSED' ? noteRejected(before, { transactionId }, now) : { payment: before, events: [] },
    ]),
  );
}

function isOfAmount({ payment, transaction }: Standing, { amountMinor, currency }: SessionState): boolean {
  return amountMinor === transaction.amountMinor && currency === payment.currency;
}

/** Money of another amount is not what the customer was asked for: it is given back, and never captured. */
async function refuseAmount(context: CaptureContext, standing: Standing): Promise<Standing> {
  const { id: transactionId } = standing.transaction;
  const place = { paymentId: standing.payment.id, transactionId };
  context.dependencies.log.error(place, "the provider's session has another amount than the transaction");
  if (!isOpen(standing.transaction)) return standing;
  return await context.change((payment, now) => cancelTransaction(payment, { transactionId }, now));
}

async function requestOf(
  context: CaptureContext,
  standing: Standing,
  session: TerminalSession,
): Promise<SessionRequest> {
  const { payment, transaction } = standing;
  const { publicUrl } = context.dependencies.sessions;
  const { paymentType, amountMinor, provider, needsChallenge, round } = transaction;
  const { keys } = context.dependencies;
  const app = session.app && (await openApp(keys, payment, session.app));
  return {
    key: session.key,
    reference: reference(standing),
    amountMinor,
    currency: payment.currency,
    methods: [paymentType],
    returnUrl: await returnUrlOf(context, standing, session),
    callbackUrl: `${publicUrl}/v1/provider-callbacks/${provider.toLowerCase()}`,
    language: session.language ?? DEFAULT_LANGUAGE,
    ...(session.countryCode !== undefined && { countryCode: session.countryCode }),
    ...(app && { app }),
    ...((needsChallenge || round > 1) && { challenge: true }),
  };
}

/** The provider's adapter adds `responseCode`. All three are hints, and never prove a payment. */
async function returnUrlOf(
  context: CaptureContext,
  { payment, transaction }: Standing,
  session: TerminalSession,
): Promise<string> {
  const { keys } = context.dependencies;
  const { redirectUrl } = session;
  const given = redirectUrl && (await openAddress(keys, { payment, use: 'redirect' }, redirectUrl));
  const url = new URL(given ?? wayBackOf(context, transaction, session));
  url.searchParams.set('paymentId', String(payment.id));
  url.searchParams.set('transactionId', String(transaction.id));
  return url.href;
}

/**
 * Of a page. Repeated it is the same: providers refuse another address under the same key. Where the address of a caller went with an
 * erasure, it is our own.
 */
function wayBackOf(
  { dependencies, input: { orderId } }: CaptureContext,
  { paymentPageId: pageId }: Transaction,
  { pageKeyId: keyId, language = DEFAULT_LANGUAGE }: TerminalSession,
): string {
  if (pageId === undefined || keyId === undefined) return dependencies.sessions.publicUrl;
  return dependencies.pageLinks().returnUrlOf({ orderId, pageId, keyId }, language);
}
