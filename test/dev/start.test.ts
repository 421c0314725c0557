import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { USUAL_PORTS } from '../../dev/stack/chosen-ports.ts';
import { isSameProcess, LocalState, type ProcessIdentity } from '../../dev/stack/local-state.ts';
import { choosePort } from '../../dev/stack/ports.ts';
import type { ClientEntry } from '../../dev/stack/prepare.ts';
import { SHARED_NAMES } from '../../dev/stack/processes.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { until } from '../support/until.ts';

const LIMIT_MS = 10_000;

/** All tests share one stack, on its own ports, so that a developer's running stack is not disturbed. */
describe('npm start', function () {
  this.timeout(240_000);
  let state: LocalState;
  let stack: ChildProcess;
  let output = '';

  const startStack = () =>
    spawn('npm', ['start', '--', '--without-demo', '--local', state.directory], {
      cwd: projectRoot,
      env: { ...process.env, MONGODB_URI: '', S3_ENDPOINT: '', TEMPORAL_ADDRESS: '', MAIL_SERVER: '' },
    });

  before(async () => {
    state = new LocalState(temporaryDirectory('start'));
    state.write('ports.json', await choosePortsApart());
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

  const started = () => (state.read('processes.json') ?? []) as readonly ProcessIdentity[];
  const endpoints = () => state.read('endpoints.json') as Record<string, string>;
  const clients = () => state.read('clients.json') as readonly ClientEntry[];

  it('prints every address', async () => {
    for (const part of ['api', 'auth', 'provider', 'mail']) {
      const address = endpoints()[part];
      assert.equal(await statusOf(`${address}/health/ready`), 200, part);
      assert.ok(output.includes(String(address)));
    }
    assert.equal(await statusOf(String(endpoints().temporalUi)), 200);
    assert.equal(await statusOf(`${endpoints().paymentPage}/health/ready`), 200);
    // Without a dataset there is no snapshot yet; the process runs, and the API forwards to it.
    assert.equal(await statusOf(`${endpoints().journeyPlanner}/health/live`), 200);
    assert.equal(await statusOf(`${endpoints().journeyPlanner}/health/ready`), 503);
    assert.equal(await statusOf(`${endpoints().api}/journey-planner/v3/graphql`), 405);
  });

  it('makes development clients that get tokens', async () => {
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

  it('lets only the user read secrets', () => {
    for (const file of ['clients.json', 'installation.json', 'secrets.json'])
      assert.equal(statSync(state.path(file)).mode & 0o777, 0o600, file);
    for (const { client_secret } of clients()) assert.ok(!output.includes(client_secret));
  });

  it('provides the settings of operators’ commands', async () => {
    const run = async (...args: string[]) => {
      const { stdout } = await promisify(execFile)(process.execPath, [...args, '--local', state.directory], {
        cwd: projectRoot,
      });
      return stdout;
    };
    assert.match(await run('ops/client.ts', 'list'), /timetable-demo/);
    assert.match(await run('ops/worker-version.ts'), /is current/);
    const rotate = async () => await run('ops/rotate-keys.ts').catch((error: Error) => error.message);
    const begun = async () => {
      const said = await rotate();
      assert.match(said, /A rotation has begun|has not made its schedule yet: try again/);
      return said.includes('A rotation has begun');
    };
    // The worker makes its schedule after it is ready.
    await until(begun, { everyMs: 1_000, timeoutMs: 120_000, what: 'a rotation' });
    const folder = join(temporaryDirectory('made'), 'back-up');
    assert.match(await run('dev/backup.ts', '--to', folder), /holds a back-up: data as of/);
  });

  it('gives the processes logins that can do what their manifests say, and nothing else', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['dev/try-privileges.ts', '--local', state.directory],
      { cwd: projectRoot },
    );
    assert.match(stdout, /^light-workers$/m);
    assert.match(stdout, /Every process can do what its manifest says, and nothing else/);
  });

  it('refuses to start a second time in the same folder', async () => {
    const second = startStack();
    let words = '';
    second.stderr.on('data', (chunk: Buffer) => {
      words += chunk;
    });
    const [code] = (await once(second, 'exit')) as [number];
    assert.equal(code, 1);
    assert.match(words, new RegExp(`already runs from this folder \\(process ${state.findOwner()?.pid}\\)`));
  });

  it('stops everything within 10 seconds when npm gets SIGTERM', async () => {
    const processes = started();
    // The parts in addition to the service’s own: MongoDB, MinIO, Temporal, mail in-box, simulator.
    assert.equal(processes.filter(isSameProcess).length, SHARED_NAMES.length + 5);
    const startedAt = performance.now();
    stack.kill('SIGTERM');
    const [code] = (await once(stack, 'exit')) as [number];
    assert.equal(code, 0);
    assert.ok(performance.now() - startedAt < LIMIT_MS);
    assert.deepEqual(processes.filter(isSameProcess), []);
    for (const file of ['endpoints.json', 'clients.json', 'installation.json', 'processes.json', 'owner.json']) {
      assert.ok(!existsSync(state.path(file)), file);
    }
  });

  it('leaves nothing running when npm is killed while the service starts', async () => {
    stack = startStack();
    const all = SHARED_NAMES.length + 5;
    await until(() => started().length >= all, { timeoutMs: 90_000 });
    const owner = state.findOwner();
    assert.ok(owner);
    const processes = [owner, ...started()];
    stack.kill('SIGKILL');
    await until(() => !processes.some(isSameProcess), { timeoutMs: LIMIT_MS });
  });
});

/** Ports below the range of outgoing connections: a free one stays free until its server takes it. */
async function choosePortsApart(): Promise<Readonly<Record<string, number>>> {
  const first = 10_000 + Math.floor(Math.random() * 20_000);
  const ports: Record<string, number> = {};
  for (const name of Object.keys(USUAL_PORTS)) ports[name] = await choosePort(first, new Set(Object.values(ports)));
  return ports;
}

/** Reads the answer to its end, so that no connection stays open. */
async function statusOf(url: string, request: RequestInit = {}): Promise<number> {
  const answer = await fetch(url, request);
  await answer.arrayBuffer();
  return answer.status;
}
