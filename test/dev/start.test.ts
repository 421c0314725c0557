import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { USUAL_PORTS } from '../../dev/stack/chosen-ports.ts';
import { isSameProcess, LocalState, type ProcessIdentity } from '../../dev/stack/local-state.ts';
import { freePort } from '../../dev/stack/ports.ts';
import type { ClientEntry } from '../../dev/stack/prepare.ts';
import { PROCESS_NAMES } from '../../dev/stack/processes.ts';
import { temporaryDirectory } from '../support/stack.ts';

/** One stack for all tests, on ports of its own: what a developer may be running is left alone. */
describe('npm start', function () {
  this.timeout(90_000);
  let state: LocalState;
  let stack: ChildProcess;
  let output = '';

  const startStack = () =>
    spawn(process.execPath, [join(projectRoot, 'dev/start.ts'), '--without-demo', '--local', state.directory], {
      env: { ...process.env, MONGODB_URI: '', S3_ENDPOINT: '', TEMPORAL_ADDRESS: '', SMTP_URL: '' },
    });

  before(async () => {
    state = new LocalState(temporaryDirectory('start'));
    const names = Object.keys(USUAL_PORTS);
    const ports = await Promise.all(names.map(async (name) => [name, await freePort()] as const));
    state.write('ports.json', Object.fromEntries(ports));
    stack = startStack();
    stack.stderr?.on('data', (chunk: Buffer) => {
      output += chunk;
    });
    for await (const chunk of stack.stdout ?? []) {
      output += String(chunk);
      if (output.includes('Ctrl-C stops everything')) break;
    }
    assert.match(output, /Samferd is ready/);
  });

  after(async () => {
    if (stack.exitCode !== null || stack.signalCode !== null) return;
    stack.kill('SIGKILL');
    await once(stack, 'exit');
  });

  const endpoints = () => state.read('endpoints.json') as Record<string, string>;
  const clients = () => state.read('clients.json') as readonly ClientEntry[];

  it('says where everything is', async () => {
    for (const part of ['api', 'auth', 'mail']) {
      const address = endpoints()[part];
      assert.equal(await statusOf(`${address}/health/ready`), 200, part);
      assert.ok(output.includes(String(address)));
    }
    assert.equal(await statusOf(String(endpoints().temporalUi)), 200);
    // Without a dataset there is no snapshot yet; the process is there, and the API leads to it.
    assert.equal(await statusOf(`${endpoints().journeyPlanner}/health/live`), 200);
    assert.equal(await statusOf(`${endpoints().journeyPlanner}/health/ready`), 503);
    assert.equal(await statusOf(`${endpoints().api}/journey-planner/v3/graphql`), 405);
  });

  it('gives development clients that get tokens', async () => {
    const scopes = Object.fromEntries(clients().map(({ name, scope }) => [name, scope.split(' ')]));
    assert.deepEqual(Object.keys(scopes), ['partner-1', 'partner-2', 'reader-1', 'operator', 'timetable-demo']);
    assert.ok(
      !scopes['partner-1']?.some((scope) =>
        /^(timetable|realtime|codespaces|clients|catalogue|organisation):/.test(scope),
      ),
    );
    for (const { client_id, client_secret, audience } of clients()) {
      const body = JSON.stringify({ client_id, client_secret, audience, grant_type: 'client_credentials' });
      const headers = { 'content-type': 'application/json' };
      assert.equal(
        await statusOf(`${endpoints().auth}/oauth/token`, { method: 'POST', headers, body }),
        200,
        client_id,
      );
    }
  });

  it('keeps secrets to the user', () => {
    assert.equal(statSync(state.path('clients.json')).mode & 0o777, 0o600);
    for (const { client_secret } of clients()) assert.ok(!output.includes(client_secret));
  });

  it('refuses to start a second time in the same folder', async () => {
    const second = startStack();
    let words = '';
    second.stderr.on('data', (chunk: Buffer) => {
      words += chunk;
    });
    const [code] = (await once(second, 'exit')) as [number];
    assert.equal(code, 1);
    assert.match(words, new RegExp(`already runs from this folder \\(process ${stack.pid}\\)`));
  });

  it('stops everything within 15 seconds', async () => {
    const processes = JSON.parse(readFileSync(state.path('processes.json'), 'utf8')) as ProcessIdentity[];
    // Beside the service’s own: MongoDB, MinIO, Temporal, the mail in-box.
    assert.equal(processes.filter(isSameProcess).length, PROCESS_NAMES.length + 4);
    const startedAt = performance.now();
    stack.kill('SIGTERM');
    const [code] = (await once(stack, 'exit')) as [number];
    assert.equal(code, 0);
    assert.ok(performance.now() - startedAt < 15_000);
    assert.deepEqual(processes.filter(isSameProcess), []);
    for (const file of ['endpoints.json', 'clients.json', 'processes.json', 'owner.json']) {
      assert.ok(!existsSync(state.path(file)), file);
    }
  });
});

/** Reads the answer to its end, so that no connection stays open for it. */
async function statusOf(url: string, request: RequestInit = {}): Promise<number> {
  const answer = await fetch(url, request);
  await answer.arrayBuffer();
  return answer.status;
}
