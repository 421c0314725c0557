/** What the erasure of a customer leaves of payments: everything but what callers have given and sealed. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { serialize } from 'node:v8';
import { CALLBACKS_COLLECTION, ClientCallbacks } from '../../../activities/payments/client-callbacks.ts';
import { paymentErasureStep } from '../../../activities/payments/payment-erasure.ts';
import type { StoredPayment } from '../../../activities/payments/payment-types.ts';
import { type AddressUse, openAddress, payerOf, sealAddress } from '../../../activities/payments/sealed-addresses.ts';
import { CUSTOMER } from '../../../activities/shared/customer-kind.ts';
import { ORDER } from '../../../activities/shared/order-kind.ts';
import { parseKeyRing } from '../../../platform/keys/key-ring.ts';
import { createLog } from '../../../platform/log.ts';
import { SubjectKeys } from '../../../platform/personal/subject-keys.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { cancelTransaction, noteVoided } from '../../../workflows/payments/rules/cancelling.ts';
import type { Payment } from '../../../workflows/payments/rules/payment.ts';
import type { PaymentCommand } from '../../../workflows/payments/rules/payment-change.ts';
import { noteSessionRefused, noteTerminal, prepareTerminal } from '../../../workflows/payments/rules/terminal.ts';
import type { CustomerNumber, OrderId } from '../../../workflows/shared/ids.ts';
import { OURS, THEIRS } from '../../support/sample-orders.ts';
import { PaymentFixture, work } from './payment-fixture.ts';

const ANNA = '1000000001' as CustomerNumber;
const BERIT = '1000000002' as CustomerNumber;
const SUBJECT = CUSTOMER.subjectOf(ANNA);
const MASTER_KEYS = parseKeyRing(`m1:${randomBytes(32).toString('base64')}`, 'CUSTOMER_MASTER_KEYS');
const LOG = createLog({ level: 'silent', name: 'erasure' });
/** As a file of the database has it. */
const rawOf = (documents: readonly object[]) => serialize(documents).toString('latin1');
const [ADDRESS, TOLD] = ['https://shop.example/paid?email=anna@example.org', 'https://shop.example/told?of=anna'];
const TERMINAL = 'https://pay.example/t/secret';

