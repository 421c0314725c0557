/** What the payment provider simulator reports, taken as the API takes it. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RawCallback } from '../../../activities/payments/provider/payment-provider.ts';
import { PROVIDER_REPORTS_COLLECTION, ProviderReports } from '../../../activities/payments/provider-reports.ts';
import { ReportIntake } from '../../../activities/payments/report-intake.ts';
import { creditStatusOf } from '../../../workflows/payments/rules/credit.ts';
import { reserveCredit } from '../../../workflows/payments/rules/credits.ts';
import { creditableMinor } from '../../../workflows/payments/rules/summary.ts';
import type { CreditId } from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { call } from '../../support/provider-simulator.ts';
import { OURS } from '../../support/sample-orders.ts';
import { until } from '../../support/until.ts';
import { MoneyWorld, type PaidPlace, workOf } from './money-world.ts';

describe('reports of providers', () => {
  const taken: RawCallback[] = [];
  let world: MoneyWorld;
  let intake: ReportIntake;
  let server: Server;
  before(async () => {
    world = await MoneyWorld.open('provider-reports');
    const { connection, options } = world.fixture.here;
    const { payments, credits, notes, calls: workflows } = world;
    const reports = new ProviderReports(connection);
    await PROVIDER_REPORTS_COLLECTION.ensureIndexes(connection);
    intake = new ReportIntake({ ...{ payments, credits, notes, workflows, reports }, log: options.log });
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const callback = { body: Buffer.concat(chunks), headers: request.headers as RawCallback['headers'] };
      taken.push(callback);
      response.writeHead(await statusOf(callback)).end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    world.sessions.publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(async () => await world.reset());
  after(async () => {
    server.close();
    server.closeAllConnections();
    await world.close();
  });

  const statusOf = async (callback: RawCallback) => {
    try {
      const isTheirs = await intake.take(world.provider, callback, 'c');
      return isTheirs ? 202 : 400;
    } catch (error) {
      return error instanceof ServiceError ? error.status : 500;
    }
  };
  const page = { pageId: '00000000-0000-4000-8000-000000000001' };
  const confirmed = async (place: PaidPlace) =>
    await until(async () => (await world.order(place)).status === 'CONFIRMED', { what: 'the order' });

  it('let a page capture by itself, also when each comes twice and out of order', async () => {
    const place = await world.authorised('4000000000000101', page);
    await confirmed(place);
    assert.deepEqual(await world.ledger(place), { captures: 1, captured: 10_000, refunded: 0 });
  });

  it('are refused when a byte of them is changed', async () => {
    const place = await world.authorised(undefined, page);
    await confirmed(place);
    const [genuine] = taken;
    assert.ok(genuine);
    const forged = Buffer.from(genuine.body);
    forged[forged.length - 2] = (forged.at(-2) ?? 0) ^ 1;
    assert.equal(await intake.take(world.provider, { ...genuine, body: forged }, 'c'), false);
    assert.equal(await intake.take(world.provider, { ...genuine, headers: {} }, 'c'), false);
  });

  it('tell of disputes, whose money the ledger has', async () => {
    const place = await world.authorised(undefined, page);
    await confirmed(place);
    const reference = `${place.paymentId}/${place.transactionId}`;
    await call(world.simulator.url, '/disputes', { reference }, reference);
    const statusIs = (status: string) => async () => (await world.transaction(place)).status === status;
    await until(statusIs('DISPUTED'), { what: 'the dispute' });
    assert.equal((await world.order(place)).status, 'CONFIRMED');
    await call(world.simulator.url, '/dispute-wins', { idempotencyKey: reference });
    await until(statusIs('CAPTURED'), { what: 'the end of the dispute' });
    assert.equal(creditableMinor(await world.transaction(place)), 10_000);
  });

  it('of a refund that failed wait until its outcome is noted, and leave its money free', async () => {
    const place = await world.authorised(undefined, page);
    await confirmed(place);
    const { key, creditId } = await refundedUnnoted(world, place);
    await call(world.simulator.url, '/refund-failures', { idempotencyKey: key });
    const creditOf = async () => (await world.transaction(place)).credits.find((each) => each.key === key);
    await until(async () => (await creditOf())?.status === 'FAILED', { what: 'the refund' });
    await until(async () => creditStatusOf((await world.credits.get(OURS, creditId)).credit) === 'FAILED', {
      what: 'the credit',
    });
    assert.equal(creditableMinor(await world.transaction(place)), 10_000);
    // Its repeat is taken, and changes nothing.
    const reports = PROVIDER_REPORTS_COLLECTION.open(world.fixture.here.connection);
    await until(async () => (await reports.countDocuments({ isTaken: { $ne: true } } as never)) === 0, {
      what: 'the report',
    });
    assert.equal(creditableMinor(await world.transaction(place)), 10_000);
  });
});

/** The provider has paid it back; nobody has noted that yet. */
async function refundedUnnoted(world: MoneyWorld, place: PaidPlace) {
  const { orderId, paymentId, transactionId } = place;
  const { payment } = await world.payments.get(OURS, paymentId);
  const { distributionChannelId, orderVersion, currency } = payment;
  const part = { paymentId, transactionId, amountMinor: 10_000, paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA' };
  const facts = { organisationId: OURS, distributionChannelId, orderId, orderVersion, currency };
  const make = (id: CreditId) => ({ id, ...facts, reason: 'REFUND' as const, parts: [part] });
  const { id: creditId } = (await world.credits.create(OURS, workOf(), make)).credit;
  const { workId: _workId, ...work } = workOf();
  await world.payments.change(OURS, paymentId, work, (before, now) =>
    reserveCredit(before, { creditId, parts: [part] }, now),
  );
  const { authorisationId } = await world.transaction(place);
  const key = `cr-${creditId}-${transactionId}`;
  await call(world.simulator.url, `/authorisations/${authorisationId}/refund`, { amountMinor: 10_000 }, key);
  return { key, creditId };
}
