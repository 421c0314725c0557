import assert from 'node:assert/strict';
import { TEST_CARDS } from '../../../dev/provider-simulator/cards.ts';
import {
  authorised,
  call,
  payByCard,
  type Simulator,
  sessionRequest,
  startSimulatorFor,
  submit,
} from '../../support/provider-simulator.ts';
import { until } from '../../support/until.ts';

const AMOUNT = { amountMinor: 34_900 };

describe('The payment provider simulator by card', () => {
  let simulator: Simulator;
  let url = '';

  before(async () => {
    simulator = await startSimulatorFor('simulator-cards');
    url = simulator.url;
  });
  after(() => simulator.stop());

  const ledgerOf = async (reference: string) => (await call(url, `/ledger?reference=${reference}`)).json.entries[0];

  it('opens a session, authorises it, captures it and writes it into the ledger', async () => {
    const request = sessionRequest();
    const { status, json } = await call(url, '/sessions', request);
    assert.equal(status, 201);
    assert.equal((await call(url, `/sessions/${json.sessionId}`)).json.status, 'OPEN');
    const back = await payByCard(json.terminalUri, '4111 1111 1111 1111');
    assert.equal(back, 'https://shop.example/return?paymentId=1&responseCode=OK');
    const { json: state } = await call(url, `/sessions/${json.sessionId}`);
    const { authorisationId, ...rest } = state;
    assert.deepEqual(rest, {
      status: 'AUTHORISED',
      last4: '1111',
      brand: 'VISA',
      challengeDone: false,
      amountMinor: 34_900,
      currency: 'NOK',
      disputedMinor: 0,
      failedRefundKeys: [],
    });
    assert.equal(await ledgerOf(request.reference), undefined);
    const { json: captured } = await call(url, `/authorisations/${authorisationId}/capture`, AMOUNT, 'cap-1');
    assert.equal(captured.outcome, 'CAPTURED');
    assert.match(captured.rrn, /^\d{12}$/);
    const { captures, ...entry } = await ledgerOf(request.reference);
    assert.deepEqual(entry, { reference: request.reference, currency: 'NOK', refunds: [], disputes: [] });
    assert.deepEqual(
      captures.map(({ at: _, ...each }: { at: string }) => each),
      [{ ...AMOUNT, idempotencyKey: 'cap-1' }],
    );
  });

  it('takes test cards only', async () => {
    const { json } = await call(url, '/sessions', sessionRequest());
    // Right by its check digit, as a real card is.
    for (const cardNumber of ['4242424242424242', '', '4111111111111112']) {
      const answer = await submit(json.terminalUri, { cardNumber, pay: '1' });
      assert.equal(answer.status, 422);
      assert.match(await answer.text(), /This is not a test card/);
    }
    assert.equal((await call(url, `/sessions/${json.sessionId}`)).json.status, 'OPEN');
  });

  it('soft-declines …3155 until the challenge is passed', async () => {
    const { sessionId, terminalUri, path, reference } = await authorised(url, '4000002500003155');
    assert.equal((await call(url, `${path}/capture`, AMOUNT, 'soft-1')).json.outcome, 'SOFT_DECLINE');
    assert.equal((await call(url, `${path}/capture`, AMOUNT, 'soft-2')).json.outcome, 'SOFT_DECLINE');
    assert.match(await (await fetch(terminalUri)).text(), /name="approve"/);
    const passed = await submit(`${terminalUri}/3-d-secure`, { approve: '1' });
    assert.match(passed.headers.get('location') ?? '', /responseCode=OK/);
    assert.equal((await call(url, `/sessions/${sessionId}`)).json.challengeDone, true);
    assert.equal((await call(url, `${path}/capture`, AMOUNT, 'soft-1')).json.outcome, 'SOFT_DECLINE');
    assert.equal((await call(url, `${path}/capture`, AMOUNT, 'soft-3')).json.outcome, 'CAPTURED');
    assert.equal((await ledgerOf(reference)).captures.length, 1);
  });

  it('challenges at once where the merchant asks for it', async () => {
    const { json } = await call(url, '/sessions', sessionRequest({ challenge: true }));
    assert.equal(await payByCard(json.terminalUri, '4000002500003155'), new URL(json.terminalUri).pathname);
    await submit(`${json.terminalUri}/3-d-secure`, { approve: '1' });
    const { authorisationId, challengeDone } = (await call(url, `/sessions/${json.sessionId}`)).json;
    assert.equal(challengeDone, true);
    assert.equal((await call(url, `/authorisations/${authorisationId}/capture`, AMOUNT)).json.outcome, 'CAPTURED');
  });

  for (const [card, answer] of [
    ['4000008400001629', 'approve'],
    ['4000002500003155', 'decline'],
  ] as const) {
    it(`refuses ${card} after the customer’s ${answer}`, async () => {
      const { sessionId, terminalUri, path } = await authorised(url, card);
      assert.equal((await call(url, `${path}/capture`, AMOUNT)).json.outcome, 'SOFT_DECLINE');
      const failed = await submit(`${terminalUri}/3-d-secure`, { [answer]: '1' });
      assert.match(failed.headers.get('location') ?? '', /responseCode=FAILED/);
      assert.equal((await call(url, `/sessions/${sessionId}`)).json.status, 'REFUSED');
      assert.equal((await call(url, `${path}/capture`, AMOUNT)).json.outcome, 'REFUSED');
    });
  }

  it('refuses …0002 at capture', async () => {
    const { path, reference } = await authorised(url, '4000000000000002');
    assert.equal((await call(url, `${path}/capture`, AMOUNT)).json.outcome, 'REFUSED');
    assert.equal(await ledgerOf(reference), undefined);
  });

  it('captures …0259 without an answer, and knows the outcome', async () => {
    const { path, reference } = await authorised(url, '4000000000000259');
    const silent = fetch(`${url}${path}/capture`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'silent' },
      body: JSON.stringify(AMOUNT),
      signal: AbortSignal.timeout(1_000),
    });
    await assert.rejects(silent, { name: 'TimeoutError' });
    assert.equal((await call(url, '/operations/silent')).json.outcome, 'CAPTURED');
    assert.equal((await ledgerOf(reference)).captures.length, 1);
    assert.equal((await call(url, `${path}/capture`, AMOUNT, 'silent')).json.outcome, 'CAPTURED');
    assert.equal((await ledgerOf(reference)).captures.length, 1);
  });

  it('captures …0077 two seconds later', async () => {
    const { path, reference } = await authorised(url, '4000000000000077');
    assert.equal((await call(url, `${path}/capture`, AMOUNT, 'later')).json.outcome, 'PENDING');
    assert.equal(await ledgerOf(reference), undefined);
    await until(async () => (await call(url, '/operations/later')).json.outcome === 'CAPTURED');
    assert.equal((await ledgerOf(reference)).captures.length, 1);
  });

  it('refuses to refund …5126', async () => {
    const { path } = await authorised(url, '4000000000005126');
    assert.equal((await call(url, `${path}/capture`, AMOUNT)).json.outcome, 'CAPTURED');
    assert.equal((await call(url, `${path}/refund`, AMOUNT)).json.outcome, 'REFUSED');
  });

  it('gives money back, and voids only what was not captured', async () => {
    const { path, reference } = await authorised(url, '5555555555554444');
    assert.equal((await call(url, `${path}/refund`, AMOUNT)).json.outcome, 'REFUSED');
    await call(url, `${path}/capture`, AMOUNT);
    assert.equal((await call(url, `${path}/void`, AMOUNT)).json.outcome, 'REFUSED');
    assert.equal((await call(url, `${path}/refund`, { amountMinor: 10_000 })).json.outcome, 'REFUNDED');
    assert.equal((await call(url, `${path}/refund`, { amountMinor: 34_901 })).json.outcome, 'REFUSED');
    assert.equal((await ledgerOf(reference)).refunds.length, 1);
    const other = await authorised(url, '4111111111111111');
    assert.equal((await call(url, `${other.path}/void`, AMOUNT)).json.outcome, 'VOIDED');
    assert.equal((await call(url, `${other.path}/capture`, AMOUNT)).json.outcome, 'REFUSED');
  });

  it('captures no more than was authorised', async () => {
    const { path } = await authorised(url, '4111111111111111');
    assert.equal((await call(url, `${path}/capture`, { amountMinor: 34_901 })).json.outcome, 'REFUSED');
  });

  it('ends a session by the customer, by the merchant and by time', async () => {
    const { json: left } = await call(url, '/sessions', sessionRequest());
    assert.match(
      (await submit(left.terminalUri, { cancel: '1' })).headers.get('location') ?? '',
      /responseCode=CANCEL/,
    );
    const { json: ended } = await call(url, '/sessions', sessionRequest());
    assert.equal((await call(url, `/sessions/${ended.sessionId}/cancel`, {})).json.outcome, 'CANCELLED');
    for (const { terminalUri, sessionId } of [left, ended]) {
      assert.equal((await fetch(terminalUri)).status, 410);
      await payByCard(terminalUri, '4111111111111111');
      assert.equal((await call(url, `/sessions/${sessionId}`)).json.status, 'CANCELLED');
    }
    const paid = await authorised(url, '4111111111111111');
    assert.equal((await call(url, `/sessions/${paid.sessionId}/cancel`, {})).json.outcome, 'AUTHORISED');
    const hasty = await startSimulatorFor('simulator-hasty', { SIMULATOR_SESSION_MS: '0' });
    const { json: late } = await call(hasty.url, '/sessions', sessionRequest());
    assert.equal((await call(hasty.url, `/sessions/${late.sessionId}`)).json.status, 'EXPIRED');
    await hasty.stop();
  });

  it('has cards with right check digits, each of a number of its own', () => {
    assert.equal(new Set(TEST_CARDS.map(({ number }) => number)).size, TEST_CARDS.length);
    for (const { number } of TEST_CARDS) {
      const digits = [...number].reverse().map((digit, at) => Number(digit) * (at % 2 === 0 ? 1 : 2));
      assert.equal(digits.reduce((sum, digit) => sum + (digit > 9 ? digit - 9 : digit), 0) % 10, 0, number);
    }
  });
});
