/**
 * Properties of payments under random commands: money is captured once, never more of it is credited, what has ended stays
 * ended, and a repeated outcome changes nothing. A failure prints its seed; `PAYMENT_SEED` repeats it.
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { isIdle, noteVoided } from '../../workflows/payments/rules/cancelling.ts';
import { beginCapture, MAX_ROUNDS, noteCaptured, noteSoftDecline } from '../../workflows/payments/rules/capture.ts';
import { addTransaction, createPayment, importTransaction } from '../../workflows/payments/rules/creation.ts';
import { createCredit, creditStatusOf, notePart } from '../../workflows/payments/rules/credit.ts';
import { reserveCredit } from '../../workflows/payments/rules/credits.ts';
import { importKeys } from '../../workflows/payments/rules/entered-money.ts';
import type { Payment } from '../../workflows/payments/rules/payment.ts';
import { PAYMENT_EVENT_TYPES, type PaymentEvent } from '../../workflows/payments/rules/payment-events.ts';
import { creditedMinor, noteOf, reservedMinor, statusOf, summaryOf } from '../../workflows/payments/rules/summary.ts';
import { noteAuthorised, prepareTerminal } from '../../workflows/payments/rules/terminal.ts';
import { isOpen, isTaken } from '../../workflows/payments/rules/transactions.ts';
import type { CreditId, TransactionId } from '../../workflows/shared/ids.ts';
import { parseAmount } from '../../workflows/shared/money.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { later, NOW } from '../support/sample-orders.ts';
import {
  after,
  authorisedPayment,
  capturedPayment,
  createdPayment,
  openPayment,
  SEALED_ADDRESS,
  SESSION,
  samplePayment,
  sampleTransaction,
  TOTAL,
  TRANSACTION_ID,
  theTransaction,
} from '../support/sample-payments.ts';
import { seededRandom } from '../support/zip-samples.ts';
import { COMMANDS } from './payment-commands.ts';

const PAYMENTS = 1_500;
const COMMANDS_EACH = 40;
/** Commands that end a transaction are rare: most stories go on. */
const RARE = new Set([
  'deactivate',
  'cancelTransaction',
  'noteCaptureRefused',
  'noteAuthorisationRefused',
  'noteDispute',
  'noteForeignDispute',
]);
const NAMES = Object.keys(COMMANDS).flatMap((name) => (RARE.has(name) ? [name] : [name, name, name, name]));
/** Reports of an outcome: they come again, and too late. */
const REPORTS = Object.keys(COMMANDS).filter((name) => name.startsWith('note'));
const given = process.env.PAYMENT_SEED;
const FIRST_SEED = given === undefined ? randomInt(2 ** 31) : Number(given);

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
  return 'allowed';
}

class Story {
  payment = createdPayment();
  readonly events: PaymentEvent[] = [];
  readonly #random: (below: number) => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  step(now: Date): void {
    const name = NAMES[this.#random(NAMES.length)] ?? '';
    // A provider captures nothing that was given back or refused.
    const isEnded = ['CANCELLED', 'REJECTED'].includes(theTransaction(this.payment).status);
    if (name === 'noteCaptured' && isEnded) return;
    this.#take(name, now);
    if (REPORTS.includes(name)) this.#checkRepeat(name, now);
    this.#check(name);
  }

