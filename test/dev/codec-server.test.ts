import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { Children } from '../../dev/stack/children.ts';
import { freePort } from '../../dev/stack/ports.ts';
import { waitUntilReady } from '../../dev/stack/wait.ts';
import { temporaryDirectory } from '../support/stack.ts';

const ORIGIN = 'http://127.0.0.1:8233';

describe('The decoder of the Temporal UI', () => {
  const children = new Children();
  let url: string;

  before(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const PAYLOAD_KEYS = `test:${randomBytes(32).toString('base64')}`;
    const child = children.start({
      name: 'codec',
      command: process.execPath,
      args: [join(projectRoot, 'dev/stack/codec-server.ts')],
      env: { PORT: String(port), PAYLOAD_KEYS, ALLOWED_ORIGINS: `${ORIGIN},http://localhost:8233` },
      logFile: join(temporaryDirectory('codec'), 'log'),
    });
    await waitUntilReady(child, async () => assert.ok((await fetch(`${url}/health/ready`)).ok), 10_000);
  });

  after(async () => await children.stopAll(2_000));

  const post = async (path: string, body: unknown, origin = ORIGIN) =>
    await fetch(`${url}${path}`, { method: 'POST', headers: { origin }, body: JSON.stringify(body) });

  it('gives the UI in the clear what was encrypted', async () => {
    const plain = { metadata: { encoding: base64('json/plain') }, data: base64('{"codespace":"dem"}') };
    const encrypted = await (await post('/encode', { payloads: [plain] })).json();
    assert.ok(!JSON.stringify(encrypted).includes(plain.data));
    const answer = await post('/decode', encrypted);
    assert.equal(answer.headers.get('access-control-allow-origin'), ORIGIN);
    assert.deepEqual(await answer.json(), { payloads: [plain] });
  });

  it('lets the UI ask first, as browsers do', async () => {
    const answer = await fetch(`${url}/decode`, { method: 'OPTIONS', headers: { origin: ORIGIN } });
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('access-control-allow-headers') ?? '', /content-type, x-namespace/);
  });

  it('tells other pages nothing', async () => {
    for (const origin of ['http://elsewhere.example', 'null']) {
      const answer = await post('/decode', { payloads: [] }, origin);
      assert.equal(answer.status, 403);
      assert.equal(answer.headers.get('access-control-allow-origin'), null);
    }
  });

  it('says that it cannot read what is no payload', async () => {
    assert.equal(
      (await post('/decode', { payloads: [{ metadata: { encoding: base64('binary/encrypted') } }] })).status,
      400,
    );
    assert.equal(
      (await fetch(`${url}/decode`, { method: 'POST', headers: { origin: ORIGIN }, body: '{' })).status,
      400,
    );
    assert.equal((await post('/else', {})).status, 404);
  });
});

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
