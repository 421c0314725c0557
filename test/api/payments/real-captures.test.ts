/** Terminals, captures and cancellations over HTTP, by the real workflow and worker. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cancelOrder } from '../../../workflows/orders/rules/endings.ts';
import { payByCard, submit } from '../../support/provider-simulator.ts';
import { GOOD_CARD } from '../../workflows/payments/money-world.ts';
import { problemOf } from '../support/call.ts';
import { type RealPayments, startPayment, startRealPayments } from './real-payments.ts';

const PUT = { method: 'PUT' };
const BACK = { redirectUrl: 'https://shop.example/paid' };

describe('transactions with their workflow', () => {
  let server: RealPayments;
  before(async () => {
    server = await startRealPayments('real-captures');
  });
  after(async () => await server.close());

  const opened = async () => {
    const started = await startPayment(server);
    const answer = await server.call(`${started.path}/terminal`, { body: BACK });
    assert.equal(answer.status, 200, answer.text);
    return { ...started, terminalUri: answer.json.terminalUri as string };
  };
  const capture = async (path: string, headers = {}) => await server.call(`${path}/capture`, { ...PUT, headers });

  it('are captured once they are authorised, and confirm the order', async () => {
    const { place, path, terminalUri } = await opened();
    assert.equal(problemOf(await capture(path)), '409 INVALID_STATE');
    const again = await server.call(`${path}/terminal`, { body: BACK });
    assert.equal(again.json.terminalUri, terminalUri);
    await payByCard(terminalUri, GOOD_CARD);
    const captured = await capture(path);
    assert.equal(captured.json.status, 'CAPTURED', captured.text);
    assert.deepEqual((await capture(path)).json, captured.json);
    assert.equal((await server.world.order(place)).status, 'CONFIRMED');
    assert.equal(problemOf(await server.call(`${path}/cancel`, PUT)), '409 INVALID_STATE');
    assert.deepEqual(await server.world.ledger(place), { captures: 1, captured: 10_000, refunded: 0 });
  });

  it('are captured with the same key after the challenge that a soft decline asks for', async () => {
    const { place, path, terminalUri } = await opened();
    await payByCard(terminalUri, '4000002500003155');
    const headers = { 'idempotency-key': randomUUID() };
    for (let call = 1; call <= 6; call += 1) {
      const declined = await capture(path, headers);
      assert.equal(problemOf(declined), '409 SOFT_DECLINE');
      assert.equal(declined.json.errorReason, 'SOFT_DECLINE');
    }
    const again = await server.call(`${path}/terminal`, { body: BACK });
    assert.equal(again.json.terminalUri, terminalUri, 'the terminal is the same');
    await submit(`${terminalUri}/3-d-secure`, { approve: '1' });
    const captured = await capture(path, headers);
    assert.equal(captured.json.status, 'CAPTURED', captured.text);
    assert.equal((await capture(path, headers)).headers.get('idempotency-replayed'), 'true');
    assert.deepEqual(await server.world.ledger(place), { captures: 1, captured: 10_000, refunded: 0 });
  });

  it('are rejected when the issuer refuses, and say so again', async () => {
    const { place, path, terminalUri } = await opened();
    await payByCard(terminalUri, '4000000000000002');
    for (const _ of [1, 2]) {
      const refused = await capture(path);
      assert.deepEqual([problemOf(refused), refused.json.errorReason], ['409 REFUSED_BY_ISSUER', 'REFUSED_BY_ISSUER']);
    }
    assert.equal((await server.call(path)).json.status, 'REJECTED');
    assert.equal((await server.world.order(place)).lock, undefined);
  });

  it('say when the outcome is not known yet, and capture once', async () => {
    const { place, path, terminalUri } = await opened();
    await payByCard(terminalUri, GOOD_CARD);
    // The first question about the session is answered; those about the capture are not.
    await server.world.fault({ call: 'status', mode: 'SLOW', count: 1, delayMs: 0 });
    await server.world.fault({ call: 'capture', mode: 'DROP', count: 1 });
    await server.world.fault({ call: 'status', mode: 'FAIL_BEFORE', count: 3 });
    const busy = await capture(path);
    assert.equal(problemOf(busy), '409 RESOURCE_BUSY');
    assert.ok(busy.headers.get('retry-after'));
    await fetch(`${server.world.simulator.url}/faults`, { method: 'DELETE' });
    assert.equal((await capture(path)).json.status, 'CAPTURED');
    assert.deepEqual(await server.world.ledger(place), { captures: 1, captured: 10_000, refunded: 0 });
  });

  it('are not captured for a cancelled order, and cancelled with the answer, which says so', async () => {
    const { place, path, terminalUri } = await opened();
    await payByCard(terminalUri, GOOD_CARD);
    await server.world.fixture.change(place.orderId, (order, now) => cancelOrder(order, {}, now));
    const refused = await capture(path);
    assert.equal(problemOf(refused), '409 INVALID_STATE');
    assert.match(refused.json.detail, /The order is cancelled.*The transaction is cancelled: nothing will be taken/);
    assert.equal((await server.call(path)).json.status, 'CANCELLED');
    assert.equal((await server.call(`${path}/cancel`, PUT)).json.status, 'CANCELLED');
  });

  it('are cancelled with what was authorised', async () => {
    const { place, path, terminalUri } = await opened();
    await payByCard(terminalUri, GOOD_CARD);
    for (const _ of [1, 2]) assert.equal((await server.call(`${path}/cancel`, PUT)).json.status, 'CANCELLED');
    assert.equal(problemOf(await capture(path)), '409 INVALID_STATE');
    assert.deepEqual(await server.world.ledger(place), { captures: 0, captured: 0, refunded: 0 });
  });
});
