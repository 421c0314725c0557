/** What payments mean in the ledger: under random commands, every entry balances and together they say what the payment says. */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { assertBalanced } from '../../platform/events/journal-entry.ts';
import type { Payment } from '../../workflows/payments/rules/payment.ts';
import type { MoneyEvent } from '../../workflows/payments/rules/payment-events.ts';
import { entryOf, isMoneyEvent, postedEvents } from '../../workflows/payments/rules/postings.ts';
import { summaryOf } from '../../workflows/payments/rules/summary.ts';
import type { SettlementId } from '../../workflows/shared/ids.ts';
import { AccountSums } from '../../workflows/shared/journal-entry.ts';
import { sumOf } from '../../workflows/shared/money.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { later, NOW } from '../support/sample-orders.ts';
import { createdPayment, TOTAL } from '../support/sample-payments.ts';
import { seededRandom } from '../support/zip-samples.ts';
import { COMMANDS } from './payment-commands.ts';

const given = process.env.PAYMENT_SEED;
const FIRST_SEED = given === undefined ? randomInt(2 ** 31) : Number(given);
const STORIES = 400;
const COMMANDS_EACH = 40;
const NAMES = Object.keys(COMMANDS);

interface Told {
  readonly payment: Payment;
  readonly events: readonly MoneyEvent[];
}

function tell(seed: number): Told {
  const random = seededRandom(seed);
  let payment = createdPayment();
  const events: MoneyEvent[] = [];
  for (let step = 0; step < COMMANDS_EACH; step += 1) {
    // Most stories get to the money.
    const name = step === 0 ? 'noteCaptured' : NAMES[random(NAMES.length)];
    try {
      const change = COMMANDS[name as string]?.(payment, later(step)) ?? { payment, events: [] };
      events.push(...postedEvents(change).filter(isMoneyEvent));
      payment = change.payment;
    } catch (error) {
      if (!(error instanceof ServiceError) && !(error instanceof RangeError)) throw error;
    }
  }
  return { payment, events };
}

function check({ payment, events }: Told): void {
  const sums = new AccountSums();
  for (const { entry } of events) {
    assert.ok(entry);
    assertBalanced(entry);
    sums.addAll(entry.postings);
  }
  const of = (...starts: readonly string[]) =>
    sumOf(
      sums
        .postings()
        .flatMap(({ account, amountMinor }) =>
          starts.some((start) => account.startsWith(start)) ? [amountMinor] : [],
        ),
    );
  const { capturedMinor, creditedMinor } = summaryOf(payment);
  assert.equal(of('receivables'), creditedMinor - capturedMinor);
  assert.equal(
    of('clearing/', 'book/') + of('disputes') + of('failed-credits', 'other-payouts') + of('overpaid-credits'),
    capturedMinor - creditedMinor,
  );
}

describe('the entries of payments', () => {
  it(`balance, and say what was captured and credited (PAYMENT_SEED=${FIRST_SEED})`, () => {
    const types = new Map<string, number>();
    for (let seed = FIRST_SEED; seed < FIRST_SEED + STORIES; seed += 1) {
      const told = tell(seed);
      try {
        check(told);
      } catch (error) {
        throw new Error(`PAYMENT_SEED=${seed}: ${String(error)}`, { cause: error });
      }
      for (const { type } of told.events) types.set(type, (types.get(type) ?? 0) + 1);
    }
    for (const type of [
      'TransactionCaptured',
      'CreditExecuted',
      'CreditFailed',
      'CreditSettled',
      'CreditPaidTwice',
      'TransactionDisputed',
      'TransactionDisputeWon',
    ]) {
      assert.ok((types.get(type) ?? 0) > 10, `${type}: ${types.get(type)}`);
    }
  });

  it('are the same when they are made again from the payment as it is later', () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + 50; seed += 1) {
      const { payment, events } = tell(seed);
      for (const { entry, ...event } of events) assert.deepEqual(entryOf(payment, event as MoneyEvent), entry);
    }
  });

  it('name the accounts, the order, the payment and the settlement', () => {
    const settlementId = '4711' as SettlementId;
    const [plain] = createdPayment().transactions;
    const transaction = { ...plain, settlementId, provider: 'SIMULATOR' } as Payment['transactions'][number];
    const change = COMMANDS.noteCaptured?.({ ...createdPayment(), transactions: [transaction] }, NOW);
    const [event] = postedEvents(change ?? { payment: createdPayment(), events: [] });
    const { id: paymentId, orderId } = createdPayment();
    assert.deepEqual(event && 'entry' in event && event.entry, {
      currency: 'NOK',
      postings: [
        { account: 'clearing/SIMULATOR', amountMinor: TOTAL },
        { account: 'receivables', amountMinor: -TOTAL },
      ],
      references: { orderId, paymentId, transactionId: transaction.id },
      settlementId,
    });
  });
});
