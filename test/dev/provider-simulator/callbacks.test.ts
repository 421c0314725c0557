import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import {
  authorised,
  call,
  receiveCallbacks,
  SIMULATOR_SECRET,
  type Simulator,
  sessionRequest,
  startSimulatorFor,
  submit,
} from '../../support/provider-simulator.ts';

const AMOUNT = { amountMinor: 34_900 };
const DISPUTED = { outcome: 'DISPUTED', ...AMOUNT };

describe('Callbacks of the payment provider simulator', () => {
  let simulator: Simulator;
  let url = '';

  before(async () => {
    simulator = await startSimulatorFor('simulator-callbacks');
    url = simulator.url;
  });
  after(() => simulator.stop());

  it('are signed over their bytes, and name the session without amounts or cards', async () => {
    const receiver = await receiveCallbacks();
    const { reference, sessionId } = await authorised(url, '4111111111111111', { callbackUrl: receiver.url });
    await receiver.untilReceived(1);
    const [{ headers, body, report }] = receiver.received as [(typeof receiver.received)[number]];
    const [, seconds, given] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['provider-signature'] ?? '') ?? [];
    const expected = createHmac('sha256', SIMULATOR_SECRET).update(`${seconds}.`).update(body).digest('hex');
    assert.equal(given, expected);
    assert.ok(Math.abs(Date.now() / 1_000 - Number(seconds)) < 30);
    const { id, at, ...rest } = report as typeof report & { at: string };
    assert.deepEqual(rest, { type: 'SESSION_AUTHORISED', sessionId, reference });
    assert.match(id, /^[0-9a-f-]{36}$/);
    receiver.close();
  });

  it('are sent again until they are taken, signed anew', async () => {
    const receiver = await receiveCallbacks([500, 404]);
    await authorised(url, '4111111111111111', { callbackUrl: receiver.url });
    await receiver.untilReceived(3);
    assert.equal(new Set(receiver.received.map(({ report }) => report.id)).size, 1);
    assert.ok(new Set(receiver.received.map(({ headers }) => headers['provider-signature'])).size > 1);
    receiver.close();
  });

  it('come twice and out of order for the card …0101', async () => {
    const receiver = await receiveCallbacks();
    const { path } = await authorised(url, '4000000000000101', { callbackUrl: receiver.url });
    await call(url, `${path}/capture`, AMOUNT);
    await receiver.untilReceived(4);
    const types = receiver.received.map(({ report }) => report.type);
    assert.equal(types[0], 'CAPTURED');
    assert.deepEqual([...types].sort(), ['CAPTURED', 'CAPTURED', 'SESSION_AUTHORISED', 'SESSION_AUTHORISED']);
    assert.equal(new Set(receiver.received.map(({ report }) => report.id)).size, 2);
    receiver.close();
  });

  it('tell every change of a session, its money, disputes, and refunds that failed later', async () => {
    const receiver = await receiveCallbacks();
    const { path, terminalUri, sessionId, reference } = await authorised(url, '4000002500003155', {
      callbackUrl: receiver.url,
    });
    await call(url, `${path}/capture`, AMOUNT);
    await submit(`${terminalUri}/3-d-secure`, { approve: '1' });
    await call(url, `${path}/capture`, AMOUNT);
    await call(url, `${path}/refund`, { amountMinor: 900 }, 'refund-1');
    assert.equal((await call(url, '/refund-failures', { idempotencyKey: 'refund-1' })).status, 200);
    assert.equal((await call(url, '/operations/refund-1')).json.outcome, 'REFUSED');
    const [dispute, again] = [
      await call(url, '/disputes', { reference }, 'dispute-1'),
      await call(url, '/disputes', { reference }, 'dispute-1'),
    ];
    assert.deepEqual([dispute.json, again.json], [DISPUTED, DISPUTED]);
    const { json: state } = await call(url, `/sessions/${sessionId}`);
    assert.deepEqual([state.disputedMinor, state.failedRefundKeys], [34_900, ['refund-1']]);
    const [entry] = (await call(url, `/ledger?reference=${reference}`)).json.entries;
    assert.deepEqual([entry.captures.length, entry.refunds.length, entry.disputes.length], [1, 0, 1]);
    await receiver.untilReceived(6);
    assert.deepEqual(
      receiver.received.map(({ report }) => report.type),
      ['SESSION_AUTHORISED', 'CHALLENGE_PASSED', 'CAPTURED', 'REFUNDED', 'REFUND_FAILED', 'DISPUTED'],
    );
    receiver.close();
  });

  it('report no dispute of what was never captured', async () => {
    const { json } = await call(url, '/disputes', { reference: '404/404' });
    assert.equal(json.error.code, 'NOT_FOUND');
    assert.equal((await call(url, '/refund-failures', { idempotencyKey: 'none' })).status, 404);
    await call(url, '/sessions', sessionRequest(), 'no-refund');
    assert.equal((await call(url, '/refund-failures', { idempotencyKey: 'no-refund' })).status, 409);
  });
});
