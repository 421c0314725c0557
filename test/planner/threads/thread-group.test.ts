/**
 * A change of snapshot in the threads: the same threads continue, all or none change, and later threads change, too.
 */
import assert from 'node:assert/strict';
import type { SearchThread } from '../../../planner/threads/search-thread-handle.ts';
import { ThreadGroup } from '../../../planner/threads/thread-group.ts';
import { createNetwork, type Network } from '../support/network.ts';
import { requestOf } from '../trip/plan.ts';

function shuttle(minutes: number): Network {
  return createNetwork()
    .stops('A 59.9 10.7', 'Z 60.3 10.7')
    .line('1', [`A 08:00 - Z 08:${minutes}`]);
}

describe('threads that change their snapshot', () => {
  const [old, fresh] = [shuttle(30), shuttle(45)];
  const request = requestOf('A', 'Z', old.at('2026-11-23 07:55'), { count: 1 });
  const [oldId, freshId] = [old.build().snapshotId, fresh.build().snapshotId];
  const search = async (thread: SearchThread): Promise<string> => (await thread.run(request)).snapshotId;
  let group: ThreadGroup;
  let becameIdle: () => void;

  function takeBoth(): [SearchThread, SearchThread] {
    const [one, other] = [group.take(), group.take()];
    assert.ok(one !== undefined && other !== undefined);
    return [one, other];
  }

  beforeEach(async () => {
    becameIdle = () => undefined;
    const bytes = old.bytes();
    group = await ThreadGroup.start({
      bytes,
      size: 2,
      warmUpMs: 0,
      onDeath: () => undefined,
      onIdle: () => becameIdle(),
    });
  });
  afterEach(() => group.end());

  it('stay, and complete a running search on its snapshot', async () => {
    const [one, other] = takeBoth();
    const running = search(one);
    const change = group.change(fresh.bytes());
    assert.equal(await running, oldId);
    await change;
    assert.deepEqual(await Promise.all([search(one), search(other)]), [freshId, freshId]);
    group.giveBack(one);
    group.giveBack(other);
    await group.change(old.bytes());
    assert.deepEqual(new Set(takeBoth()), new Set([one, other]));
    assert.deepEqual(await Promise.all([search(one), search(other)]), [oldId, oldId]);
  });

  it('keep their snapshot when the next cannot be opened, and accept the one after that', async () => {
    const [one, other] = takeBoth();
    await assert.rejects(group.change(new SharedArrayBuffer(1_000)), /SnapshotError/);
    assert.deepEqual(await Promise.all([search(one), search(other)]), [oldId, oldId]);
    await group.change(fresh.bytes());
    assert.deepEqual(await Promise.all([search(one), search(other)]), [freshId, freshId]);
  });

  it('do not wait for a dead thread, and its replacement searches the new snapshot', async () => {
    const [one, other] = takeBoth();
    const idleAgain = new Promise<void>((resolve) => {
      becameIdle = resolve;
    });
    await Promise.all([group.change(fresh.bytes()), one.end()]);
    assert.equal(await search(other), freshId);
    await idleAgain;
    const next = group.take();
    assert.ok(next !== undefined && next !== one && next !== other);
    assert.equal(await search(next), freshId);
  });

  it('refuse a snapshot that cannot be opened even when all threads are dead', async () => {
    await Promise.all(takeBoth().map((thread) => thread.end()));
    await assert.rejects(group.change(new SharedArrayBuffer(1_000)));
  });

  it('end a thread that does not open the next snapshot in time', async () => {
    await group.end();
    let deaths = 0;
    group = await ThreadGroup.start({
      bytes: old.bytes(),
      size: 1,
      warmUpMs: 0,
      onIdle: () => becameIdle(),
      patience: { startMs: 60_000, prepareMs: 50 },
      onDeath: () => {
        deaths += 1;
      },
    });
    const idleAgain = new Promise<void>((resolve) => {
      becameIdle = resolve;
    });
    const busy = group.take();
    assert.ok(busy !== undefined);
    // Looking up this many names takes seconds.
    const long = busy.run({ ...request, bannedQuays: Array.from({ length: 2_000_000 }, () => 'TST:Quay:None') });
    const refused = assert.rejects(long, { code: 'unavailable' });
    await group.change(fresh.bytes());
    await refused;
    await idleAgain;
    const next = group.take();
    assert.ok(next !== undefined && next !== busy);
    assert.deepEqual([await search(next), deaths], [freshId, 1]);
  });

  it('do not start when a thread is not ready in time', async () => {
    const patience = { startMs: 1, prepareMs: 1_000 };
    const slow = { bytes: old.bytes(), size: 1, warmUpMs: 0, patience };
    const start = ThreadGroup.start({ ...slow, onIdle: () => undefined, onDeath: () => undefined });
    await assert.rejects(start, /did not start within 1 ms/);
  });
});
