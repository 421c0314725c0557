/** Tests TLS of the service itself: versions, the plain port, and the replacement of certificates under load. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent } from 'node:https';
import { type AddressInfo, connect, Server, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { makeCertificate, type TestCertificate, writeFiles } from '../../support/certificate.ts';
import { temporaryDirectory } from '../../support/folders.ts';
import { until } from '../../support/until.ts';
import { type TestServer, TOKEN } from '../support/parcels.ts';
import { fetchUrl, sendBytes, startBehind } from './support.ts';

describe('a TLS port', () => {
  let directory: string;
  let first: TestCertificate;
  let second: TestCertificate;
  /** The authorities of callers that trust either certificate. */
  let ca: string[];
  let running: TestServer[] = [];

  beforeEach(() => {
    directory = temporaryDirectory('tls');
    [first, second] = [makeCertificate('first'), makeCertificate('second')];
    ca = [first.cert, second.cert];
  });
  afterEach(async () => {
    await Promise.all(running.map((server) => server.close()));
    running = [];
  });

  async function start(environment: Record<string, string> = {}, more: Parameters<typeof startBehind>[1] = {}) {
    const { certFile, keyFile } = writeFiles(directory, first);
    const server = await startBehind({ TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, ...environment }, more);
    running.push(server);
    return server;
  }

  const messages = ({ logged }: TestServer) => logged.map(({ msg }) => msg);

  it('serves requests with bodies, and sends Strict-Transport-Security', async () => {
    const { url } = await start();
    assert.match(url, /^https:/);
    const headers = { ...TOKEN, 'content-type': 'application/json' };
    const body = JSON.stringify({ place: 'Oslo', weight: 1 });
    const answer = await fetchUrl(`${url}/v1/parcels`, { method: 'POST', headers, body, ca });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['strict-transport-security'], 'max-age=31536000');
  });

  it('sends no Strict-Transport-Security outside production', async () => {
    for (const ENVIRONMENT of ['staging', 'development']) {
      const { url } = await start({ ENVIRONMENT });
      const answer = await fetchUrl(`${url}/v1/open`, { ca });
      assert.deepEqual([answer.status, answer.headers['strict-transport-security']], [200, undefined]);
    }
  });

  it('ignores X-Forwarded-Proto of a caller; a trusted proxy may report plain HTTP', async () => {
    const headers = { 'x-forwarded-proto': 'http' };
    assert.equal((await fetchUrl(`${(await start()).url}/v1/open`, { ca, headers })).status, 200);
    const behind = await start({ TRUSTED_PROXIES: '127.0.0.1' });
    assert.equal((await fetchUrl(`${behind.url}/v1/open`, { ca, headers })).status, 301);
  });

  it('speaks TLS 1.2 and 1.3, nothing older', async () => {
    const { url } = await start();
    const agree = async (version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') => {
      const old = { ciphers: 'DEFAULT@SECLEVEL=0', minVersion: version, maxVersion: version };
      const socket = connectTls({ ...addressOf(url), ca, ...old });
      try {
        await once(socket, 'secureConnect');
        return socket.getProtocol();
      } finally {
        socket.destroy();
      }
    };
    assert.equal(await agree('TLSv1.3'), 'TLSv1.3');
    assert.equal(await agree('TLSv1.2'), 'TLSv1.2');
    await assert.rejects(agree('TLSv1.1'), /protocol version/);
  });

  it('has a second plain port when configured, for redirects and probes', async () => {
    const { plainUrl = '' } = await start({ HTTP_PORT: '0', PUBLIC_URL: '', HTTPS_PORT: '8443' });
    const redirect = await fetchUrl(`${plainUrl}/v1/open?a=b`);
    assert.deepEqual([redirect.status, redirect.headers.location], [301, 'https://127.0.0.1:8443/v1/open?a=b']);
    assert.equal((await fetchUrl(`${plainUrl}/v1/parcels`, { method: 'POST' })).status, 405);
    assert.equal((await fetchUrl(`${plainUrl}/health/live`)).status, 200);
    assert.equal((await start()).plainUrl, undefined);
  });

  it('closes connections that speak plain HTTP or nothing, and serves the others', async () => {
    const { url } = await start({}, { limits: { handshakeTimeoutMs: 100 } });
    const nothing = '';
    for (const bytes of ['GET / HTTP/1.1\r\nHost: x\r\n\r\n', '\x16\x03\x01\x02\x00', nothing]) {
      assert.doesNotMatch(await sendBytes(url, bytes).catch(() => ''), /HTTP/);
    }
    assert.equal((await fetchUrl(`${url}/v1/open`, { ca })).status, 200);
  });

  it('answers malformed requests with a problem', async () => {
    const { url } = await start();
    const socket = connectTls({ ...addressOf(url), ca });
    socket.write('hello\r\n\r\n');
    let text = '';
    for await (const chunk of socket as AsyncIterable<Buffer>) text += chunk;
    assert.match(text, /^HTTP\/1\.1 400 .*application\/problem\+json/s);
  });

  it('ends running requests when it stops, without waiting for unfinished TLS handshakes', async () => {
    const entered = Promise.withResolvers<void>();
    const leave = Promise.withResolvers<void>();
    const open = async () => {
      entered.resolve();
      await leave.promise;
      return { status: 200, json: {} };
    };
    const server = await start({ SHUTDOWN_GRACE_MS: '300' }, { replaced: { open } });
    const silent = connect(addressOf(server.url));
    await once(silent, 'connect');
    const answer = fetchUrl(`${server.url}/v1/open`, { ca });
    await entered.promise;
    const closed = server.close();
    leave.resolve();
    assert.equal((await answer).status, 200);
    await closed;
    silent.destroy();
  });

  it('stops without waiting for connections made before the second port was open', async () => {
    let silent: Socket | undefined;
    const opened: Server[] = [];
    const { listen } = Server.prototype;
    const connectSilently = async ({ port }: AddressInfo) => {
      silent = connect(port, '127.0.0.1');
      await once(silent, 'connect');
    };
    // The first port accepts connections while the second is not open yet.
    Server.prototype.listen = function (this: Server, ...rest: Parameters<typeof listen>) {
      const [main] = opened;
      opened.push(this);
      if (!main) return listen.apply(this, rest);
      void Promise.all([once(main, 'connection'), connectSilently(main.address() as AddressInfo)]).then(() =>
        listen.apply(this, rest),
      );
      return this;
    } as typeof listen;
    const server = await start({ HTTP_PORT: '0', SHUTDOWN_GRACE_MS: '100' }).finally(() => {
      Server.prototype.listen = listen;
    });
    await server.close();
    silent?.destroy();
  });

  describe('a replaced certificate', () => {
    it('is loaded under load: no request fails, no connection is closed', async () => {
      const server = await start({}, { listen: { certificateCheckMs: 20 } });
      const kept = new Agent({ keepAlive: true, maxSockets: 1, ca });
      const before = await fetchUrl(`${server.url}/v1/open`, { agent: kept });
      const seen = new Set<string | undefined>();
      let done = false;
      const load = async (options: object) => {
        while (!done) {
          const { status, fingerprint } = await fetchUrl(`${server.url}/v1/open`, { ca, ...options });
          assert.equal(status, 200);
          if (!('agent' in options)) seen.add(fingerprint);
        }
      };
      const callers = [load({}), load({}), load({}), load({ agent: kept })];
      await until(() => seen.size === 1);
      writeFiles(directory, second);
      await Promise.race([until(() => seen.size === 2), Promise.all(callers)]);
      writeFiles(directory, first);
      await until(() => messages(server).filter((text) => text === 'a new TLS certificate is in use').length === 2);
      done = true;
      await Promise.all(callers);
      const after = await fetchUrl(`${server.url}/v1/open`, { ca });
      assert.equal(after.fingerprint, before.fingerprint);
      kept.destroy();
    });

    it('leaves open connections unchanged', async () => {
      const server = await start({}, { listen: { certificateCheckMs: 20 } });
      const socket = connectTls({ ...addressOf(server.url), ca });
      const sendRequest = async () => {
        socket.write('GET /v1/open HTTP/1.1\r\nHost: x\r\n\r\n');
        return String((await once(socket, 'data'))[0]);
      };
      assert.match(await sendRequest(), /^HTTP\/1\.1 200/);
      const { fingerprint } = await fetchUrl(`${server.url}/v1/open`, { ca });
      writeFiles(directory, second);
      await until(async () => (await fetchUrl(`${server.url}/v1/open`, { ca })).fingerprint !== fingerprint);
      assert.match(await sendRequest(), /^HTTP\/1\.1 200/);
      socket.destroy();
    });

    it('is loaded once both files match; the fault is logged once', async () => {
      const server = await start({}, { listen: { certificateCheckMs: 20 } });
      const shown = async () => (await fetchUrl(`${server.url}/v1/open`, { ca })).fingerprint;
      const before = await shown();
      writeFiles(directory, { cert: second.cert });
      await until(() =>
        messages(server).includes('the TLS files are not usable: the earlier certificate stays in use'),
      );
      for (let check = 0; check < 3; check += 1) server.reload?.();
      assert.equal(await shown(), before);
      const faults = server.logged.filter(
        ({ msg }) => msg === 'the TLS files are not usable: the earlier certificate stays in use',
      );
      assert.equal(faults.length, 1);
      assert.match(String(faults[0]?.problem), /TLS_KEY_FILE: is not the key of the certificate/);
      writeFiles(directory, { key: second.key });
      await until(async () => (await shown()) !== before);
    });

    for (const [name, content] of Object.entries({ broken: 'no PEM', empty: '' })) {
      it(`that is ${name} is not loaded`, async () => {
        const server = await start();
        writeFiles(directory, { cert: content });
        server.reload?.();
        assert.equal((await fetchUrl(`${server.url}/v1/open`, { ca: first.cert })).status, 200);
        assert.ok(messages(server).includes('the TLS files are not usable: the earlier certificate stays in use'));
      });
    }
  });
});

function addressOf(url: string): { port: number; host: string } & Pick<ConnectionOptions, 'servername'> {
  return { port: Number(new URL(url).port), host: '127.0.0.1', servername: 'localhost' };
}