  #take(name: string, now: Date): void {
    const before = this.payment;
    const code = codeOf(() => {
      const change = COMMANDS[name]?.(before, now);
      assert.ok(change);
      if (change.payment === before) assert.equal(change.events.length, 0, name);
      this.payment = change.payment;
      this.events.push(...change.events);
    });
    if (code !== 'allowed') assert.ok(!REPORTS.includes(name), `${name} refuses: ${code}`);
    for (const { id, status } of before.transactions) {
      const after = theTransaction(this.payment, id);
      if (!isOpen({ status })) assert.ok(!isOpen(after), `${name} opens ${status} again`);
      if (isTaken({ status })) assert.ok(isTaken(after), name);
    }
  }

  #checkRepeat(name: string, now: Date): void {
    const again = COMMANDS[name]?.(this.payment, now);
    // A capture that was declined is answered under the key of its round alone.
    assert.equal(again?.payment, this.payment, `${name} has an effect again`);
  }

  #check(name: string): void {
    const { capturedMinor, creditedMinor: credited, remainingMinor } = summaryOf(this.payment);
    assert.ok(capturedMinor <= this.payment.totalMinor && credited <= capturedMinor, name);
    assert.equal(remainingMinor, this.payment.totalMinor - capturedMinor);
    for (const transaction of this.payment.transactions) {
      assert.ok(reservedMinor(transaction) <= transaction.amountMinor, name);
      assert.ok(transaction.round <= MAX_ROUNDS, name);
      const isWhole = creditedMinor(transaction) === transaction.amountMinor;
      if (transaction.status === 'CREDITED') assert.ok(isWhole, name);
      if (isTaken(transaction)) assert.equal(transaction.intent, undefined, name);
    }
    const sum = (type: PaymentEvent['type']) =>
      this.events
        .filter((event) => event.type === type)
        .reduce((total, event) => total + (parseAmount('amount' in event ? event.amount : '0', 'NOK') ?? 0), 0);
    assert.equal(sum('TransactionCaptured'), capturedMinor, name);
    assert.equal(sum('CreditExecuted'), credited, name);
    const open = this.payment.transactions.filter(isOpen).length;
    assert.equal(noteOf(this.payment).openTransactions, open);
  }
}

describe('payments under random commands', () => {
  it('keep their promises', () => {
    const told = new Set<string>();
    for (let seed = FIRST_SEED; seed < FIRST_SEED + PAYMENTS; seed += 1) {
      const story = new Story(seed);
      try {
        for (let step = 0; step < COMMANDS_EACH; step += 1) story.step(later(step));
      } catch (error) {
        throw new Error(`PAYMENT_SEED=${seed}`, { cause: error });
      }
      for (const { type } of story.events) told.add(type);
    }
    const reached = PAYMENT_EVENT_TYPES.filter((type) => type !== 'PaymentCreated');
    assert.deepEqual([...told].sort(), reached.toSorted());
  });
});

describe('payments', () => {
  it('begin with a transaction that pays the total', () => {
    const transaction = sampleTransaction();
    const { payment, events } = createPayment(samplePayment({ transaction }), NOW);
    assert.deepEqual(events, [
      {
        ...{ type: 'PaymentCreated', paymentId: 7, orderVersion: 1, amount: '300.00', currency: 'NOK' },
        distributionChannelId: payment.distributionChannelId,
      },
    ]);
    const half = { ...transaction, amountMinor: TOTAL / 2 };
    assert.equal(
      codeOf(() => createPayment(samplePayment({ transaction: half }), NOW)),
      'AMOUNT_MISMATCH',
    );
    assert.equal(
      codeOf(() => createPayment(samplePayment({ totalMinor: 0 }), NOW)),
      'AMOUNT_MISMATCH',
    );
    const euros = { ...transaction, currency: 'EUR' };
    assert.equal(
      codeOf(() => createPayment(samplePayment({ transaction: euros }), NOW)),
      'CURRENCY_MISMATCH',
    );
  });

  it('have at most fifty transactions', () => {
    let payment = createPayment(samplePayment({ totalMinor: 100 }), NOW).payment;
    for (let id = 1; id <= 50; id += 1) {
      const command = sampleTransaction({ id: id as TransactionId, amountMinor: 1 });
      payment = addTransaction(payment, command, NOW).payment;
    }
    const more = sampleTransaction({ id: 51 as TransactionId, amountMinor: 1 });
    assert.equal(
      codeOf(() => addTransaction(payment, more, NOW)),
      'INVALID_STATE',
    );
    assert.equal(addTransaction(payment, { ...more, id: 50 as TransactionId }, NOW).payment, payment);
  });

  it('count the imports of a reference by their day in UTC', () => {
    const empty = createPayment(samplePayment(), NOW).payment;
    const money = { ...sampleTransaction({ amountMinor: 100 }), rrn: 'R' };
    const at = (text: string, id: number) => ({ ...money, id: id as TransactionId, confirmedAt: new Date(text) });
    const one = importTransaction(empty, at('2026-05-04T23:59:59Z', 1), NOW).payment;
    assert.deepEqual(importKeys(one), ['2026-05-04/R']);
    assert.equal(
      codeOf(() => importTransaction(one, at('2026-05-04T00:00:00Z', 2), NOW)),
      'DUPLICATE_TRANSACTION',
    );
    // Past midnight in Oslo, and the same day in UTC.
    const inOslo = at('2026-05-05T01:00:00+02:00', 2);
    assert.equal(
      codeOf(() => importTransaction(one, inOslo, NOW)),
      'DUPLICATE_TRANSACTION',
    );
    const two = importTransaction(one, at('2026-05-05T00:00:00Z', 2), NOW);
    assert.equal(two.payment.transactions.length, 2);
  });

  it('are paid, then credited in part and in whole', () => {
    const paid = capturedPayment();
    assert.equal(statusOf(paid), 'PAID');
    const credit = (payment: Payment, id: number, amountMinor: number) => {
      const creditId = id as CreditId;
      const parts = [{ transactionId: TRANSACTION_ID, amountMinor }];
      const reserved = reserveCredit(payment, { creditId, parts }, NOW).payment;
      assert.equal(reserveCredit(reserved, { creditId, parts }, NOW).payment, reserved);
      return reserved;
    };
    const part = credit(paid, 1, TOTAL - 1);
    assert.equal(statusOf(part), 'PAID', 'money that is set aside is not credited yet');
    assert.equal(
      codeOf(() => credit(part, 2, 2)),
      'REFUND_AMOUNT_EXCEEDED',
    );
    assert.equal(summaryOf(credit(part, 2, 1)).creditedMinor, 0);
  });
});

