/**
 * The comparison of a published version with the one before: what it is compared with; repeated, at once, and killed
 * while it reads.
 */
import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createComparisonRecords } from '../../../activities/timetable/comparison-records.ts';
import type { StoredDifferences } from '../../../activities/timetable/dataset-differences.ts';
import { DIFFERENCES, differencesKey, uploadKey } from '../../../activities/timetable/object-keys.ts';
import { readObject } from '../../../platform/object-store/read-object.ts';
import { GAVE_UP } from '../../../workflows/timetable/activities.ts';
import type { ComparisonPlan } from '../../../workflows/timetable/comparison-activities.ts';
import type { DatasetImportInput } from '../../../workflows/timetable/messages.ts';
import { drawTimetable } from '../../netex/differences/drawn-changes.ts';
import { archiveBytesOf, type DrawnTimetable } from '../../netex/support/drawn-timetable.ts';
import { seededRandom } from '../../support/zip-samples.ts';
import { ImportFixture } from './import-fixture.ts';

const DAY_MS = 86_400_000;

/** Days from yesterday on, so that the receipts of the test are among them. */
function timetable(): DrawnTimetable {
  const drawn = drawTimetable(seededRandom(7));
  const today = Math.floor(Date.now() / DAY_MS);
  const days = Array.from({ length: 30 }, (_, day) => today - 1 + day);
  for (const id of drawn.dayTypes.keys()) drawn.dayTypes.set(id, days);
  return drawn;
}

describe('The comparison of a version with the one before', () => {
  let world: ImportFixture;
  let codespaces = 0;
  let codespace: string;

  before(async () => {
    world = await ImportFixture.open();
  });
  after(() => world?.close());
  beforeEach(async () => {
    codespace = `c${String.fromCharCode(97 + Math.floor(codespaces / 26), 97 + (codespaces++ % 26))}`;
    await world.putCodespace(codespace);
  });

  async function publish(bytes: Uint8Array, kind = 'timetable'): Promise<DatasetImportInput> {
    const input = await world.receiveBytes(bytes, codespace);
    const { finishStep, publishImport } = world.records();
    await world.run(() => finishStep(input, 'FILE_CLASSIFICATION', { details: { kind } }));
    await world.run(() => finishStep(input, 'VALIDATION', { details: {} }));
    await world.run(() => publishImport(input));
    return input;
  }

  async function plan(input: DatasetImportInput): Promise<ComparisonPlan | 'NOTHING'> {
    const { imports, versions } = world;
    const records = createComparisonRecords({
      imports,
      versions,
      timeZone: 'Europe/Oslo',
      stopRegisterCodespace: 'nsr' as never,
    });
    return await world.run(() => records.planComparison(input));
  }

  async function twoVersions() {
    const [older, newer] = [timetable(), timetable()];
    newer.lines.pop();
    const first = await publish(archiveBytesOf(older));
    const second = await publish(archiveBytesOf(newer));
    const found = await plan(second);
    assert.notEqual(found, 'NOTHING');
    return { first, second, input: { ...second, ...(found as ComparisonPlan) } };
  }

  const compare = (input: DatasetImportInput & ComparisonPlan, attempt = 1) =>
    world.run(() => world.validation().compareVersions(input), attempt);

  async function stored({ codespace: of, correlationId }: DatasetImportInput): Promise<StoredDifferences> {
    return JSON.parse(gunzipSync(await readObject(world.objects, differencesKey(of, correlationId))).toString());
  }

  it('names both versions and what has changed', async () => {
    const { first, second, input } = await twoVersions();
    await compare(input);
    const { with: other, correlationId, lines, journeys, days, service } = await stored(second);
    assert.deepEqual([correlationId, other.correlationId], [second.correlationId, first.correlationId]);
    assert.deepEqual([lines.removed, lines.items[0]?.lineId], [1, 'ABC:Line:3']);
    assert.ok(journeys.removed > 0 && journeys.added === 0);
    assert.equal(journeys.removed, journeys.before - journeys.after);
    assert.deepEqual([days.total, service.compared?.from], [29, input.day]);
  });

  it('writes the same bytes in two attempts at once, and writes them once', async () => {
    const { input } = await twoVersions();
    await Promise.all([compare(input), compare(input)]);
    const written = await world.contents(`${DIFFERENCES}${codespace}/`);
    assert.equal(written.size, 1);
    const key = differencesKey(input.codespace, input.correlationId);
    await world.objects.delete(key);
    await compare(input);
    assert.deepEqual(await world.contents(`${DIFFERENCES}${codespace}/`), written);
    const at = (await world.objects.head(key))?.lastModified;
    await world.objects.delete(uploadKey(input.codespace, input.previous.correlationId));
    await compare(input, 2);
    assert.deepEqual((await world.objects.head(key))?.lastModified, at);
  });

  it('leaves nothing behind when it is killed twice while it reads, and then ends', async () => {
    const { second, input } = await twoVersions();
    for (const attempt of [1, 2]) {
      const environment = new MockActivityEnvironment({ attempt });
      const running = environment.run(() => world.validation().compareVersions(input));
      environment.cancel('WORKER_SHUTDOWN');
      await assert.rejects(running);
      assert.equal((await world.contents(`${DIFFERENCES}${codespace}/`)).size, 0);
    }
    await compare(input, 3);
    assert.equal((await stored(second)).lines.removed, 1);
  });

  it('gives up when an archive is missing', async () => {
    const { input } = await twoVersions();
    await world.objects.delete(uploadKey(input.codespace, input.previous.correlationId));
    await assert.rejects(compare(input), { type: GAVE_UP });
  });

  it('is nothing for a first version, one that is withdrawn, and one of another kind', async () => {
    const first = await publish(archiveBytesOf(timetable()));
    assert.equal(await plan(first), 'NOTHING');
    const register = await publish(archiveBytesOf(timetable()), 'stop-register');
    assert.equal(await plan(register), 'NOTHING');
    const second = await publish(archiveBytesOf(timetable()));
    const found = await plan(second);
    assert.equal((found as ComparisonPlan).previous.correlationId, first.correlationId);
    const { importKey } = await world.imports.get(second.codespace, second.correlationId);
    await world.versions.withdraw(second.codespace, importKey);
    assert.equal(await plan(second), 'NOTHING');
  });

  it('is with the version that was received before it, however late it is published', async () => {
    const first = await publish(archiveBytesOf(timetable()));
    const late = await world.receiveBytes(archiveBytesOf(timetable()), codespace);
    const newest = await publish(archiveBytesOf(timetable()));
    const { finishStep, publishImport } = world.records();
    await world.run(() => finishStep(late, 'FILE_CLASSIFICATION', { details: { kind: 'timetable' } }));
    await world.run(() => finishStep(late, 'VALIDATION', { details: {} }));
    await world.run(() => publishImport(late));
    assert.equal(((await plan(late)) as ComparisonPlan).previous.correlationId, first.correlationId);
    assert.equal(((await plan(newest)) as ComparisonPlan).previous.correlationId, late.correlationId);
  });
});
