/** What payment providers report over HTTP: signed over the bytes that come, taken once, and never believed. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { SIGNATURE_HEADER, signatureOf } from '../../../dev/provider-simulator/signature.ts';
import { payByCard, SIMULATOR_SECRET } from '../../support/provider-simulator.ts';
import { until } from '../../support/until.ts';
import { GOOD_CARD, type PaidPlace } from '../../workflows/payments/money-world.ts';
import { problemOf } from '../support/call.ts';
import { type RealPayments, startRealPayments } from './real-payments.ts';

const PATH = '/v1/provider-callbacks/simulator';
const MINUTE_MS = 60_000;
const NOT_SIGNED = '400 VALIDATION_FAILED';
/** 256 KiB. */
const LIMIT_BYTES = 262_144;

describe('callbacks of payment providers', () => {
  let server: RealPayments;
  before(async () => {
    server = await startRealPayments('provider-callbacks');
  });
  beforeEach(() => {
    server.world.ran = [];
    Object.assign(server.wakes, { count: 0, failures: 0 });
  });
  after(async () => await server.close());

  /** Paid at the terminal, and nobody has told the service. */
  const paid = async (): Promise<PaidPlace> => {
    const place = await server.world.payment();
    await payByCard(await server.world.terminal(place), GOOD_CARD);
    return place;
  };
  const reportOf = ({ paymentId, transactionId }: PaidPlace, id: string = randomUUID()) =>
    JSON.stringify({ id, type: 'SESSION_AUTHORISED', sessionId: 's', reference: `${paymentId}/${transactionId}` });
  const signed = (body: string, at = new Date(), secret = SIMULATOR_SECRET) => ({
    [SIGNATURE_HEADER]: signatureOf(secret, body, at),
  });
  const post = async (body: string, headers: Readonly<Record<string, string>> = signed(body), path = PATH) =>
    await server.call(path, { token: null, body, headers });
  const isAuthorised = async (place: PaidPlace) =>
    (await server.world.transaction(place)).authorisationId !== undefined;

  it('let the workflow ask the provider, without a token', async () => {
    const place = await paid();
    const answer = await post(reportOf(place));
    assert.deepEqual([answer.status, answer.text], [202, '']);
    await until(async () => await isAuthorised(place), { what: 'the authorisation' });
  });

  it('are believed in nothing: what they say of money has no effect', async () => {
    const place = await server.world.payment();
    await server.world.terminal(place);
    const { paymentId, transactionId } = place;
    const body = JSON.stringify({
      ...{ id: randomUUID(), type: 'CAPTURED', reference: `${paymentId}/${transactionId}`, amountMinor: 10_000 },
    });
    assert.equal((await post(body)).status, 202);
    await until(() => server.world.ran.includes('lookAgain'), { what: 'the look' });
    assert.equal((await server.world.transaction(place)).status, 'INITIATED');
  });

  it('are refused with a missing, wrong or foreign signature', async () => {
    const body = reportOf(await paid());
    const right = signed(body)[SIGNATURE_HEADER] ?? '';
    for (const header of ['', 'x', right.slice(0, -1), right.replace(/.$/, (last) => (last === '0' ? '1' : '0'))]) {
      assert.equal(problemOf(await post(body, { [SIGNATURE_HEADER]: header })), NOT_SIGNED, header);
    }
    assert.equal(problemOf(await post(body, {})), NOT_SIGNED);
    assert.equal(
      problemOf(await post(body, signed(body, new Date(), 'a secret of somebody else entirely'))),
      NOT_SIGNED,
    );
    assert.equal(server.wakes.count, 0);
  });

  it('are signed over their bytes, not over what they mean', async () => {
    const place = await paid();
    const body = reportOf(place);
    const spaced = `${body.replaceAll(',', ' ,\n')}\n`;
    assert.deepEqual(JSON.parse(spaced), JSON.parse(body));
    assert.equal(problemOf(await post(spaced, signed(body))), NOT_SIGNED);
    assert.equal(server.wakes.count, 0);
    assert.equal((await post(spaced)).status, 202);
    assert.equal(server.wakes.count, 1);
  });

  it('are refused when they are old, or from the future', async () => {
    const body = reportOf(await paid());
    for (const minutes of [-6, 6]) {
      const at = new Date(Date.now() + minutes * MINUTE_MS);
      assert.equal(problemOf(await post(body, signed(body, at))), NOT_SIGNED, String(minutes));
    }
    assert.equal((await post(body, signed(body, new Date(Date.now() - 4 * MINUTE_MS)))).status, 202);
  });

  it('are taken once, and again when they could not be passed on', async () => {
    const place = await paid();
    const body = reportOf(place);
    server.wakes.failures = 1;
    assert.equal((await post(body)).status, 500);
    for (const _ of [1, 2, 3]) assert.equal((await post(body)).status, 202);
    assert.equal(server.wakes.count, 1);
    assert.equal((await post(reportOf(place))).status, 202);
    assert.equal(server.wakes.count, 2, 'another id is another report');
  });

  it('wake nothing for transactions that are not there', async () => {
    const place = await paid();
    const others = [
      { ...place, paymentId: 1 },
      { ...place, transactionId: 1 },
    ] as PaidPlace[];
    for (const other of others) assert.equal((await post(reportOf(other))).status, 202);
    for (const body of ['', 'no JSON', '[]', '{}']) assert.equal((await post(body)).status, 202, body);
    assert.equal(server.wakes.count, 0);
  });

  it('are refused for a provider that there is not, or that reports nothing', async () => {
    const body = reportOf(await paid());
    assert.equal(problemOf(await post(body, signed(body), '/v1/provider-callbacks/nobody')), '404 NOT_FOUND');
    assert.equal(problemOf(await post(body, signed(body), '/v1/provider-callbacks/book')), NOT_SIGNED);
    assert.equal((await post(body, signed(body), '/v1/provider-callbacks/%2e%2e')).status, 404);
    assert.equal(server.wakes.count, 0);
  });

  it('are refused when they are too large, whether or not they say so', async () => {
    const body = JSON.stringify({ id: 'x'.repeat(LIMIT_BYTES) });
    assert.equal(problemOf(await post(body)), '413 PAYLOAD_TOO_LARGE');
    const chunks = new ReadableStream({
      start: (stream) => {
        stream.enqueue(Buffer.from(body));
        stream.close();
      },
    });
    const headers = { 'content-type': 'application/json', ...signed(body) };
    const sent = { method: 'POST', headers, body: chunks, duplex: 'half' } as RequestInit;
    const answer = await fetch(`${server.url}${PATH}`, sent);
    assert.equal(answer.status, 413);
    assert.equal(server.wakes.count, 0);
  });
});