describe('transactions', () => {
  const transactionId = TRANSACTION_ID;
  const challengePassed = (payment: Payment): Payment => {
    const passed = { transactionId, sessionId: SESSION, authorisationId: 'auth-1', challengeDone: true };
    return noteAuthorised(payment, passed, NOW).payment;
  };

  it('get a new key for each round, and are rejected after the fifth', () => {
    let payment = authorisedPayment();
    const keys: string[] = [];
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      payment = beginCapture(payment, { transactionId }, NOW).payment;
      const key = theTransaction(payment).intent?.key ?? assert.fail();
      keys.push(key);
      payment = noteSoftDecline(payment, { transactionId, key }, NOW).payment;
      payment = challengePassed(payment);
    }
    assert.deepEqual(
      keys,
      [1, 2, 3, 4, 5].map((round) => `cap-9-${round}`),
    );
    assert.equal(theTransaction(payment).status, 'REJECTED');
  });

  it('tell whether the terminal is still to be opened, or the customer to be sent there', () => {
    const prepared = after(createdPayment(), 'prepare');
    for (const [payment, next] of [
      [createdPayment(), /open its terminal, and send the customer there/u],
      [prepared, /open its terminal, and send the customer there/u],
      [openPayment(), /send the customer to its terminal, which is open/u],
    ] as const) {
      assert.throws(() => beginCapture(payment, { transactionId }, NOW), { code: 'INVALID_STATE', message: next });
    }
  });

  it('use up no round while a challenge is due', () => {
    const begun = beginCapture(authorisedPayment(), { transactionId }, NOW).payment;
    const declined = noteSoftDecline(begun, { transactionId, key: 'cap-9-1' }, NOW).payment;
    assert.throws(() => beginCapture(declined, { transactionId }, NOW), { code: 'SOFT_DECLINE' });
    const again = beginCapture(challengePassed(declined), { transactionId }, NOW).payment;
    assert.equal(theTransaction(again).intent?.key, 'cap-9-2');
  });

  it('keep the key of a capture whose outcome is unknown', () => {
    const begun = beginCapture(authorisedPayment(), { transactionId }, NOW).payment;
    assert.equal(beginCapture(begun, { transactionId }, later(5)).payment, begun);
    const other = { transactionId, key: 'cap-9-2' };
    assert.equal(noteSoftDecline(begun, other, NOW).payment, begun, 'of another round');
    assert.throws(() => noteCaptured(begun, { transactionId, key: 'cap-8-1' }, NOW), RangeError);
  });

  it('are cancelled thirty minutes after their last step, but never while a provider is asked', () => {
    const transaction = theTransaction(openPayment());
    assert.deepEqual([isIdle(transaction, later(29)), isIdle(transaction, later(30))], [false, true]);
    const capturing = beginCapture(authorisedPayment(), { transactionId }, NOW).payment;
    assert.equal(isIdle(theTransaction(capturing), later(60)), false);
    assert.equal(isIdle(theTransaction(capturedPayment()), later(60)), false);
    const book = { ...transaction, provider: 'BOOK' };
    assert.equal(isIdle(book, later(30)), true);
    assert.equal(isIdle({ ...book, paymentTypeGroup: 'INVOICE' }, later(60 * 24 * 30)), false);
  });

  it('void an authorisation that comes after they were cancelled', () => {
    const cancelled = COMMANDS.noteVoided?.(
      COMMANDS.cancelTransaction?.(openPayment(), NOW).payment ?? assert.fail(),
      NOW,
    ).payment;
    assert.ok(cancelled);
    const late = { transactionId, sessionId: SESSION, authorisationId: 'a', challengeDone: false };
    const owed = noteAuthorised(cancelled, late, NOW).payment;
    const { status, intent, authorisationId } = theTransaction(owed);
    assert.deepEqual([status, intent?.key, authorisationId], ['CANCELLED', 'void-9', 'a']);
    const done = noteVoided(owed, { transactionId, key: 'void-9' }, NOW);
    assert.equal(theTransaction(done.payment).intent, undefined);
    assert.deepEqual(done.events, [], 'it was told before');
  });

  it('capture themselves in apps, and wait for a capture where a card is used', () => {
    const request = { transactionId, kind: 'TERMINAL' as const, redirectUrl: SEALED_ADDRESS };
    const capturesItself = (paymentTypeGroup: string) => {
      const payment = createPayment(
        samplePayment({ transaction: sampleTransaction({ paymentTypeGroup }) }),
        NOW,
      ).payment;
      return theTransaction(prepareTerminal(payment, request, NOW).payment).capturesItself;
    };
    assert.deepEqual([capturesItself('MOBILE'), capturesItself('PAYMENTCARD')], [true, false]);
  });

  it('open another session after the provider has ended one', () => {
    const ended = COMMANDS.noteSessionEnded?.(openPayment(), NOW).payment ?? assert.fail();
    const request = { transactionId, kind: 'TERMINAL' as const, redirectUrl: SEALED_ADDRESS };
    const { session } = theTransaction(prepareTerminal(ended, request, NOW).payment);
    assert.deepEqual([session?.number, session?.key, session?.sessionId], [2, 'auth-9-2', undefined]);
  });
});

