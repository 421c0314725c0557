/**
 * An unreadable dataset of one codespace must not delay the others. Runs the activities of the planner build on real
 * servers.
 */
import assert from 'node:assert/strict';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { fetchSnapshot } from '../../../activities/shared/planner-snapshot-file.ts';
import { stopRegisterPrefix, uploadKey } from '../../../activities/timetable/object-keys.ts';
import {
  createPlannerBuildActivities,
  createPlannerBuildRecords,
} from '../../../activities/timetable/planner-build-activities.ts';
import { PlannerBuildStore } from '../../../activities/timetable/planner-build-store.ts';
import { PlannerInputStore } from '../../../activities/timetable/planner-input.ts';
import { PlannerJourneyStore } from '../../../activities/timetable/planner-journey-store.ts';
import { createPlannerStepRecords } from '../../../activities/timetable/planner-step-activities.ts';
import { type PlannerStatus, sweepPlanner } from '../../../activities/timetable/planner-sweep.ts';
import { DEFAULT_ARCHIVE_LIMITS } from '../../../netex/zip/index.ts';
import { openTimetable } from '../../../planner/index.ts';
import { ObjectStore } from '../../../platform/object-store/object-store.ts';
import type { Codespace, CorrelationId, OrganisationId } from '../../../workflows/shared/ids.ts';
import { silentLog } from '../../api/support/parcels.ts';
import { SIGNING_KEYS } from '../../support/planner-keys.ts';
import { publishArchive } from '../../support/publish-archive.ts';
import { useObjectStore } from '../../support/stack.ts';
import { writeZip } from '../../support/zip-writer.ts';
import { delivery } from '../planner-import/recorded-import.ts';
import { dataset, journey, line, pattern, REGISTER } from '../planner-import/small-network.ts';
import { DAY_MS, DEM, OTHER, openStores, type Stores } from './support.ts';

const NSR = 'nsr' as Codespace;
const AWAY = { S3_ENDPOINT: 'http://127.0.0.1:9', S3_ACCESS_KEY_ID: 'x', S3_SECRET_ACCESS_KEY: 'x' };

/** An archive with one line of that id and one journey. */
function archiveOf(id: string): Uint8Array {
  const { files } = dataset({
    lines: line(id),
    patterns: pattern({ id: `P-${id}`, line: id, stops: ['a', 'b'] }),
    journeys: journey({ id: `J-${id}`, pattern: `P-${id}`, times: ['08:00', '08:10'] }),
  });
  return writeZip(Object.entries(files).map(([name, data]) => ({ name, data })));
}

