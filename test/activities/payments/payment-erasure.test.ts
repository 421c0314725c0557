/** What the erasure of a customer leaves of payments: everything but what callers have given and sealed. */
import assert from 'node:assert/strict';
import { CALLBACKS_COLLECTION, ClientCallbacks } from '../../../activities/payments/client-callbacks.ts';
import { paymentErasureStep } from '../../../activities/payments/payment-erasure.ts';
import type { StoredPayment } from '../../../activities/payments/payment-types.ts';
import { CUSTOMER } from '../../../activities/shared/customer-kind.ts';
import { createLog } from '../../../platform/log.ts';
import { cancelTransaction, noteVoided } from '../../../workflows/payments/rules/cancelling.ts';
import type { Payment } from '../../../workflows/payments/rules/payment.ts';
import type { PaymentCommand } from '../../../workflows/payments/rules/payment-change.ts';
import { noteSessionRefused, noteTerminal, prepareTerminal } from '../../../workflows/payments/rules/terminal.ts';
import type { CustomerNumber, OrderId } from '../../../workflows/shared/ids.ts';
import { OURS, THEIRS } from '../../support/sample-orders.ts';
import { PaymentFixture, work } from './payment-fixture.ts';

const ANNA = '1000000001' as CustomerNumber;
const SUBJECT = CUSTOMER.subjectOf(ANNA);
const [ADDRESS, TOLD] = ['https://shop.example/paid?email=anna@example.org', 'https://shop.example/told?of=anna'];
const TERMINAL = 'https://pay.example/t/secret';

describe('the erasure of a customer with payments', () => {
  const fixture = new PaymentFixture('payment-erasure');
  const callbacks = () => CALLBACKS_COLLECTION.open(fixture.here.connection);
  before(async () => await fixture.open());
  beforeEach(async () => {
    await fixture.clear();
    await callbacks().deleteMany({});
  });
  after(async () => await fixture.close());

  /** `named`: orders that name the customer. */
  const step = (...named: readonly OrderId[]) =>
    paymentErasureStep({
      connection: fixture.there.connection,
      sold: () => ({
        async *listNaming() {
          yield* named;
        },
      }),
    });
  const transactionOf = ({ payment }: StoredPayment) => payment.transactions[0] ?? assert.fail('it has one');
  const change = async <Command>(stored: StoredPayment, rule: PaymentCommand<Command>, command: Command) =>
    await fixture.here.store.change(OURS, stored.payment.id, work(), (payment, now) => rule(payment, command, now));
  const prepared = async (more: Partial<Pick<Payment, 'customerNumber'>> = {}) => {
    const made = await fixture.create(more);
    const { id: transactionId } = transactionOf(made);
    const request = { transactionId, kind: 'TERMINAL', redirectUrl: ADDRESS, callbackUrl: TOLD } as const;
    return await change(made, prepareTerminal, request);
  };
  const opened = async (stored: StoredPayment) => {
    const { id: transactionId, session } = transactionOf(stored);
    const answer = { transactionId, key: session?.key ?? '', sessionId: 's', terminalUri: TERMINAL };
    return await change(stored, noteTerminal, answer);
  };
  const cancelled = async (stored: StoredPayment) => {
    const { id: transactionId } = transactionOf(stored);
    await change(stored, cancelTransaction, { transactionId });
    return await change(stored, noteVoided, { transactionId, key: `void-${transactionId}` });
  };
  const kept = async ({ payment }: StoredPayment) => {
    const [documents, told] = [
      await fixture.here.collection.find({ _id: String(payment.id) }).toArray(),
      await callbacks().find({}).toArray(),
    ];
    return JSON.stringify([documents, told]);
  };

  it('finds no way back of a terminal that is open, and no terminal of a transaction that has ended', async () => {
    const open = await opened(await prepared());
    const { redirectUrl, terminalUri, callbackUrl } = transactionOf(open).session ?? {};
    assert.deepEqual([redirectUrl, terminalUri, callbackUrl], [undefined, TERMINAL, TOLD]);
    assert.doesNotMatch(await kept(await cancelled(open)), /shop\.example\/paid|pay\.example/);
    const refused = await prepared();
    const { id: transactionId, session } = transactionOf(refused);
    await change(refused, noteSessionRefused, { transactionId, key: session?.key ?? '' });
    assert.doesNotMatch(await kept(refused), /shop\.example\/paid/);
  });

  it('removes the addresses of her payments, and of the payments of orders that name her', async () => {
    for (const [more, named] of [
      [{ customerNumber: ANNA }, false],
      [{}, true],
    ] as const) {
      const stored = await prepared(more);
      const erasing = named ? step(stored.payment.orderId) : step();
      assert.equal(await erasing.isErased(OURS, SUBJECT), false);
      await step().erase(THEIRS, SUBJECT);
      assert.match(await kept(stored), /email=anna/);
      for (const _ of [1, 2]) await erasing.erase(OURS, SUBJECT);
      assert.equal(await erasing.isErased(OURS, SUBJECT), true);
      assert.doesNotMatch(await kept(stored), /anna/);
      const after = await fixture.here.store.get(OURS, stored.payment.id);
      assert.equal(transactionOf(after).session?.key, transactionOf(stored).session?.key);
      await fixture.clear();
    }
  });

  it('leaves the payments of others', async () => {
    const other = await prepared();
    await step().erase(OURS, SUBJECT);
    assert.match(await kept(other), /email=anna/);
    assert.equal(await step().isErased(OURS, SUBJECT), true);
    assert.equal(await step(other.payment.orderId).isErased(OURS, 'order/K7QW2MXP' as never), true);
  });

  it('ends a callback that is on its way, once', async () => {
    const ended = await cancelled(await opened(await prepared({ customerNumber: ANNA })));
    const { connection } = fixture.here;
    const sent: string[] = [];
    const notes = new ClientCallbacks({
      ...{ connection, now: () => fixture.now, log: createLog({ level: 'silent', name: 'callbacks' }) },
      requests: {
        send: async ({ url }) => {
          sent.push(url);
          await step().erase(OURS, SUBJECT);
          return 500;
        },
      },
    });
    const standing = { payment: ended.payment, transaction: transactionOf(ended) };
    await notes.note(standing);
    assert.equal(await step().isErased(OURS, SUBJECT), false);
    await notes.sendDue();
    assert.equal(await step().isErased(OURS, SUBJECT), true);
    fixture.passes(60);
    await notes.note(standing);
    await notes.sendDue();
    assert.deepEqual(sent, [TOLD]);
    assert.doesNotMatch(await kept(ended), /anna/);
  });

  it('removes the terminal of a transaction that an earlier build has ended', async () => {
    const ended = await cancelled(await opened(await prepared({ customerNumber: ANNA })));
    const _id = String(ended.payment.id);
    await fixture.here.collection.updateOne({ _id }, { $set: { 'transactions.0.session.terminalUri': TERMINAL } });
    assert.equal(await step().isErased(OURS, SUBJECT), false);
    await step().erase(OURS, SUBJECT);
    assert.equal(await step().isErased(OURS, SUBJECT), true);
    assert.doesNotMatch(await kept(ended), /pay\.example/);
  });

  it('leaves the terminal that is open', async () => {
    const open = await opened(await prepared({ customerNumber: ANNA }));
    await step().erase(OURS, SUBJECT);
    assert.match(await kept(open), /pay\.example/);
    assert.equal(await step().isErased(OURS, SUBJECT), true);
  });
});