describe('credits', () => {
  const parts = [9, 10].map((id) => ({
    ...{ paymentId: 7 as never, transactionId: id as TransactionId, amountMinor: 100 },
    ...{ paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA' },
  }));
  const { organisationId, distributionChannelId, orderId } = samplePayment();
  const facts = { organisationId, distributionChannelId, orderId, orderVersion: 1, currency: 'NOK' };
  const make = () => createCredit({ ...facts, id: 1 as CreditId, reason: 'BALANCE', parts }, NOW);

  it('are credited when each part is, and failed when one has failed', () => {
    const made = make();
    assert.equal(creditStatusOf(made), 'CREATED');
    const one = notePart(made, { transactionId: 9 as TransactionId, status: 'CREDITED', rrn: 'R' }, NOW);
    assert.equal(creditStatusOf(one), 'CREATED');
    assert.equal(notePart(one, { transactionId: 9 as TransactionId, status: 'CREDITED' }, NOW), one);
    const both = notePart(one, { transactionId: 10 as TransactionId, status: 'CREDITED' }, NOW);
    assert.equal(creditStatusOf(both), 'CREDITED');
    const failed = notePart(both, { transactionId: 10 as TransactionId, status: 'FAILED' }, NOW);
    assert.equal(creditStatusOf(failed), 'FAILED');
    assert.equal(notePart(failed, { transactionId: 10 as TransactionId, status: 'CREDITED' }, NOW), failed);
  });

  it('have parts, each above nothing', () => {
    const none = { ...facts, id: 1 as CreditId, reason: 'BALANCE' as const, parts: [] };
    assert.throws(() => createCredit(none, NOW), RangeError);
  });
});
