/** An operator's decision on a balance that the provider refuses, over HTTP. */
import assert from 'node:assert/strict';
import { confirmFor } from '../../../activities/orders/confirming.ts';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import { creditWorkflowId } from '../../../workflows/payments/messages.ts';
import { noTickets } from '../../support/no-tickets.ts';
import { OURS, sampleFee } from '../../support/sample-orders.ts';
import { workOf } from '../../workflows/payments/money-world.ts';
import { problemOf } from '../support/call.ts';
import { type RealPayments, startRealPayments } from './real-payments.ts';

const NO_REFUNDS = '4000000000005126';
const READER = 'web/1/payments:read';
const DECIDER = 'desk/1/refunds:write';
const FOREIGN = 'desk/2/refunds:write';
const ELSEWHERE = { resolution: 'CREDITED_ELSEWHERE', reason: 'BANK_TRANSFER' };
const GIVEN_UP = { resolution: 'GIVEN_UP', reason: 'CUSTOMER_AGREED' };

describe('credits that the provider refuses', () => {
  let server: RealPayments;
  before(async () => {
    server = await startRealPayments('decided-credits');
  });
  after(async () => await server.close());

  /** The path of a credit of 20.00 that a draft owes. */
  const refused = async () => {
    const { world } = server;
    const place = await world.authorised(NO_REFUNDS);
    await world.capture(place);
    const { orderId } = place;
    await world.fixture.change(orderId, (before, now) => addFee(before, { fee: sampleFee('REDUCTION', -2_000) }, now));
    const parts = { orders: world.fixture.here.store, payments: () => world.orderPayments, tickets: noTickets };
    const confirmed = confirmFor(parts, OURS, orderId, workOf(), { orderVersion: 2, creditBalance: true });
    await assert.rejects(confirmed, { code: 'INVALID_STATE' });
    const [stored] = await world.credits.listOfOrder(OURS, orderId);
    const creditId = stored?.credit.id ?? assert.fail();
    await world.server.temporal.client.workflow.getHandle(creditWorkflowId({ creditId })).result();
    return { place, path: `/v1/credits/${creditId}` };
  };
  const resolve = async (path: string, body: object, token = DECIDER) =>
    await server.call(`${path}/resolve`, { body, token });
  const read = async (path: string) => (await server.call(path, { token: READER })).json;

  it('are decided on once by who may, and the draft is confirmed', async () => {
    const { place, path } = await refused();
    assert.equal(problemOf(await resolve(path, ELSEWHERE, READER)), '403 INSUFFICIENT_SCOPE');
    assert.equal(problemOf(await resolve(path, ELSEWHERE, FOREIGN)), '404 NOT_FOUND');
    assert.equal(problemOf(await resolve(path, { ...ELSEWHERE, reason: 'by bank' })), '400 VALIDATION_FAILED /reason');
    assert.equal((await read(path)).resolution, undefined);
    const decided = await resolve(path, ELSEWHERE);
    assert.equal(decided.status, 200, decided.text);
    const { status, resolution, resolutionReason } = decided.json;
    assert.deepEqual([status, resolution, resolutionReason], ['CREDITED', 'CREDITED_ELSEWHERE', 'BANK_TRANSFER']);
    assert.deepEqual(await read(path), decided.json);
    assert.deepEqual((await resolve(path, ELSEWHERE)).json, decided.json);
    assert.equal(problemOf(await resolve(path, GIVEN_UP)), '409 INVALID_STATE');
    assert.equal((await server.world.order(place)).status, 'CONFIRMED');
  });

  it('are given up, and are not decided on where nothing is owed', async () => {
    const { place, path } = await refused();
    await server.world.fixture.change(place.orderId, (before, now) =>
      addFee(before, { fee: sampleFee('REDUCTION', -500) }, now),
    );
    assert.equal(problemOf(await resolve(path, GIVEN_UP)), '409 INVALID_STATE');
    assert.equal((await read(path)).resolution, undefined);
    const owed = await refused();
    const { json } = await resolve(owed.path, GIVEN_UP);
    assert.deepEqual([json.status, json.resolution], ['FAILED', 'GIVEN_UP']);
    assert.equal((await server.world.order(owed.place)).status, 'CONFIRMED');
  });
});
