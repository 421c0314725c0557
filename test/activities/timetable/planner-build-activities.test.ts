/**
 * Runs the activities of the planner build twice and at once over the demo region, on a real database and object store.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { PLANNER_SNAPSHOTS } from '../../../activities/shared/planner-snapshot.ts';
import { fetchSnapshot } from '../../../activities/shared/planner-snapshot-file.ts';
import {
  createPlannerBuildActivities,
  createPlannerBuildRecords,
} from '../../../activities/timetable/planner-build-activities.ts';
import { PlannerBuildStore } from '../../../activities/timetable/planner-build-store.ts';
import { PlannerInputStore } from '../../../activities/timetable/planner-input.ts';
import { stretchesOf } from '../../../activities/timetable/planner-journey-rows.ts';
import { PlannerJourneyStore } from '../../../activities/timetable/planner-journey-store.ts';
import { createPlannerStepRecords } from '../../../activities/timetable/planner-step-activities.ts';
import { sweepPlanner } from '../../../activities/timetable/planner-sweep.ts';
import { type DemoData, generateDemo } from '../../../dev/demo/generate.ts';
import { DEFAULT_ARCHIVE_LIMITS } from '../../../netex/zip/index.ts';
import { openTimetable } from '../../../planner/index.ts';
import { ObjectStore } from '../../../platform/object-store/object-store.ts';
import { TemporalClient } from '../../../platform/temporal/temporal.ts';
import type { Codespace, ImportKey, OrganisationId } from '../../../workflows/shared/ids.ts';
import { PLANNER_BUILD_WORKFLOW_ID } from '../../../workflows/timetable/messages.ts';
import { silentLog } from '../../api/support/parcels.ts';
import { DEMO_DATE, temporaryFolder } from '../../support/demo-dataset.ts';
import { SIGNING_KEYS } from '../../support/planner-keys.ts';
import { publishArchive } from '../../support/publish-archive.ts';
import { useObjectStore, useTemporal } from '../../support/stack.ts';
import { DAY_MS, DEM, openStores, type Stores } from './support.ts';

/** Trams, feeders and trains: more than a thousand journeys, some of them dated. */
const LINES = [13, 14, 15, 16, 17, 18, 51, 52, 201, 207];
const NSR = 'nsr' as Codespace;
const PAYLOAD_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`;

/** Runs an activity as Temporal does. */
async function run<T>(activity: () => Promise<T>): Promise<T> {
  return await new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR', () => {}) }).run(activity);
}

describe('Activities of the planner build', () => {
  let stores: Stores;
  let objects: ObjectStore;
  let temporal: TemporalClient;
  let builds: PlannerBuildStore;
  let inputs: PlannerInputStore;
  let journeys: PlannerJourneyStore;
  let demo: DemoData;
  let importKey: ImportKey;
  let build = 0;

  before(async () => {
    stores = await openStores();
    objects = await ObjectStore.open(await useObjectStore());
    const { address } = await useTemporal();
    temporal = new TemporalClient({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'default', PAYLOAD_KEYS });
    builds = new PlannerBuildStore(stores.connection, SIGNING_KEYS, stores.clock.now);
    inputs = new PlannerInputStore(stores.connection, { stopRegisterCodespace: NSR, period: {} });
    journeys = new PlannerJourneyStore(stores.connection);
    await Promise.all([builds.ensureIndexes(), journeys.ensureIndexes()]);
    await stores.codespaces.put(NSR, {
      name: 'Register',
      xmlns: 'NSR',
      allowedXmlns: [],
      profile: 'timetable',
      ownerOrganisationId: 1 as OrganisationId,
    });
    demo = await generateDemo({ date: DEMO_DATE, directory: temporaryFolder(), lines: LINES });
    await publish(NSR, demo.stopRegister, 'stop-register');
    importKey = await publish(DEM, demo.timetable, 'timetable');
  });
  after(async () => {
    await temporal?.close();
    objects?.close();
    await stores?.connection.close();
  });

  async function publish(codespace: Codespace, path: string, kind: 'timetable' | 'stop-register'): Promise<ImportKey> {
    const bytes = await readFile(path);
    return (await publishArchive({ ...stores, objects }, { codespace, bytes, kind })).importKey;
  }

  const records = () => createPlannerBuildRecords({ inputs, builds, quietMs: 10 });
  const activities = () =>
    createPlannerBuildActivities({
      objects,
      inputs,
      builds,
      journeys,
      temporal,
      log: silentLog,
      now: stores.clock.now,
      archiveLimits: DEFAULT_ARCHIVE_LIMITS,
    });
  const keys = async () => {
    const found: string[] = [];
    for await (const { key } of objects.list(PLANNER_SNAPSHOTS)) found.push(key);
    return found;
  };

  it('makes the same snapshot twice and twice at once, and keeps its report', async () => {
    const planned = await run(() => records().planPlannerBuild());
    assert.equal(planned.outcome, 'PLANNED');
    build = planned.outcome === 'PLANNED' ? planned.build : 0;
    const once = () => run(() => activities().buildSnapshot({ build }));
    const all = [...(await Promise.all([once(), once()])), await once()];
    assert.equal(new Set(all.map(({ snapshotId }) => snapshotId)).size, 1);
    assert.equal((await keys()).length, 1);
    const { state, report, sha256 = '', sizeBytes = 0, snapshotId = '' } = await builds.get(build);
    assert.equal(state, 'BUILT');
    assert.ok((report?.counts.serviceJourneys ?? 0) > 1_000 && (report?.counts.quays ?? 0) > 100);
    assert.ok((report?.imported.stops.quays ?? 0) > 100, 'the register is in');
    const timetable = openTimetable(await fetchSnapshot(objects, { snapshotId, sha256, sizeBytes }));
    assert.equal(timetable.snapshotId, all[0]?.snapshotId);
    assert.equal(await builds.findPointer(), undefined);
  });

  it('writes the journeys once, also when repeated and at once', async () => {
    const { snapshotId = '', sha256 = '', sizeBytes = 0 } = await builds.get(build);
    const once = () => run(() => activities().storeJourneys({ build }));
    const counts = [...(await Promise.all([once(), once()])), await once()].map((answer) => answer.journeys);
    assert.equal(new Set(counts).size, 1);
    assert.equal(await journeys.count(snapshotId), counts[0]);
    const { catalogue, transit } = openTimetable(await fetchSnapshot(objects, { snapshotId, sha256, sizeBytes }));
    const dated = catalogue.datedServiceJourneys.at(0 as never);
    const journey = catalogue.serviceJourneys.at(dated.journey);
    const row = await journeys.findJourney(snapshotId, journey.id);
    assert.ok(row?.dated?.some(({ id, day }) => id === dated.id && day === dated.day));
    const [trip] = transit.tripsOfJourney(dated.journey);
    if (trip !== undefined) {
      assert.deepEqual(row?.days, stretchesOf(transit.activeDays(trip)));
      assert.equal(row?.trips[0]?.departures[0], transit.departureAt(trip, 0));
    }
    const pattern = await journeys.findPattern(snapshotId, row?.patternId ?? '');
    assert.deepEqual(
      pattern?.quayIds,
      catalogue.journeyPatterns.at(journey.pattern).stops.map(({ stop }) => catalogue.quays.at(stop).id),
    );
  });

  it('finds nothing to build once the pointer has moved, and something when a version is withdrawn', async () => {
    assert.equal(await run(() => records().publishSnapshot({ build })), 'PUBLISHED');
    assert.deepEqual(await run(() => records().planPlannerBuild()), { outcome: 'UNCHANGED' });
    const { correlationId } = (await stores.versions.findLatest(DEM)) ?? {};
    const step = createPlannerStepRecords({ imports: stores.imports, builds, signalPlanner: undefined });
    const input = { codespace: DEM, correlationId: correlationId as never };
    assert.equal((await run(() => step.checkPlannerBuild(input))).state, 'BUILT');
    assert.equal(await run(() => step.requestPlannerBuild(input)), 'OFF');
    const sweep = { inputs, builds, temporal, log: silentLog };
    assert.equal(await sweepPlanner(sweep), false);

    await stores.versions.withdraw(DEM, importKey);
    assert.deepEqual(await run(() => step.checkPlannerBuild(input)), { state: 'WITHDRAWN' });
    assert.equal(await sweepPlanner(sweep), true);
    const handle = temporal.client.workflow.getHandle(PLANNER_BUILD_WORKFLOW_ID);
    assert.equal((await handle.describe()).status.name, 'RUNNING');
    // A running build is left alone.
    assert.equal(await sweepPlanner(sweep), true);
    await handle.terminate();
  });

  it('does not retry at once what has just failed, but later', async () => {
    const planned = await run(() => records().planPlannerBuild());
    const failed = planned.outcome === 'PLANNED' ? planned.build : 0;
    await run(() => records().failPlannerBuild({ build: failed }, { errorCode: 'SYSTEM_ERROR', reason: 'x' }));
    const sweep = { inputs, builds, temporal, log: silentLog, now: stores.clock.now };
    assert.equal(await sweepPlanner(sweep), false);
    const later = new Date(stores.clock.now().getTime() + 11 * 60_000);
    assert.equal(await sweepPlanner({ ...sweep, now: () => later }), true);
    await temporal.client.workflow.getHandle(PLANNER_BUILD_WORKFLOW_ID).terminate();
  });

  it('gives up when no published dataset can be read, and names the reason', async () => {
    await publishArchive({ ...stores, objects }, { codespace: DEM, bytes: Buffer.from('no zip') });
    const planned = await run(() => records().planPlannerBuild());
    const broken = planned.outcome === 'PLANNED' ? planned.build : 0;
    await assert.rejects(
      run(() => activities().buildSnapshot({ build: broken })),
      ({ type, nonRetryable, message }: { type?: string; nonRetryable?: boolean; message?: string }) =>
        type === 'GAVE_UP' && nonRetryable === true && /No timetable.*dem: .*ArchiveError/.test(message ?? ''),
    );
  });

  it('gives up on a build whose attempts end with their process, and counts no others', async () => {
    assert.equal((await builds.get(build)).attempts, 0);
    await publish(DEM, demo.timetable, 'timetable');
    const planned = await run(() => records().planPlannerBuild());
    const deadly = planned.outcome === 'PLANNED' ? planned.build : 0;
    const once = () => run(() => activities().buildSnapshot({ build: deadly }));
    for (let died = 0; died < 4; died++) await builds.beginAttempt(deadly);
    await assert.rejects(
      once(),
      ({ type, nonRetryable, message }: { type?: string; nonRetryable?: boolean; message?: string }) =>
        type === 'GAVE_UP' && nonRetryable === true && /memory/.test(message ?? ''),
    );
  });

  it('stops a build that was cancelled', async () => {
    const planned = await run(() => records().planPlannerBuild());
    const unwanted = planned.outcome === 'PLANNED' ? planned.build : 0;
    const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR', () => {}) });
    const running = environment.run(() => activities().buildSnapshot({ build: unwanted }));
    environment.cancel();
    await assert.rejects(running);
  });

  it('removes snapshots and journeys that are no longer in use', async () => {
    const { snapshotId: old = '' } = await builds.get(build);
    const newer = await builds.nextNumber();
    await builds.plan(newer, { sources: [], hash: 'newer' });
    const digest = 'f'.repeat(64);
    const report = { counts: {}, rejected: [], durationMs: 1, imported: { datasets: [], stops: {} } };
    await builds.noteFile(newer, { snapshotId: digest, sha256: digest, sizeBytes: 1, inputHash: 'newer' }, report);
    await builds.publish(newer);
    await run(() => activities().removeOldSnapshots());
    assert.ok((await journeys.count(old)) > 0, 'too early');
    stores.clock.advance(2 * DAY_MS);
    const once = () => run(() => activities().removeOldSnapshots());
    await Promise.all([once(), once()]);
    assert.deepEqual([await journeys.count(old), await keys()], [0, []]);
  });
});