describe('the erasure of a customer with payments', () => {
  const fixture = new PaymentFixture('payment-erasure');
  const callbacks = () => CALLBACKS_COLLECTION.open(fixture.here.connection);
  before(async () => await fixture.open());
  beforeEach(async () => {
    await fixture.clear();
    await callbacks().deleteMany({});
    await fixture.here.connection.collection('subject_keys').deleteMany({});
    await Promise.all([keyOf(ANNA), keyOf(BERIT)]);
  });
  after(async () => await fixture.close());
  const keys = () => new SubjectKeys({ connection: fixture.here.connection, masterKeys: MASTER_KEYS });
  const keyOf = async (customer: CustomerNumber) =>
    await keys().create({ subject: CUSTOMER.subjectOf(customer), organisationId: OURS });

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
  /** As the API does it. `contact`: of the order. */
  const prepared = async (
    more: Partial<Pick<Payment, 'customerNumber'>> = {},
    { contact }: Pick<Order, 'contact'> = {},
  ) => {
    const made = await fixture.create(more);
    const { payment } = made;
    const { id: transactionId } = transactionOf(made);
    const payer = payerOf(payment, { ...(contact && { contact }) });
    const seal = (use: AddressUse, address: string) => sealAddress(keys(), { payment, payer, use }, address);
    const [redirectUrl, callbackUrl] = [await seal('redirect', ADDRESS), await seal('callback', TOLD)];
    return await change(made, prepareTerminal, { transactionId, kind: 'TERMINAL', redirectUrl, callbackUrl });
  };
  /** As earlier builds have stored them. */
  const inClear = async (stored: StoredPayment) => {
    const members = {
      'transactions.0.session.redirectUrl': ADDRESS,
      'transactions.0.session.callbackUrl': TOLD,
    };
    await fixture.here.collection.updateOne({ _id: String(stored.payment.id) }, { $set: members });
    return await fixture.here.store.get(OURS, stored.payment.id);
  };
  const addressesOf = async ({ payment: { id } }: StoredPayment) => {
    const found = await fixture.here.store.get(OURS, id);
    const { redirectUrl, callbackUrl } = transactionOf(found).session ?? {};
    const { payment } = found;
    return [
      redirectUrl && (await openAddress(keys(), { payment, use: 'redirect' }, redirectUrl)),
      callbackUrl && (await openAddress(keys(), { payment, use: 'callback' }, callbackUrl)),
    ];
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
  /** Where the client of the transaction is told, once it is noted and `meanwhile` has happened. */
  const toldOf = async ({ payment }: StoredPayment, meanwhile = async () => {}) => {
    const sent: string[] = [];
    const notes = new ClientCallbacks({
      ...{ connection: fixture.here.connection, keys: keys(), now: () => fixture.now, log: LOG },
      requests: {
        send: async ({ url }) => {
          sent.push(url);
          return 202;
        },
      },
    });
    await notes.note({ payment, transaction: transactionOf({ payment } as StoredPayment) });
    assert.doesNotMatch(rawOf(await callbacks().find({}).toArray()), /anna|shop\.example/);
    await meanwhile();
    await notes.sendDue();
    return sent;
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
    const { redirectUrl, terminalUri } = transactionOf(open).session ?? {};
    assert.deepEqual([redirectUrl, terminalUri, await addressesOf(open)], [undefined, TERMINAL, [undefined, TOLD]]);
    assert.doesNotMatch(await kept(await cancelled(open)), /pay\.example/);
    const refused = await prepared();
    const { id: transactionId, session } = transactionOf(refused);
    await change(refused, noteSessionRefused, { transactionId, key: session?.key ?? '' });
    assert.deepEqual(await addressesOf(refused), [undefined, TOLD]);
  });

  it('finds addresses that nobody can read in the database', async () => {
    const stored = await prepared({ customerNumber: ANNA });
    const documents = await fixture.here.collection.find({}).toArray();
    assert.doesNotMatch(rawOf(documents), /anna|shop\.example/);
    assert.deepEqual(await addressesOf(stored), [ADDRESS, TOLD]);
    await keys().destroyOf(SUBJECT);
    assert.deepEqual(await addressesOf(stored), [undefined, undefined]);
  });

  it('removes the addresses of her payments, and of those of orders that she pays', async () => {
    for (const [more, contact, sealed] of [
      [{ customerNumber: ANNA }, undefined, true],
      [{}, ANNA, true],
      [{}, undefined, true],
      [{ customerNumber: ANNA }, undefined, false],
      [{ customerNumber: BERIT }, BERIT, false],
    ] as const) {
      const made = await prepared(more, contact && { contact });
      const stored = sealed ? made : await inClear(made);
      const erasing = step(stored.payment.orderId);
      assert.equal(await erasing.isErased(OURS, SUBJECT), false);
      await step().erase(THEIRS, SUBJECT);
      assert.deepEqual(await addressesOf(stored), [ADDRESS, TOLD]);
      for (const _ of [1, 2]) await erasing.erase(OURS, SUBJECT);
      assert.equal(await erasing.isErased(OURS, SUBJECT), true);
      assert.deepEqual(await addressesOf(stored), [undefined, undefined]);
      assert.doesNotMatch(await kept(stored), /anna/);
      const after = await fixture.here.store.get(OURS, stored.payment.id);
      assert.equal(transactionOf(after).session?.key, transactionOf(stored).session?.key);
      await fixture.clear();
    }
  });

  it('leaves the payments of others, also of an order on which she travels', async () => {
    for (const [more, contact] of [
      [{ customerNumber: BERIT }, ANNA],
      [{}, BERIT],
    ] as const) {
      const other = await prepared(more, { contact });
      const { orderId } = other.payment;
      const erasing = step(orderId);
      await erasing.erase(OURS, SUBJECT);
      // So the orders area does it.
      await keys().destroyOf(SUBJECT, ORDER.subjectOf(orderId));
      assert.equal(await erasing.isErased(OURS, SUBJECT), true);
      assert.deepEqual(await addressesOf(other), [ADDRESS, TOLD]);
      assert.equal(await erasing.isErased(OURS, 'order/K7QW2MXP' as never), true);
      const ended = await cancelled(await opened(other));
      const sent = await toldOf(ended);
      assert.deepEqual(sent, [TOLD]);
      await keyOf(ANNA);
      await fixture.clear();
    }
  });

  it('leaves a client untold whose address can be read no more', async () => {
    const ended = await cancelled(await opened(await prepared({ customerNumber: ANNA })));
    const sent = await toldOf(ended, async () => await keys().destroyOf(SUBJECT));
    assert.deepEqual(sent, []);
    const [mark] = await callbacks().find({}).toArray();
    assert.deepEqual([mark?.url, mark?.orderId, mark?.nextAt], [undefined, undefined, undefined]);
  });

  it('ends a callback that is on its way, once', async () => {
    const ended = await cancelled(await opened(await prepared({ customerNumber: ANNA })));
    const { connection } = fixture.here;
    const sent: string[] = [];
    const notes = new ClientCallbacks({
      ...{ connection, keys: keys(), now: () => fixture.now, log: LOG },
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
    assert.deepEqual(await addressesOf(ended), [undefined, undefined]);
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