describe('A dataset that the planner build cannot read', () => {
  let stores: Stores;
  let objects: ObjectStore;
  let builds: PlannerBuildStore;
  let inputs: PlannerInputStore;

  beforeEach(async () => {
    stores = await openStores();
    objects = await ObjectStore.open(await useObjectStore());
    builds = new PlannerBuildStore(stores.connection, SIGNING_KEYS, stores.clock.now);
    inputs = new PlannerInputStore(stores.connection, { stopRegisterCodespace: NSR, period: {} });
    await stores.codespaces.put(NSR, {
      name: 'Register',
      xmlns: 'NSR',
      allowedXmlns: [],
      profile: 'timetable',
      ownerOrganisationId: 1 as OrganisationId,
    });
    const stops = delivery(`<SiteFrame id="NSR:SiteFrame:1" version="1">${REGISTER}</SiteFrame>`);
    await publish(NSR, writeZip([{ name: '_stops.xml', data: stops }]), 'stop-register');
    await publish(OTHER, archiveOf('Other'));
  });
  afterEach(async () => {
    objects?.close();
    await stores?.connection.close();
  });

  async function publish(
    codespace: Codespace,
    bytes?: Uint8Array,
    kind: 'timetable' | 'stop-register' = 'timetable',
  ): Promise<CorrelationId> {
    stores.clock.advance(1_000);
    return (await publishArchive({ ...stores, objects }, { codespace, bytes, kind })).correlationId;
  }

  const run = async <T>(activity: () => Promise<T>): Promise<T> =>
    await new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR', () => {}) }).run(activity);
  const records = () => createPlannerBuildRecords({ inputs, builds, quietMs: 10 });
  const activities = (store = objects) =>
    createPlannerBuildActivities({
      objects: store,
      inputs,
      builds,
      log: silentLog,
      archiveLimits: DEFAULT_ARCHIVE_LIMITS,
      journeys: new PlannerJourneyStore(stores.connection),
      temporal: undefined as never,
      now: stores.clock.now,
    });
  async function plan(): Promise<number> {
    const planned = await run(() => records().planPlannerBuild());
    return planned.outcome === 'PLANNED' ? planned.build : assert.fail('nothing to build');
  }
  /** Makes a new build, which becomes current. Returns the ids of its lines. */
  async function linesOfBuild(build: number): Promise<readonly string[]> {
    await run(() => activities().buildSnapshot({ build }));
    await run(() => records().publishSnapshot({ build }));
    const { snapshotId = '', sha256 = '', sizeBytes = 0 } = await builds.get(build);
    const { lines } = openTimetable(await fetchSnapshot(objects, { snapshotId, sha256, sizeBytes })).catalogue;
    return Array.from({ length: lines.count }, (_, at) => lines.at(at as never).id);
  }
  const stateOf = async (codespace: Codespace, correlationId: CorrelationId) => {
    const step = createPlannerStepRecords({ imports: stores.imports, builds, signalPlanner: undefined });
    return (await run(() => step.checkPlannerBuild({ codespace, correlationId }))).state;
  };

  it('is left out, named with the reason, and not tried again at once', async () => {
    const broken = await publish(DEM, Buffer.from('no zip'));
    const build = await plan();
    assert.deepEqual(await linesOfBuild(build), ['Other']);
    const [found, ...others] = (await builds.get(build)).leftOut ?? [];
    assert.deepEqual([found?.codespace, found?.correlationId, found?.instead, others], [DEM, broken, undefined, []]);
    assert.match(found?.reason ?? '', /dataset of dem.*no.* zip/);
    assert.deepEqual(await run(() => records().planPlannerBuild()), { outcome: 'UNCHANGED' });
    let counted = 0;
    const onStatus = ({ leftOut }: PlannerStatus) => {
      counted = leftOut;
    };
    assert.equal(await sweepPlanner({ inputs, builds, temporal: undefined as never, log: silentLog, onStatus }), false);
    assert.equal(counted, 1);
    assert.equal(await stateOf(DEM, broken), 'FAILED');
  });

  it('is replaced by the previous version, which was readable', async () => {
    const good = await publish(DEM, archiveOf('Good'));
    const gone = await publish(DEM);
    const broken = await publish(DEM, Buffer.from('no zip'));
    const build = await plan();
    assert.deepEqual(await linesOfBuild(build), ['Good', 'Other']);
    const leftOut = (await builds.get(build)).leftOut ?? [];
    assert.deepEqual(
      leftOut.map(({ correlationId, instead }) => [correlationId, instead?.correlationId]),
      [
        [broken, gone],
        [gone, good],
      ],
    );
    assert.deepEqual(
      [await stateOf(DEM, good), await stateOf(DEM, gone), await stateOf(DEM, broken)],
      ['BUILT', 'FAILED', 'FAILED'],
    );
  });

  it('is never replaced by a withdrawn version', async () => {
    const oldest = await publish(DEM, archiveOf('Oldest'));
    const older = await publish(DEM, archiveOf('Older'));
    await publish(DEM, Buffer.from('no zip'));
    const withdraw = async (correlationId: CorrelationId) => {
      const { importKey = assert.fail('it is published') } = await stores.imports.get(DEM, correlationId);
      await stores.versions.withdraw(DEM, importKey);
    };
    assert.deepEqual(await linesOfBuild(await plan()), ['Older', 'Other']);
    await withdraw(older);
    assert.deepEqual(await linesOfBuild(await plan()), ['Oldest', 'Other']);
    assert.deepEqual(await run(() => records().planPlannerBuild()), { outcome: 'UNCHANGED' });
    await withdraw(oldest);
    assert.deepEqual(await linesOfBuild(await plan()), ['Other']);
  });

  it('is not searched for once its build has ended', async () => {
    await publish(DEM, Buffer.from('no zip'));
    const build = await plan();
    await builds.fail(build, { errorCode: 'SYSTEM_ERROR', reason: 'it took too long' });
    await assert.rejects(
      run(() => activities().buildSnapshot({ build })),
      /has ended already/,
    );
  });

  it('is included again when it is restored a day later', async () => {
    const gone = await publish(DEM);
    assert.deepEqual(await linesOfBuild(await plan()), ['Other']);
    await objects.put(uploadKey(DEM, gone), archiveOf('Back'), 'application/zip');
    stores.clock.advance(DAY_MS + 1_000);
    assert.deepEqual(await linesOfBuild(await plan()), ['Back', 'Other']);
    assert.equal(await stateOf(DEM, gone), 'BUILT');
    stores.clock.advance(DAY_MS + 1_000);
    assert.deepEqual(await run(() => records().planPlannerBuild()), { outcome: 'UNCHANGED' });
  });

  it('is found once by two attempts at once, which make the same snapshot', async () => {
    await publish(DEM, Buffer.from('no zip'));
    const build = await plan();
    const once = () => run(() => activities().buildSnapshot({ build }));
    const [one, other] = await Promise.all([once(), once()]);
    assert.equal(one.snapshotId, other.snapshotId);
    assert.equal((await builds.get(build)).leftOut?.length, 1);
  });

  it('is not given up while the object store is away', async () => {
    await publish(DEM, archiveOf('Good'));
    const build = await plan();
    const away = ObjectStore.connect({ ...(await useObjectStore()), ...AWAY });
    await assert.rejects(
      run(() => activities(away).buildSnapshot({ build })),
      (error) => {
        return !(error as { nonRetryable?: boolean }).nonRetryable;
      },
    );
    away.close();
    assert.equal((await builds.get(build)).leftOut, undefined);
    assert.deepEqual(await linesOfBuild(build), ['Good', 'Other']);
  });

  it('as stop register is replaced by the previous one; without any the build fails', async () => {
    await publish(NSR, Buffer.from('no zip'), 'stop-register');
    assert.deepEqual(await linesOfBuild(await plan()), ['Other']);
    const registers = stores.connection.collection('timetable_imports').find({ codespace: NSR });
    for await (const { _id } of registers) {
      await objects.delete(uploadKey(NSR, String(_id) as CorrelationId));
      await objects.deletePrefix(stopRegisterPrefix(String(_id) as CorrelationId));
    }
    await publish(OTHER, archiveOf('Newer'));
    const build = await plan();
    await assert.rejects(
      run(() => activities().buildSnapshot({ build })),
      /No stop-register that is published can be read/,
    );
  });
});
