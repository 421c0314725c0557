/**
 * Tests a validation worker with files that may take all of its memory. It refuses them, gives them up, and tries none
 * twice.
 */
import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { readManifest } from '../../../activities/timetable/dataset-manifest.ts';
import { openResults } from '../../../activities/timetable/file-results.ts';
import { VERY_LARGE_BYTES } from '../../../activities/timetable/step-deaths.ts';
import { entryLimitBytes, givesUpAtBytes, guardMemory } from '../../../activities/timetable/validation-memory.ts';
import { stepMarksPrefix } from '../../../activities/timetable/work-keys.ts';
import { DEFAULT_ARCHIVE_LIMITS } from '../../../netex/zip/index.ts';
import { ARCHIVE_REFUSED, type BatchInput, type ClassifiedDataset } from '../../../workflows/timetable/activities.ts';
import { largeArchive } from '../../support/large-files.ts';
import { LINE_FILE } from '../../support/netex-samples.ts';
import { ImportFixture } from './import-fixture.ts';

const MIB = 1024 * 1024;

describe('Very large files', () => {
  let world: ImportFixture;

  before(async () => {
    world = await ImportFixture.open();
  });
  after(() => world?.close());
  beforeEach(() => {
    world.validator.names.length = 0;
    world.validator.onValidate = () => {};
    world.archiveLimits = DEFAULT_ARCHIVE_LIMITS;
    world.processBytes = Number.POSITIVE_INFINITY;
  });

  async function receiveLarge(name: string): Promise<BatchInput> {
    const input = await world.receiveBytes(largeArchive(name, VERY_LARGE_BYTES));
    const found = (await world.run(() => world.dataset().classifyDataset(input))) as ClassifiedDataset;
    assert.equal(found.outcome, 'accepted');
    return { ...input, manifestId: found.manifestId, batch: 0 };
  }

  const marksOf = async (input: BatchInput, step: string) => [
    ...(await world.contents(stepMarksPrefix(input, step))).keys(),
  ];
  const refusedAs =
    (code: string, text: RegExp) =>
    (error: unknown): boolean =>
      error instanceof ApplicationFailure &&
      error.type === ARCHIVE_REFUSED &&
      error.nonRetryable === true &&
      error.details?.[0] === code &&
      text.test(error.message);

  it('are accepted as far as the memory of the worker goes', () => {
    assert.equal(entryLimitBytes(1_500 * MIB), 581_909_333);
    assert.equal(entryLimitBytes(512 * MIB), 64 * MIB, 'what is usual');
    assert.equal(entryLimitBytes(64 * 1024 * MIB), DEFAULT_ARCHIVE_LIMITS.maxEntryBytes);
    assert.ok(givesUpAtBytes(1_500 * MIB) < 1_400 * MIB);
  });

  it('are refused beyond that, before they are read', async () => {
    const input = { ...(await world.classified({ 'a.xml': LINE_FILE })), batch: 0 };
    world.archiveLimits = { ...DEFAULT_ARCHIVE_LIMITS, maxEntryBytes: 100 };
    await assert.rejects(
      world.run(() => world.validation().indexCommonFiles(input)),
      refusedAs('ARCHIVE_TOO_LARGE', /"a.xml" has .* at most 100 bytes/),
    );
  });

  it('are given up when the process reaches its limit while it reads much of them', async () => {
    const held: Buffer[] = [];
    const chunks = async function* () {
      while (held.length < 32) yield held[held.push(Buffer.alloc(16 * MIB, 'x')) - 1] ?? assert.fail();
    };
    const guarded = guardMemory(process.memoryUsage.rss() + 128 * MIB)(chunks(), { name: 'a.xml', bytes: 512 * MIB });
    const readAll = async () => {
      for await (const _chunk of guarded);
    };
    await assert.rejects(readAll(), /"a.xml" .* needs more memory/);
  });

  it('are tried again when the process had reached its limit before', async () => {
    const input = { ...(await world.classified({ '_common.xml': LINE_FILE, 'a.xml': LINE_FILE })), batch: 0 };
    world.processBytes = 1;
    await assert.rejects(
      world.run(() => world.validation().indexCommonFiles(input)),
      (error) => !(error instanceof ApplicationFailure) && /no memory left/.test(String(error)),
    );
  });

  it('are not read again when they have ended their process once', async () => {
    const input = await receiveLarge('a.xml');
    await world.run(() => world.validation().indexCommonFiles(input));
    let marks: string[] = [];
    world.validator.onValidate = async () => {
      marks = await marksOf(input, 'file-0');
      throw new Error('the object store is away');
    };
    await assert.rejects(
      world.run(() => world.validation().validateFiles(input)),
      /away/,
    );
    assert.equal(marks.length, 1, 'the first attempt sets a mark');
    assert.deepEqual(await marksOf(input, 'file-0'), [], 'the process lives');

    await world.objects.put(marks[0] ?? '', new Uint8Array(), 'text/plain');
    world.validator.names.length = 0;
    await world.run(() => world.validation().validateFiles(input), 2);
    assert.deepEqual(world.validator.names, []);
    const results = await openResults(world.objects, input, await readManifest(world.objects, input));
    const { counts, findings } = await results.read('a.xml');
    assert.deepEqual(counts, { SYSTEM_ERROR: 1 });
    assert.match(findings[0]?.message ?? '', /ended the process.*It has 128 MiB: divide it/);
  });

  it('end the import with a reason when the common files have ended their process once', async () => {
    const input = await receiveLarge('_common.xml');
    await world.objects.put(`${stepMarksPrefix(input, 'index-common-files')}1`, new Uint8Array(), 'text/plain');
    await assert.rejects(
      world.run(() => world.validation().indexCommonFiles(input), 2),
      refusedAs('ARCHIVE_TOO_LARGE', /ended while it read 128 MiB/),
    );
  });
});
