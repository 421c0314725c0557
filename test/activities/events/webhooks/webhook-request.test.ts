/** One delivery: what counts as delivered, what a receiver may cost, and which addresses are never connected to. */
import assert from 'node:assert/strict';
import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import {
  type DeliveryOutcome,
  WebhookRequests,
  type WebhookRequestsOptions,
} from '../../../../activities/events/webhooks/webhook-request.ts';
import { makeCertificate } from '../../../support/certificate.ts';
import { until } from '../../../support/until.ts';
import { certificate, Receiver } from './receiver.ts';

const SECRET = Buffer.from('a secret of the receiver');
const BODY = JSON.stringify({ id: 'order/A/1', partitionkey: 'A', sequence: 1 });

describe('a delivery to a webhook', () => {
  const opened: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });

  async function receive(tls = certificate, plain = false): Promise<Receiver> {
    const receiver = await Receiver.open(plain ? undefined : tls);
    opened.push(receiver);
    return receiver;
  }

  async function send(
    url: string,
    options: Partial<WebhookRequestsOptions> = {},
    signal = new AbortController().signal,
  ): Promise<DeliveryOutcome> {
    const requests = new WebhookRequests({
      open: true,
      headerPrefix: 'Service',
      authorities: [certificate.cert],
      ...options,
    });
    opened.push(requests);
    return await requests.send({ url, secret: SECRET, body: BODY, signal });
  }

  it('is done with any status of success, and with no other', async () => {
    const receiver = await receive();
    for (const status of [200, 202, 204, 299]) {
      receiver.answer = () => status;
      assert.deepEqual(await send(receiver.url), { delivered: true }, String(status));
    }
    for (const status of [304, 400, 404, 410, 500]) {
      receiver.answer = () => status;
      assert.deepEqual(await send(receiver.url), { delivered: false, reason: 'STATUS', status }, String(status));
    }
  });

  it('follows no redirect', async () => {
    const receiver = await receive();
    receiver.answer = (_, response) => {
      response.writeHead(307, { location: `${receiver.url}/elsewhere` }).end();
      return undefined;
    };
    assert.deepEqual(await send(`${receiver.url}/here`), { delivered: false, reason: 'STATUS', status: 307 });
    assert.deepEqual(
      receiver.received.map(({ path }) => path),
      ['/here'],
    );
  });

  it('waits no longer than its time for an answer', async () => {
    const receiver = await receive();
    receiver.answer = () => undefined;
    assert.deepEqual(await send(receiver.url, { timeoutMs: 200 }), { delivered: false, reason: 'TIMEOUT' });
  });

  it('does not read an endless answer', async () => {
    const receiver = await receive();
    let closed = false;
    receiver.answer = (_, response) => {
      response.writeHead(200);
      response.on('close', () => {
        closed = true;
      });
      const pour = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        if (!response.destroyed) response.once('drain', pour);
      };
      pour();
      return undefined;
    };
    assert.deepEqual(await send(receiver.url), { delivered: true });
    await until(() => closed);
  });

  it('uses the prefix of the operator in its header', async () => {
    const receiver = await receive();
    await send(receiver.url, { headerPrefix: 'Fjord' });
    assert.match(String(receiver.received[0]?.headers['fjord-signature']), /^t=\d+,v1=[0-9a-f]{64}$/);
  });

  it('says what is wrong with certificate, name and connection', async () => {
    const other = await receive(makeCertificate('nobody trusts it'));
    assert.deepEqual(await send(other.url), { delivered: false, reason: 'CERTIFICATE' });
    const gone = await receive();
    await gone.close();
    assert.deepEqual(await send(gone.url), { delivered: false, reason: 'NO_CONNECTION' });
    assert.deepEqual(await send('https://no-such-host.invalid/'), { delivered: false, reason: 'NAME_UNKNOWN' });
  });

  it('ends with its signal, without an outcome', async () => {
    const receiver = await receive();
    receiver.answer = () => undefined;
    const stopping = new AbortController();
    const sent = send(receiver.url, {}, stopping.signal);
    await until(() => receiver.received.length === 1);
    stopping.abort();
    await assert.rejects(sent, { name: 'AbortError' });
  });

  describe('outside development', () => {
    const refused = { delivered: false, reason: 'ADDRESS_REFUSED' };

    it('connects to no address of its own network, given as number or as name', async () => {
      const receiver = await receive();
      const { port } = new URL(receiver.url);
      for (const host of ['127.0.0.1', '[::1]', '0.0.0.0', '[::ffff:127.0.0.1]', '[::7f00:1]', 'localhost'])
        assert.deepEqual(await send(`https://${host}:${port}/`, { open: false, lookup }), refused, host);
      assert.equal(receiver.connections, 0);
    });

    it('looks at the very addresses that it connects to, so a name that resolves anew does not pass', async () => {
      const receiver = await receive();
      const { port } = new URL(receiver.url);
      const answers = [['10.0.0.1'], ['93.184.215.14', '127.0.0.1']];
      const asked: string[] = [];
      // As a resolver of an attacker, which gives another answer each time.
      const rebinding: LookupFunction = (host, options, done) => {
        asked.push(host);
        const addresses = answers[asked.length - 1] ?? [];
        if (options.all)
          done(
            null,
            addresses.map((address) => ({ address, family: 4 })),
          );
        else done(null, addresses[0] ?? '', 4);
      };
      const options = { open: false, lookup: rebinding };
      for (let n = 0; n < 2; n += 1)
        assert.deepEqual(await send(`https://rebinding.example:${port}/`, options), refused);
      assert.deepEqual(asked, ['rebinding.example', 'rebinding.example']);
      assert.equal(receiver.connections, 0);
    });

    it('speaks HTTPS alone', async () => {
      const receiver = await receive(undefined, true);
      assert.deepEqual(await send('http://example.org/', { open: false }), refused);
      assert.deepEqual(await send(receiver.url, { open: false }), refused);
      assert.equal(receiver.connections, 0);
    });
  });
});
