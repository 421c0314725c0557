/** Builds and the pointer on a real database: numbers, races, what an import sees, what is removed. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { PlannerBuildStore } from '../../../activities/timetable/planner-build-store.ts';
import { PlannerInputStore, type PlannerSource } from '../../../activities/timetable/planner-input.ts';
import type { Codespace, CorrelationId } from '../../../workflows/shared/ids.ts';
import { DAY_MS, DEM, OTHER, openStores, type Stores } from './support.ts';

const REPORT = {
  counts: { quays: 1 },
  rejected: [],
  durationMs: 5,
  imported: { datasets: [], stops: {} },
};

function source(receivedAt: Date, codespace = DEM): PlannerSource {
  const correlationId = randomUUID() as CorrelationId;
  return { codespace, correlationId, kind: 'timetable', receivedAt, sha256: 'x' };
}

describe('Planner builds', () => {
  let stores: Stores;
  let builds: PlannerBuildStore;
  let inputs: PlannerInputStore;

  beforeEach(async () => {
    stores = await openStores();
    builds = new PlannerBuildStore(stores.connection, stores.clock.now);
    await builds.ensureIndexes();
    inputs = new PlannerInputStore(stores.connection, { stopRegisterCodespace: OTHER, period: {} });
  });
  afterEach(() => stores?.connection.close());

  async function built(sources: readonly PlannerSource[] = [], hash = 'h'): Promise<number> {
    const build = await builds.nextNumber();
    await builds.plan(build, { sources, hash });
    const digest = String(build).padStart(64, '0');
    await builds.noteFile(build, { snapshotId: digest, sha256: digest, sizeBytes: 8 }, REPORT);
    return build;
  }

  it('gives each number once, also when many ask at once', async () => {
    const numbers = await Promise.all(Array.from({ length: 30 }, () => builds.nextNumber()));
    assert.deepEqual(
      numbers.toSorted((a, b) => a - b),
      Array.from({ length: 30 }, (_, at) => at + 1),
    );
  });

  it('moves the pointer to the latest build, whatever the order, however often, and never back', async () => {
    const all = [await built(), await built(), await built(), await built()];
    const answers = await Promise.all([...all, ...all].map((build) => builds.publish(build)));
    assert.equal((await builds.findPointer())?.build, 4);
    assert.ok(answers.filter((answer) => answer === 'PUBLISHED').length >= 2);
    assert.equal(await builds.publish(2), 'NOT_NEWER');
    assert.equal(await builds.publish(4), 'PUBLISHED');
    assert.equal((await builds.findPointer())?.build, 4);
  });

  it('publishes nothing that was not built', async () => {
    const build = await builds.nextNumber();
    await builds.plan(build, { sources: [], hash: 'h' });
    await assert.rejects(builds.publish(build), /has no snapshot/);
    assert.equal(await builds.findPointer(), undefined);
  });

  it('refuses files of a failed build, so that none is stored', async () => {
    const build = await builds.nextNumber();
    await builds.plan(build, { sources: [], hash: 'h' });
    await builds.fail(build, { errorCode: 'CANCELLED', reason: 'x' });
    const file = { snapshotId: 'a', sha256: 'a', sizeBytes: 1 };
    await assert.rejects(builds.noteFile(build, file, REPORT), /has ended/);
    assert.equal((await builds.get(build)).snapshotId, undefined);
  });

  it('answers whether a snapshot has an import’s version or a newer one', async () => {
    const { codespace, receivedAt } = await stores.publish('a');
    const version = { codespace, kind: 'timetable', receivedAt } as const;
    assert.deepEqual(await builds.findState(version), { state: 'WAITING' });
    const earlier = await built([source(new Date(receivedAt.getTime() - 1))]);
    await builds.publish(earlier);
    assert.deepEqual(await builds.findState(version), { state: 'WAITING' });
    const own = await built([source(receivedAt)]);
    assert.deepEqual(await builds.findState(version), { state: 'WAITING' });
    await builds.fail(own, { errorCode: 'SYSTEM_ERROR', reason: 'x' });
    assert.deepEqual(await builds.findState(version), { state: 'FAILED', build: own });
    const newer = await built([source(new Date(receivedAt.getTime() + 1))]);
    assert.deepEqual(await builds.findState(version), { state: 'WAITING' });
    await builds.publish(newer);
    const found = await builds.findState(version);
    assert.deepEqual([found.state, 'build' in found && found.build], ['BUILT', newer]);
  });

  it('removes snapshots a while after they were replaced, never the one in use', async () => {
    const [first, second] = [await built(), await built()];
    await builds.publish(first);
    stores.clock.advance(30 * DAY_MS);
    const third = await built();
    await builds.publish(third);
    const claim = () => builds.claimRemovals(new Date(stores.clock.now().getTime() - DAY_MS), 10);
    assert.deepEqual(await claim(), [], 'old, but in use a moment ago');
    stores.clock.advance(2 * DAY_MS);
    const claimed = await claim();
    assert.deepEqual(claimed.map(({ _id }) => _id).toSorted(), [first, second]);
    // One that was never published can no longer be.
    await assert.rejects(builds.publish(second), /has no snapshot/);
    for (const { _id } of claimed) await builds.markRemoved(_id);
    assert.deepEqual(await claim(), []);
    assert.equal((await builds.findPointer())?.build, third);
  });

  it('reads the latest version of each codespace, and changes its hash with what is published', async () => {
    const empty = await inputs.read();
    assert.deepEqual(empty.sources, []);
    await stores.publish('a');
    stores.clock.advance(1_000);
    const latest = await stores.publish('b');
    const one = await inputs.read();
    assert.deepEqual(
      one.sources.map(({ correlationId, kind }) => [correlationId, kind]),
      [[latest.correlationId, 'timetable']],
    );
    assert.notEqual(one.hash, empty.hash);
    assert.equal((await inputs.read()).hash, one.hash);
    const narrow = new PlannerInputStore(stores.connection, {
      stopRegisterCodespace: OTHER,
      period: { from: '2026-01-01' },
    });
    assert.notEqual((await narrow.read()).hash, one.hash);
    await stores.versions.withdraw(DEM, latest.importKey);
    const before = await inputs.read();
    assert.notEqual(before.hash, one.hash);
    assert.equal(before.sources.length, 1);
    await stores.codespaces.withdraw(DEM);
    assert.deepEqual((await inputs.read()).sources, []);
  });

  it('takes the stop register from its codespace alone, last', async () => {
    const register = { state: 'OK', details: { kind: 'stop-register' } } as const;
    for (const codespace of [OTHER, DEM] as Codespace[]) {
      const { correlationId } = await stores.receive(`r-${codespace}`, { codespace });
      await stores.imports.recordAction(codespace, correlationId, 'FILE_CLASSIFICATION', register);
      await stores.imports.recordAction(codespace, correlationId, 'VALIDATION', { state: 'OK' });
      await stores.imports.publish(codespace, correlationId);
      stores.clock.advance(1_000);
    }
    await stores.publish('t', OTHER);
    assert.deepEqual(
      (await inputs.read()).sources.map(({ codespace, kind }) => [codespace, kind]),
      [
        [OTHER, 'timetable'],
        [OTHER, 'stop-register'],
      ],
    );
  });
});
