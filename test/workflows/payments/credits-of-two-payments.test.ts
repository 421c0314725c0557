/** Credits whose parts are of two payments: paid whole or refused whole, whenever an attempt dies; and settled part by part. */
import '../../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createCreditActivities } from '../../../activities/payments/credit/credit-activities.ts';
import { Providers } from '../../../activities/payments/provider/providers.ts';
import { RefundedMoney } from '../../../activities/payments/refund-money.ts';
import { noteCreditFailed, noteDispute, noteDisputeWon } from '../../../workflows/payments/rules/credits.ts';
import { creditableMinor } from '../../../workflows/payments/rules/summary.ts';
import type { CreditId } from '../../../workflows/shared/ids.ts';
import { OURS } from '../../support/sample-orders.ts';
import { GOOD_CARD, MoneyWorld, type PaidPlace } from './money-world.ts';

/** The provider refuses to refund it. */
const NO_REFUNDS = '4000000000005126';
const WORK = { correlationId: 'c', clientId: 'test' };
const [FIRST, SECOND] = [10_000, 2_500] as const;

interface Credited {
  readonly first: PaidPlace;
  readonly second: PaidPlace;
  readonly creditId: CreditId;
}

describe('credits of two payments', () => {
  let world: MoneyWorld;
  let money: RefundedMoney;
  before(async () => {
    world = await MoneyWorld.open('two-payments');
    const { payments, credits, notes } = world;
    // The test calls the step itself, so that nothing happens in between.
    const workflows = { startCredit: async () => {}, wake: async () => assert.fail('nothing is asked for') };
    money = new RefundedMoney({ payments, credits, notes, workflows, orders: () => world.fixture.here.access });
  });
  beforeEach(async () => await world.reset());
  after(async () => await world?.close());

  const begun = async (secondCard = GOOD_CARD): Promise<Credited> => {
    const first = await world.authorised();
    await world.capture(first);
    await world.owesMore(first, SECOND);
    const second = await world.authorised(secondCard, { order: await world.order(first) });
    await world.capture(second);
    const { payment } = await world.payments.get(OURS, first.paymentId);
    const { distributionChannelId, currency, orderId } = payment;
    const parts = [first, second].map(({ paymentId, transactionId }, at) => ({
      ...{ paymentId, transactionId, amountMinor: at === 0 ? FIRST : SECOND },
      ...{ paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA' },
    }));
    const order = { organisationId: OURS, orderId, orderVersion: 3, distributionChannelId, currency };
    const wanted = { ...order, parts, reason: 'REFUND' as const };
    const work = { workId: `refund/${orderId}/${randomUUID()}`, correlationId: 'c' };
    return { first, second, creditId: await money.begin(wanted, work) };
  };
  const inputOf = ({ first: { orderId }, creditId }: Credited) => ({
    ...{ organisationId: OURS, orderId, creditId, correlationId: 'c' },
  });
  const look = async ({ creditId }: Credited) =>
    await money.outcome(OURS, creditId, { correlationId: 'c', looksOnce: true });
  const moved = async ({ first, second }: Credited) => [
    (await world.ledger(first)).refunded,
    (await world.ledger(second)).refunded,
  ];
  const creditable = async ({ first, second }: Credited) => [
    creditableMinor(await world.transaction(first)),
    creditableMinor(await world.transaction(second)),
  ];
  const change = async ({ paymentId }: PaidPlace, decide: Parameters<MoneyWorld['payments']['change']>[3]) =>
    await world.payments.change(OURS, paymentId, WORK, decide);

  /** Its process dies after so many writes. False: it has ended before. */
  const dies = async (credited: Credited, writes: number): Promise<boolean> => {
    let left = writes;
    const { payments, credits, notes } = world;
    const noted = <Answer>(answer: Answer): Answer => {
      left -= 1;
      if (left < 0) throw new Error('died');
      return answer;
    };
    const steps = createCreditActivities({
      ...{ notes, log: world.fixture.here.options.log, providers: new Providers([world.provider]) },
      ...{ orderReads: () => world.fixture.here.access, orders: () => world.money, money: world.refundMoney },
      payments: { change: async (...request) => noted(await payments.change(...request)) },
      credits: {
        ...{ get: credits.get.bind(credits), pending: credits.pending },
        noteDecisionStep: credits.noteDecisionStep.bind(credits),
        listOfOrder: credits.listOfOrder.bind(credits),
        notePart: async (...request) => noted(await credits.notePart(...request)),
        noteReservation: async (...request) => noted(await credits.noteReservation(...request)),
      },
      now: () => world.fixture.now,
    });
    try {
      await steps.payBack(inputOf(credited));
      return false;
    } catch (error) {
      if (error instanceof Error && error.message === 'died') return true;
      throw error;
    }
  };

  it('are refused whole or paid whole, after whichever write an attempt dies, and though money becomes free then', async () => {
    const ended: string[] = [];
    for (let writes = 0, hasDied = true; hasDied; writes += 1) {
      const credited = await begun();
      const { transactionId } = credited.second;
      await change(credited.second, (before, now) => noteDispute(before, { transactionId }, now));
      hasDied = await dies(credited, writes);
      await change(credited.second, (before, now) => noteDisputeWon(before, { transactionId }, now));
      const status = await world.creditSteps.payBack(inputOf(credited));
      ended.push(status);
      const isPaid = status === 'CREDITED';
      assert.deepEqual(await moved(credited), isPaid ? [FIRST, SECOND] : [0, 0], `${status} after ${writes} writes`);
      assert.deepEqual(await creditable(credited), isPaid ? [0, 0] : [FIRST, SECOND]);
      const { creditedMinor } = (await world.order(credited.first)).money;
      assert.equal(creditedMinor, isPaid ? FIRST + SECOND : 0);
      assert.equal((await look(credited)).isExceeded, isPaid ? undefined : true);
    }
    // Nothing was decided before the reservation was noted.
    assert.deepEqual(new Set(ended.slice(0, 1)), new Set(['CREDITED']));
    assert.ok(ended.length >= 5 && ended.slice(2).every((status) => status === 'FAILED'), ended.join());
  });

  it('are refused whole by two attempts at once', async () => {
    const credited = await begun();
    const { transactionId } = credited.second;
    await change(credited.second, (before, now) => noteDispute(before, { transactionId }, now));
    const attempts = Array.from({ length: 5 }, () => world.creditSteps.payBack(inputOf(credited)));
    assert.deepEqual(new Set(await Promise.all(attempts)), new Set(['FAILED']));
    assert.deepEqual(await moved(credited), [0, 0]);
    assert.equal((await creditable(credited))[0], FIRST);
    const account = (await money.accountsOf(OURS, [credited.creditId])).get(credited.creditId);
    assert.deepEqual(new Set(account?.parts.map(({ refusal }) => refusal)), new Set(['REFUND_AMOUNT_EXCEEDED']));
  });

  it('settle what failed later, and leave what was given up', async () => {
    const credited = await begun(NO_REFUNDS);
    assert.equal(await world.creditSteps.payBack(inputOf(credited)), 'FAILED');
    const { creditId, first } = credited;
    await money.settle(OURS, creditId, 'GIVEN_UP', 'c');
    const { transactionId } = first;
    await change(first, (before, now) => noteCreditFailed(before, { transactionId, creditId }, now));
    await world.credits.notePart(OURS, creditId, { transactionId, status: 'FAILED' });
    // The second finds it settled: its credit is told again.
    for (const _attempt of [1, 2]) {
      assert.equal((await money.settleOwed(OURS, creditId, 'c')).creditedMinor, FIRST);
      assert.deepEqual(await creditable(credited), [0, SECOND]);
      assert.equal((await world.order(first)).money.creditedMinor, FIRST);
      const { parts } = (await world.credits.get(OURS, creditId)).credit;
      assert.deepEqual(
        parts.map(({ status }) => status),
        ['CREDITED', 'FAILED'],
      );
    }
    const [problem, ...others] = await money.listProblems(OURS, first.orderId);
    assert.ok(problem?.paidOtherwiseAt && others.length === 0);
  });
});
