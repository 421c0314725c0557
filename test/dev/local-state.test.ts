import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { endLeftovers } from '../../dev/stack/leftovers.ts';
import { LocalState } from '../../dev/stack/local-state.ts';
import { findStartTime } from '../../dev/stack/process-table.ts';
import { ensureSecrets } from '../../dev/stack/secrets.ts';
import { temporaryDirectory } from '../support/folders.ts';

describe('The local state', () => {
  let state: LocalState;

  beforeEach(() => {
    state = new LocalState(temporaryDirectory('local'));
  });

  it('belongs to one running stack at a time', () => {
    assert.equal(state.take(), undefined);
    assert.equal(new LocalState(state.directory).take()?.pid, process.pid);
    state.release();
    assert.equal(new LocalState(state.directory).take(), undefined);
  });

  it('passes to the next stack when its owner was killed, and leaves no file behind', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    state.write('owner.json', { name: 'npm start', pid, startedAt: '1' });
    assert.equal(state.take(), undefined);
    assert.deepEqual(readdirSync(state.directory), ['owner.json']);
  });

  it('distinguishes the owner from a later process with the same process id', () => {
    state.write('owner.json', { name: 'npm start', pid: process.pid, startedAt: 'long ago' });
    assert.equal(state.findOwner(), undefined);
    assert.equal(state.take(), undefined);
  });

  it('names the file that cannot be read, and what to do', () => {
    writeFileSync(state.path('ports.json'), '{');
    assert.throws(
      () => state.read('ports.json'),
      /ports\.json cannot be read: delete it, or everything with `npm run reset`/,
    );
  });

  it('lets only the owner read secrets, and keeps them from start to start', () => {
    const first = ensureSecrets(state, { clients: ['operator'], accounts: ['api'] });
    const second = ensureSecrets(state, { clients: ['operator', 'partner-1'], accounts: ['api'] });
    assert.equal(statSync(state.path('secrets.json')).mode & 0o777, 0o600);
    assert.deepEqual({ ...second, clients: first.clients }, first);
    assert.equal(Buffer.from(first.keyEncryptionKey, 'base64').length, 32);
    assert.notEqual(second.clients['partner-1'], second.clients.operator);
  });

  it('ends the processes of a killed stack, and no others', async () => {
    const [own, foreign] = [sleeper(), sleeper()];
    try {
      state.write('processes.json', [
        { name: 'own', pid: own.pid, startedAt: findStartTime(own.pid ?? 0) },
        { name: 'foreign', pid: foreign.pid, startedAt: '1' },
      ]);
      assert.deepEqual(await endLeftovers(state), ['own']);
      assert.equal(findStartTime(own.pid ?? 0), undefined);
      assert.notEqual(findStartTime(foreign.pid ?? 0), undefined);
      assert.ok(!existsSync(state.path('processes.json')));
    } finally {
      foreign.kill('SIGKILL');
      await once(foreign, 'exit');
    }
  });
});

function sleeper() {
  return spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
}
