/** Tests builds and the pointer on a real database: numbers, races, the view of an import, and removal. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { PLANNER_POINTER } from '../../../activities/shared/planner-snapshot.ts';
import { PlannerBuildStore } from '../../../activities/timetable/planner-build-store.ts';
import { PlannerInputStore, type PlannerSource } from '../../../activities/timetable/planner-input.ts';
import { parseSigningKeys } from '../../../platform/keys/signing-keys.ts';
import type { Codespace, CorrelationId } from '../../../workflows/shared/ids.ts';
import { PLANNER_SIGNING_KEYS, SIGNING_KEYS } from '../../support/planner-keys.ts';
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
    builds = new PlannerBuildStore(stores.connection, SIGNING_KEYS, stores.clock.now);
    await builds.ensureIndexes();
    inputs = new PlannerInputStore(stores.connection, { stopRegisterCodespace: OTHER, period: {} });
  });
  afterEach(() => stores?.connection.close());

  async function built(sources: readonly PlannerSource[] = [], hash = 'h'): Promise<number> {
    const build = await builds.nextNumber();
    await builds.plan(build, { sources, hash });
    const digest = String(build).padStart(64, '0');
    await builds.noteFile(build, { snapshotId: digest, sha256: digest, sizeBytes: 8, inputHash: hash }, REPORT);
    return build;
  }

  const seconds = () => Math.floor(stores.clock.now().getTime() / 1_000);

  it('gives each number once, also under simultaneous requests, from the time on', async () => {
    const numbers = await Promise.all(Array.from({ length: 30 }, () => builds.nextNumber()));
    assert.deepEqual(
      numbers.toSorted((a, b) => a - b),
      Array.from({ length: 30 }, (_, at) => seconds() + at),
    );
    stores.clock.advance(-60_000);
    assert.equal(await builds.nextNumber(), Math.max(...numbers) + 1);
  });

  for (const last of [9e15, 3, -1, 2.5, Number.NaN, Number.POSITIVE_INFINITY, 'x', null]) {
    it(`gives usable numbers after the counter was set to ${last}`, async () => {
      await stores.connection.collection('planner_numbers').insertOne({ _id: 'builds' as never, last });
      const [first, second] = [await builds.nextNumber(), await builds.nextNumber()];
      assert.deepEqual([first, second], [seconds(), seconds() + 1]);
    });
  }

  it('gives usable numbers after the counter was set to a number of another type, which drivers give as an object', async () => {
    const last = mongoose.mongo.Decimal128.fromString(String(seconds() + 100));
    await stores.connection.collection('planner_numbers').insertOne({ _id: 'builds' as never, last });
    assert.equal(await builds.nextNumber(), seconds());
  });

  describe('with a pointer that an attacker has written', () => {
    const pointer = () => PLANNER_POINTER.open(stores.connection);
    const forge = (change: object) => pointer().updateOne({ _id: 'current' }, { $set: change }, { upsert: true });

    for (const [what, change] of Object.entries({
      'a number that hides later builds': { build: 9e15 },
      'the input of now': { inputHash: 'now' },
      'no signature': { signature: null },
      'a signature of another type': { signature: { $gt: '' } },
      'a time of another type': { publishedAt: 'yesterday' },
    })) {
      it(`takes it for none when it has ${what}, and replaces it`, async () => {
        const first = await built();
        await builds.publish(first);
        await forge(change);
        assert.equal(await builds.findPointer(), undefined);
        assert.equal(await builds.isInUse({ sources: [source(new Date())], hash: 'now' }), false);
        stores.clock.advance(30 * DAY_MS);
        assert.deepEqual(await builds.claimRemovals(stores.clock.now(), 10), []);
        const second = await built();
        assert.equal(await builds.publish(second), 'PUBLISHED');
        assert.equal((await builds.findPointer())?.build, second);
      });
    }

    it('is replaced by one of several builds at once: the latest', async () => {
      await forge({ build: 9e15, snapshotId: '../x' });
      const all = [await built(), await built(), await built()];
      await Promise.all(all.map((build) => builds.publish(build)));
      assert.equal((await builds.findPointer())?.build, all.at(-1));
    });

    it('publishes no build whose record was changed since', async () => {
      for (const change of [{ sha256: 'f'.repeat(64) }, { snapshotId: 'f'.repeat(64) }, { inputHash: 'other' }]) {
        const build = await built();
        await stores.connection.collection('planner_builds').updateOne({ _id: build as never }, { $set: change });
        await assert.rejects(builds.publish(build), /has no snapshot/);
      }
      assert.equal(await builds.findPointer(), undefined);
    });
  });

  it('wants a new build once another key signs, and then trusts none of the old one', async () => {
    const old = PLANNER_SIGNING_KEYS;
    const next = `next:${Buffer.alloc(32, 9).toString('base64')}`;
    const withKeys = (text: string) =>
      new PlannerBuildStore(stores.connection, parseSigningKeys(text, 'PLANNER_SIGNING_KEYS'), stores.clock.now);
    await builds.publish(await built());
    const input = { sources: [source(new Date())], hash: 'h' };
    assert.equal(await withKeys(old).isInUse(input), true);
    const both = withKeys(`${next},${old}`);
    assert.equal((await both.findPointer())?.keyId, 'test', 'it is trusted meanwhile');
    assert.equal(await both.isInUse(input), false);
    assert.equal(await withKeys(next).findPointer(), undefined);
  });

  it('moves the pointer to the latest build, in any order of calls, and never back', async () => {
    const all = [await built(), await built(), await built(), await built()];
    const answers = await Promise.all([...all, ...all].map((build) => builds.publish(build)));
    const [, second = 0, , last = 0] = all;
    assert.equal((await builds.findPointer())?.build, last);
    assert.ok(answers.filter((answer) => answer === 'PUBLISHED').length >= 2);
    assert.equal(await builds.publish(second), 'NOT_NEWER');
    assert.equal(await builds.publish(last), 'PUBLISHED');
    assert.equal((await builds.findPointer())?.build, last);
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
    const file = { snapshotId: 'a', sha256: 'a', sizeBytes: 1, inputHash: 'h' };
    await assert.rejects(builds.noteFile(build, file, REPORT), /has ended/);
    assert.equal((await builds.get(build)).snapshotId, undefined);
  });

  it('finds whether a snapshot has an import’s version or a newer one', async () => {
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

  it('removes snapshots some time after their replacement, never the one in use', async () => {
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
    // A build that was never published can no longer be.
    await assert.rejects(builds.publish(second), /has no snapshot/);
    for (const { _id } of claimed) await builds.markRemoved(_id);
    assert.deepEqual(await claim(), []);
    assert.equal((await builds.findPointer())?.build, third);
  });

  it('reads the latest version of each codespace, with a hash of all versions', async () => {
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

  it('reads the stop register from its codespace alone, last', async () => {
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
