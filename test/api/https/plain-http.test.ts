/**
 * Plain HTTP must get a redirect or a refusal in staging and production, and an answer in development. Only trusted
 * proxies may report HTTPS.
 */
import assert from 'node:assert/strict';
import { type TestServer, TOKEN } from '../support/parcels.ts';
import { fetchUrl, PUBLIC_URL, sendBytes, startBehind } from './support.ts';

describe('plain HTTP', () => {
  const running: TestServer[] = [];
  const start = async (...options: Parameters<typeof startBehind>) => {
    const server = await startBehind(...options);
    running.push(server);
    return server;
  };
  afterEach(async () => {
    await Promise.all(running.splice(0).map((server) => server.close()));
  });

  const raw = (method: string, target: string, more = 'Host: x\r\n') =>
    `${method} ${target} HTTP/1.1\r\n${more}Connection: close\r\n\r\n`;
  const locationOf = (text: string) => /^location: (.*)\r$/im.exec(text)?.[1];
  const statusOf = (text: string) => Number(text.split(' ')[1]);

  describe('in staging and production', () => {
    for (const ENVIRONMENT of ['staging', 'production']) {
      for (const method of ['GET', 'HEAD']) {
        it(`sends ${method} to the same path and query over HTTPS, in ${ENVIRONMENT}`, async () => {
          const { url } = await start({ ENVIRONMENT });
          const answer = await fetchUrl(`${url}/v1/parcels?a=1&b=%20c`, { method, headers: { host: 'other.test' } });
          assert.deepEqual([answer.status, answer.text], [301, '']);
          assert.equal(answer.headers.location, `${PUBLIC_URL}/v1/parcels?a=1&b=%20c`);
          assert.equal(answer.headers['cache-control'], 'no-store');
          assert.equal(answer.headers['strict-transport-security'], undefined, 'is for HTTPS alone');
        });
      }
    }

    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PURGE']) {
      it(`refuses ${method} with 405, Allow and a problem`, async () => {
        const { url } = await start();
        const answer = await fetchUrl(`${url}/v1/parcels`, { method, headers: TOKEN });
        assert.equal(answer.status, 405);
        assert.equal(answer.headers.allow, 'GET, HEAD');
        assert.equal(answer.headers['content-type'], 'application/problem+json');
        const problem = JSON.parse(answer.text) as Record<string, unknown>;
        assert.deepEqual([problem.status, problem.code], [405, 'METHOD_NOT_ALLOWED']);
        assert.match(String(problem.detail), /HTTPS/);
      });
    }

    for (const method of ['FOO', 'CONNECT']) {
      it(`refuses ${method}, which HTTP servers do not know, at any path alike`, async () => {
        const { url } = await start();
        const text = await sendBytes(url, raw(method, method === 'CONNECT' ? 'a.test:80' : '/nothing'));
        assert.equal(statusOf(text), 405);
        assert.match(text, /^allow: GET, HEAD\r$/im);
      });
    }

    it('refuses before it reads a token', async () => {
      let looked = 0;
      const verifyToken = async () => {
        looked += 1;
        throw new Error('not to be asked');
      };
      const { url } = await start({}, { verifyToken });
      assert.equal((await fetchUrl(`${url}/v1/labels`, { headers: TOKEN })).status, 301);
      assert.equal((await fetchUrl(`${url}/v1/labels/nothing`, { method: 'POST', headers: TOKEN })).status, 405);
      assert.equal(looked, 0);
    });

    it('refuses instead of answering 100 Continue', async () => {
      const { url } = await start();
      const headers = 'Host: x\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n';
      const text = await sendBytes(url, raw('POST', '/v1/parcels', headers));
      assert.equal(statusOf(text), 405);
      assert.doesNotMatch(text, /100 Continue/);
    });

    it('answers before the body has arrived', async () => {
      const { url } = await start();
      const head = 'Host: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n';
      const text = await sendBytes(url, `${raw('POST', '/v1/parcels', head)}{"place":`);
      assert.equal(statusOf(text), 405);
      assert.match(text, /^connection: close\r$/im);
    });

    it('serves health and metrics by plain HTTP', async () => {
      const { url } = await start();
      for (const path of ['/health/live', '/health/ready', '/metrics']) {
        assert.equal((await fetchUrl(`${url}${path}`)).status, 200, path);
      }
      assert.equal((await fetchUrl(`${url}/health/live`, { method: 'POST' })).headers.allow, 'GET, HEAD, OPTIONS');
      for (const path of ['/health/live/x', '/metrics-of-mine', '/health', '//metrics']) {
        assert.equal((await fetchUrl(url, { path })).status, 301, path);
      }
    });

    it('counts and logs refused requests', async () => {
      const { url, logged } = await start();
      await fetchUrl(`${url}/v1/parcels`, { method: 'POST' });
      const line = logged.find(({ msg }) => msg === 'request');
      assert.deepEqual([line?.status, line?.code, line?.operation], [405, 'METHOD_NOT_ALLOWED', 'plainHttp']);
      const { text } = await fetchUrl(`${url}/metrics`);
      assert.match(text, /http_request_duration_seconds_count\{operation="plainHttp",.*method="POST",.*status="405"/);
    });
  });

  describe('is never redirected to another host', () => {
    const targets: Record<string, string> = {
      '//evil.test/x': `${PUBLIC_URL}//evil.test/x`,
      '/\\evil.test': `${PUBLIC_URL}/\\evil.test`,
      '/@evil.test': `${PUBLIC_URL}/@evil.test`,
      'http://evil.test/a?b=c': `${PUBLIC_URL}/a?b=c`,
      'http://user@evil.test:1//two': `${PUBLIC_URL}//two`,
      '/%0d%0aSet-Cookie:x': `${PUBLIC_URL}/%0d%0aSet-Cookie:x`,
    };
    for (const [target, expected] of Object.entries(targets)) {
      it(`by the target ${target}`, async () => {
        const { url } = await start();
        const text = await sendBytes(url, raw('GET', target));
        assert.deepEqual([statusOf(text), locationOf(text)], [301, expected]);
      });
    }

    for (const target of ['*', 'mailto:a@b.test', '/\xe5']) {
      it(`by ${target}, which is not an address of the service`, async () => {
        const { url } = await start();
        assert.equal(statusOf(await sendBytes(url, raw('GET', target))), 400);
      });
    }

    it('by a Host header when PUBLIC_URL is set, not even without a Host header', async () => {
      const { url } = await start({ PUBLIC_URL: 'https://example.no:8443/travel/' });
      const evil = await sendBytes(url, raw('GET', '/v1/open', 'Host: evil.test\r\nX-Forwarded-Host: evil.test\r\n'));
      assert.equal(locationOf(evil), 'https://example.no:8443/travel/v1/open');
      const none = await sendBytes(url, 'GET /v1/open HTTP/1.0\r\n\r\n');
      assert.equal(locationOf(none), 'https://example.no:8443/travel/v1/open');
    });

    it('except to its own Host header at the configured port when PUBLIC_URL is not set', async () => {
      const usual = await start({ PUBLIC_URL: '' });
      const other = await start({ PUBLIC_URL: '', HTTPS_PORT: '8443' });
      for (const host of ['api.test', 'api.test:8080', '[::1]:8080', '192.0.2.1']) {
        const name = host.replace(/:8080$/, '');
        const headers = { host };
        assert.equal(
          (await fetchUrl(`${usual.url}/v1/open?a`, { headers })).headers.location,
          `https://${name}/v1/open?a`,
        );
        assert.equal((await fetchUrl(other.url, { headers })).headers.location, `https://${name}:8443/`);
      }
    });

    for (const host of [
      'user@evil.test',
      'a.test/x',
      'a.test?x',
      'a.test#x',
      'a b',
      'a.test:x',
      '',
      '-',
      '[x]',
      'a\\b',
    ]) {
      it(`by the Host “${host}” when PUBLIC_URL is not set: 400`, async () => {
        const { url } = await start({ PUBLIC_URL: '' });
        const text = await sendBytes(url, raw('GET', '/v1/open', `Host: ${host}\r\n`));
        assert.equal(statusOf(text), 400);
        assert.equal(locationOf(text), undefined);
      });
    }
  });

  describe('behind a proxy', () => {
    const sendForwarded = async (trusted: string, proto: string, method = 'GET') => {
      const { url } = await start({ TRUSTED_PROXIES: trusted });
      return await fetchUrl(`${url}/v1/open`, { method, headers: { 'x-forwarded-proto': proto } });
    };

    it('that is trusted, is served when the caller spoke HTTPS to it', async () => {
      for (const proto of ['https', 'HTTPS', 'https, https']) {
        const answer = await sendForwarded('127.0.0.1', proto);
        assert.equal(answer.status, 200, proto);
        assert.equal(answer.headers['strict-transport-security'], 'max-age=31536000');
      }
    });

    it('that is trusted, is redirected or refused when any step was plain HTTP', async () => {
      for (const proto of ['http', '', 'https, http', 'http, https', 'wss']) {
        assert.equal((await sendForwarded('127.0.0.0/8', proto)).status, 301, proto);
        assert.equal((await sendForwarded('127.0.0.0/8', proto, 'POST')).status, 405, proto);
      }
    });

    it('that is not trusted, is redirected or refused with any headers', async () => {
      for (const trusted of ['', '192.0.2.1', '::1']) {
        assert.equal((await sendForwarded(trusted, 'https')).status, 301, trusted);
        assert.equal((await sendForwarded(trusted, 'https', 'POST')).status, 405, trusted);
      }
    });

    it('that is trusted, gets the methods of the path for an unknown method', async () => {
      const { url } = await start({ TRUSTED_PROXIES: '127.0.0.1' });
      const text = await sendBytes(url, raw('FOO', '/v1/open', 'Host: x\r\nX-Forwarded-Proto: https\r\n'));
      assert.match(text, /^allow: GET, HEAD, OPTIONS\r$/im);
    });
  });

  it('is served in development, without Strict-Transport-Security', async () => {
    const { url } = await start({ ENVIRONMENT: 'development', PUBLIC_URL: '' });
    const answer = await fetchUrl(`${url}/v1/open`);
    assert.deepEqual([answer.status, answer.headers['strict-transport-security']], [200, undefined]);
  });

  it('that was HTTPS at the proxy gets no Strict-Transport-Security in staging', async () => {
    const { url } = await start({ ENVIRONMENT: 'staging', TRUSTED_PROXIES: '127.0.0.1' });
    const answer = await fetchUrl(`${url}/v1/open`, { headers: { 'x-forwarded-proto': 'https' } });
    assert.deepEqual([answer.status, answer.headers['strict-transport-security']], [200, undefined]);
  });
});
