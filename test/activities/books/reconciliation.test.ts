/** A reconciliation finds what differs between provider, payments, orders and ledger, mends what is certain, and nothing else. */
import assert from 'node:assert/strict';
import type { Difference } from '../../../workflows/books/rules/difference.ts';
import type { Findings } from '../../../workflows/books/rules/reconciled-day.ts';
import type { OrganisationId } from '../../../workflows/shared/ids.ts';
import {
  authorise,
  captureAtProvider,
  noteCapture,
  noteCredit,
  openReconciliation,
  type Paid,
  type ReconciliationWorld,
  reconcile,
  refundAtProvider,
} from './reconciliation-world.ts';

const OURS = 1 as OrganisationId;

describe('The reconciliation', () => {
  let world: ReconciliationWorld;
  before(async () => {
    world = await openReconciliation('reconciliation');
  });
  after(async () => await world.close());

  /** Differences of this payment alone: the tests share the day. */
  const of = ({ told }: Findings, { paymentId }: Paid) => told.filter((each) => each.paymentId === paymentId);
  const kinds = (differences: readonly Difference[]) => differences.map(({ kind, mended }) => [kind, mended]);
  const paid = async () => {
    const made = await authorise(world);
    await captureAtProvider(world, made);
    await noteCapture(world, made);
    await world.relay();
    return made;
  };

  it('finds nothing where all agree', async () => {
    const made = await paid();
    const findings = await reconcile(world);
    assert.deepEqual(of(findings, made), []);
    assert.ok(findings.movements >= 1 && findings.events >= 1);
  });

  it('has a capture noted that only the provider knows', async () => {
    const made = await authorise(world);
    await captureAtProvider(world, made);
    // The provider has not answered: its outcome is waited for.
    world.server.calls.answers = ['UNKNOWN'];
    assert.equal((await world.server.call(`${made.path}/capture`, { method: 'PUT' })).json.code, 'RESOURCE_BUSY');
    const [difference, ...others] = of(await reconcile(world), made);
    const { place } = made;
    assert.deepEqual(others, []);
    assert.deepEqual(difference, {
      ...{ kind: 'NOT_NOTED', organisationId: OURS, orderId: made.orderId, paymentId: place.paymentId },
      ...{ transactionId: place.transactionId, provider: 'SIMULATOR', key: `cap-${place.transactionId}-1` },
      ...{ currency: 'NOK', foundMinor: 34_900, mended: 'ASKED' },
    });
    assert.ok(world.asked.some(({ transactionId }) => transactionId === place.transactionId));
    await noteCapture(world, made);
    await world.relay();
    assert.deepEqual(of(await reconcile(world), made), []);
  });

  it('has a credit noted that only the provider knows, and leaves what nobody waits for to a person', async () => {
    const made = await paid();
    const { connection } = world;
    const { paymentId, transactionId } = made.place;
    const creditId = 77;
    const key = `cr-${creditId}-${transactionId}`;
    const credit = { creditId, amountMinor: 1_000, status: 'CREATED', key, at: new Date() };
    const payment = { _id: String(paymentId) } as object;
    const payments = connection.collection('payments');
    await payments.updateOne(payment, { $set: { 'transactions.0.credits': [credit] } });
    await refundAtProvider(world, made, { key, amountMinor: 1_000 });
    assert.deepEqual(kinds(of(await reconcile(world), made)), [['NOT_NOTED', 'ASKED']]);
    assert.ok(world.asked.some((each) => each.creditId === creditId));
    await payments.updateOne(payment, { $set: { 'transactions.0.credits.0.status': 'FAILED' } });
    assert.deepEqual(kinds(of(await reconcile(world), made)), [['NOT_NOTED', undefined]]);
  });

  it('reports what a provider has paid beside an operator, and has it noted', async () => {
    const made = await paid();
    const { paymentId, transactionId } = made.place;
    const creditId = 78;
    const key = `cr-${creditId}-${transactionId}`;
    const credit = { creditId, amountMinor: 1_000, status: 'CREDITED', elsewhere: true, key, at: new Date() };
    const payments = world.connection.collection('payments');
    const credited = async (more: object) =>
      await payments.updateOne({ _id: String(paymentId) } as object, {
        $set: { 'transactions.0.credits': [{ ...credit, ...more }] },
      });
    await credited({});
    const ofMovements = async () =>
      of(await reconcile(world), made).filter(({ kind }) => kind !== 'ENTRIES' && kind !== 'ORDER_MONEY');
    assert.deepEqual(kinds(await ofMovements()), []);
    await refundAtProvider(world, made, { key, amountMinor: 1_000 });
    assert.deepEqual(kinds(await ofMovements()), [['PAID_TWICE', undefined]]);
    assert.ok(world.asked.some((each) => each.creditId === creditId));
    await credited({ paidTwiceAt: new Date() });
    const [difference, ...others] = await ofMovements();
    assert.deepEqual([difference?.kind, difference?.creditId, difference?.foundMinor], ['PAID_TWICE', creditId, 1_000]);
    assert.deepEqual(others, []);
  });

  it('has a refund noted that a provider has paid though its credit had failed', async () => {
    const made = await paid();
    const { paymentId, transactionId } = made.place;
    const creditId = 79;
    const key = `cr-${creditId}-${transactionId}`;
    const credit = { creditId, amountMinor: 1_000, status: 'FAILED', key, at: new Date() };
    const payments = world.connection.collection('payments');
    await payments.updateOne({ _id: String(paymentId) } as object, { $set: { 'transactions.0.credits': [credit] } });
    await refundAtProvider(world, made, { key, amountMinor: 1_000 });
    const found = of(await reconcile(world), made).filter(({ kind }) => kind === 'NOT_NOTED');
    assert.deepEqual(kinds(found), [['NOT_NOTED', undefined]]);
    assert.ok(world.asked.some((each) => each.creditId === creditId));
  });

  it('leaves a capture that was never asked for to a person', async () => {
    const made = await authorise(world);
    await captureAtProvider(world, made);
    assert.deepEqual(kinds(of(await reconcile(world), made)), [['NOT_NOTED', undefined]]);
  });

  it('reports money that the service alone has captured, and mends nothing', async () => {
    const made = await authorise(world);
    await noteCapture(world, made);
    await world.relay();
    assert.deepEqual(kinds(of(await reconcile(world), made)), [['NOT_MOVED', undefined]]);
  });

  it('says that money was not compared whose provider is not set up', async () => {
    await paid();
    const { movements, told } = await reconcile({ ...world, parts: world.withoutProvider });
    assert.equal(movements, 0);
    assert.deepEqual(
      told.filter(({ kind }) => kind === 'NOT_COMPARED'),
      [{ kind: 'NOT_COMPARED', organisationId: OURS, provider: 'SIMULATOR' }],
    );
    assert.deepEqual(await world.withoutProvider.payments.providers(), []);
    const { told: compared } = await reconcile(world);
    assert.ok(compared.every(({ kind }) => kind !== 'NOT_COMPARED'));
  });

  it('reports another amount, and money of no payment', async () => {
    const made = await authorise(world);
    await captureAtProvider(world, made, 34_800);
    await noteCapture(world, made);
    await world.relay();
    const [difference] = of(await reconcile(world), made);
    assert.deepEqual([difference?.kind, difference?.expectedMinor, difference?.foundMinor], ['AMOUNT', 34_900, 34_800]);
    const nobody = { ...made, place: { ...made.place, paymentId: 1 as never, transactionId: 2 as never } };
    await captureAtProvider(world, nobody);
    const { told } = await reconcile(world);
    const [unknown] = told.filter(({ kind }) => kind === 'UNKNOWN_MOVEMENT');
    assert.deepEqual(unknown, {
      ...{ kind: 'UNKNOWN_MOVEMENT', paymentId: 1, transactionId: 2, provider: 'SIMULATOR', key: 'cap-2-1' },
      ...{ currency: 'NOK', foundMinor: 34_900 },
    });
  });

  it('writes a missing entry again as it was, once, also by two at once', async () => {
    const made = await paid();
    const mine = { paymentId: made.paymentId } as object;
    const [{ storedAt: _storedAt, ...before } = assert.fail()] = await world.entries().find(mine).toArray();
    await world.entries().deleteMany(mine);
    const both = await Promise.all([reconcile(world), reconcile(world)]);
    for (const findings of both) {
      assert.ok(of(findings, made).every(({ kind, mended }) => kind === 'ENTRY_MISSING' && mended === 'ENTERED'));
    }
    assert.ok(both.some((findings) => of(findings, made).length === 1));
    const [{ storedAt: _again, ...after } = assert.fail(), ...others] = await world.entries().find(mine).toArray();
    assert.deepEqual([after, others], [before, []]);
    assert.deepEqual(of(await reconcile(world), made), []);
  });

  it('writes the missing entry of a confirmation again as it was, once, also by two at once', async () => {
    const made = await paid();
    const sales = { orderId: made.orderId, paymentId: { $exists: false } } as object;
    const [{ storedAt: _storedAt, ...before } = assert.fail()] = await world.entries().find(sales).toArray();
    await world.entries().deleteMany(sales);
    const ofOrder = ({ told }: Findings) => told.filter(({ orderId }) => orderId === made.orderId);
    const both = await Promise.all([reconcile(world), reconcile(world)]);
    assert.ok(both.some((findings) => ofOrder(findings).length === 1));
    for (const difference of both.flatMap(ofOrder)) {
      const { kind, organisationId, eventId, mended } = difference;
      assert.deepEqual([kind, organisationId, eventId, mended], ['ENTRY_MISSING', OURS, before._id, 'ENTERED']);
    }
    const [{ storedAt: _again, ...after } = assert.fail(), ...others] = await world.entries().find(sales).toArray();
    assert.deepEqual([after, others], [before, []]);
    assert.deepEqual(ofOrder(await reconcile(world)), []);
  });

  it('reports entries and orders that do not add up', async () => {
    const made = await paid();
    const orders = world.connection.collection<{ _id: string }>('orders');
    await orders.updateOne({ _id: made.orderId }, { $set: { 'paymentRefs.0.capturedMinor': 1 } });
    const [entry] = await world
      .entries()
      .find({ paymentId: made.paymentId } as object)
      .toArray();
    await world.entries().insertOne({ ...entry, _id: `${entry?._id}/twice` } as never);
    const found = of(await reconcile(world), made);
    assert.deepEqual(kinds(found), [
      ['ENTRIES', undefined],
      ['ORDER_MONEY', undefined],
    ]);
    const [entries, order] = found;
    assert.deepEqual([entries?.expectedMinor, entries?.foundMinor], [-34_900, -69_800]);
    assert.deepEqual([order?.expectedMinor, order?.foundMinor], [34_900, 1]);
  });

  const balances = ({ told }: Findings, made: Paid) =>
    told.filter(({ kind, orderId }) => kind === 'ORDER_BALANCE' && orderId === made.orderId);

  it('reports a confirmed order that money was paid back of, and that has not changed', async () => {
    const made = await paid();
    const key = `cr-88-${made.place.transactionId}`;
    await refundAtProvider(world, made, { key, amountMinor: 1_000 });
    await noteCredit(world, made, 88, 1_000);
    await world.relay();
    const findings = await reconcile(world);
    // Provider, payment, order and ledger agree on the payment.
    assert.deepEqual(of(findings, made), []);
    assert.deepEqual(balances(findings, made), [
      {
        ...{ kind: 'ORDER_BALANCE', organisationId: OURS, orderId: made.orderId },
        ...{ currency: 'NOK', expectedMinor: 34_900, foundMinor: 33_900 },
      },
    ]);
    const orders = world.connection.collection<{ _id: string }>('orders');
    const lock = { owner: `refund/${made.orderId}/1`, since: new Date() };
    await orders.updateOne({ _id: made.orderId }, { $set: { lock } });
    assert.deepEqual(balances(await reconcile(world), made), []);
  });

  it('reports a confirmed order whose sale the ledger has at another price', async () => {
    const made = await paid();
    const sale = { orderId: made.orderId, paymentId: { $exists: false } } as object;
    const [entry] = await world.entries().find(sale).toArray();
    await world.entries().insertOne({ ...entry, _id: `${entry?._id}/twice` } as never);
    const found = balances(await reconcile(world), made);
    assert.deepEqual([found.length, found[0]?.expectedMinor, found[0]?.foundMinor], [1, 34_900, 0]);
  });

  it('reports once to each organisation, with an event, also repeated and by two at once', async () => {
    const findings = await reconcile(world);
    assert.ok(findings.differences > 0);
    const work = { run: 'run-1', correlationId: '7a0f5b1e-0d39-4a49-9d55-3f2f5f5c1c11' };
    const providers = await world.parts.payments.providers();
    const report = () => world.reports.report(world.day(), findings, providers, work);
    await Promise.all([report(), report()]);
    await report();
    const { items } = await world.reports.list(OURS, { page: 1, perPage: 10 });
    assert.equal(items.length, 1);
    assert.ok(items[0]?.differences.every(({ organisationId }) => organisationId === OURS));
    const whole = await world.reports.findLast();
    assert.deepEqual(whole?.providers, ['SIMULATOR']);
    assert.equal(whole?.differenceCount, findings.differences);
    assert.deepEqual(
      whole?.differences.map(({ kind }) => kind),
      ['UNKNOWN_MOVEMENT'],
    );
    assert.equal((await world.reports.list('ANY', { page: 1, perPage: 10 })).totalItems, 2);
    await world.relay();
    const log = world.connection.collection('event_log');
    const told = await log.find({ topic: 'reconciliation-events-dev' }).toArray();
    assert.deepEqual(
      told.map(({ organisationId, event }) => [organisationId, event.data.day]),
      [[OURS, world.day()]],
    );
  });
});
