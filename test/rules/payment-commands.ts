/** Every command on payments, made for the transaction of the sample payment. Used by the table and the properties. */
import { cancelTransaction, noteVoided, patchPayment } from '../../workflows/payments/rules/cancelling.ts';
import { beginCapture, noteCaptured, noteRejected, noteSoftDecline } from '../../workflows/payments/rules/capture.ts';
import { addTransaction, importTransaction } from '../../workflows/payments/rules/creation.ts';
import {
  noteCredited,
  noteCreditFailed,
  noteCreditRefused,
  noteCreditSettled,
  noteDispute,
  noteDisputeWon,
  reserveCredit,
} from '../../workflows/payments/rules/credits.ts';
import type { Payment } from '../../workflows/payments/rules/payment.ts';
import type { PaymentChange } from '../../workflows/payments/rules/payment-change.ts';
import {
  noteAuthorised,
  noteSessionEnded,
  noteTerminal,
  prepareTerminal,
} from '../../workflows/payments/rules/terminal.ts';
import type { TransactionId } from '../../workflows/shared/ids.ts';
import {
  CREDIT_ID,
  SEALED_ADDRESS,
  SESSION,
  sampleTransaction,
  TOTAL,
  TRANSACTION_ID,
  theTransaction,
} from '../support/sample-payments.ts';

export type Try = (payment: Payment, now: Date) => PaymentChange;

const transactionId = TRANSACTION_ID;
const redirectUrl = SEALED_ADDRESS;
const authorisation = { transactionId, sessionId: SESSION, authorisationId: 'auth-1', last4: '1111' };
const credit = { transactionId, creditId: CREDIT_ID };
const further = { id: 10 as TransactionId, amountMinor: TOTAL / 3 };

/** Of the capture that runs; else of the one that would be next. */
function captureKey(payment: Payment): string {
  const { intent, round } = theTransaction(payment);
  return intent?.kind === 'CAPTURE' ? intent.key : `cap-${transactionId}-${round}`;
}

export const COMMANDS: Readonly<Record<string, Try>> = {
  addTransaction: (payment, now) => addTransaction(payment, sampleTransaction(further), now),
  importTransaction: (payment, now) =>
    importTransaction(payment, { ...sampleTransaction(further), rrn: 'IMPORTED', confirmedAt: now }, now),
  prepareTerminal: (payment, now) => prepareTerminal(payment, { transactionId, kind: 'TERMINAL', redirectUrl }, now),
  noteTerminal: (payment, now) => {
    const key = `auth-${transactionId}-1`;
    return noteTerminal(payment, { transactionId, key, sessionId: SESSION, terminalUri: 'https://psp.example/t' }, now);
  },
  noteAuthorised: (payment, now) => noteAuthorised(payment, { ...authorisation, challengeDone: false }, now),
  noteChallengePassed: (payment, now) => noteAuthorised(payment, { ...authorisation, challengeDone: true }, now),
  noteSessionEnded: (payment, now) => noteSessionEnded(payment, { transactionId, sessionId: SESSION }, now),
  beginCapture: (payment, now) => beginCapture(payment, { transactionId }, now),
  noteCaptured: (payment, now) => noteCaptured(payment, { transactionId, key: captureKey(payment), rrn: 'RRN' }, now),
  noteSoftDecline: (payment, now) => noteSoftDecline(payment, { transactionId, key: captureKey(payment) }, now),
  noteCaptureRefused: (payment, now) => noteRejected(payment, { transactionId, key: captureKey(payment) }, now),
  noteAuthorisationRefused: (payment, now) => noteRejected(payment, { transactionId }, now),
  cancelTransaction: (payment, now) => cancelTransaction(payment, { transactionId }, now),
  noteVoided: (payment, now) => noteVoided(payment, { transactionId, key: `void-${transactionId}` }, now),
  deactivate: (payment, now) => patchPayment(payment, { active: false }, now),
  raiseTotal: (payment, now) => patchPayment(payment, { totalMinor: 2 * TOTAL }, now),
  lowerTotal: (payment, now) => patchPayment(payment, { totalMinor: TOTAL / 2 }, now),
  reserveCredit: (payment, now) =>
    reserveCredit(payment, { creditId: CREDIT_ID, parts: [{ transactionId, amountMinor: TOTAL }] }, now),
  noteCredited: (payment, now) => noteCredited(payment, { ...credit, rrn: 'BACK' }, now),
  noteCreditRefused: (payment, now) => noteCreditRefused(payment, credit, now),
  noteCreditFailed: (payment, now) => noteCreditFailed(payment, credit, now),
  noteCreditSettled: (payment, now) => noteCreditSettled(payment, credit, now),
  noteDispute: (payment, now) => noteDispute(payment, { transactionId }, now),
  noteForeignDispute: (payment, now) =>
    noteDispute(payment, { transactionId, amountMinor: 3_050, currency: 'EUR' }, now),
  noteDisputeWon: (payment, now) => noteDisputeWon(payment, { transactionId }, now),
};
