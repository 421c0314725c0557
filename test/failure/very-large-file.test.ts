/** A small upload that unpacks to a very large file, sent to a service whose validation worker has little memory. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workPrefix } from '../../activities/timetable/object-keys.ts';
import { VERY_LARGE_BYTES } from '../../activities/timetable/step-deaths.ts';
import { residentMegabytes } from '../../dev/bench/memory.ts';
import type { TimetableClient } from '../../dev/demo/api-client.ts';
import { objectStoreShape, parseConfig } from '../../platform/config.ts';
import { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { Codespace, CorrelationId } from '../../workflows/shared/ids.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { largeArchive } from '../support/large-files.ts';
import { LINE_FILE } from '../support/netex-samples.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/until.ts';
import { writeZip } from '../support/zip-writer.ts';

const CODESPACE = 'tst';
const FIRST_WORKER = 'timetableValidationWorker';
/** The end of a step that takes seconds. */
const LOOK_MS = 250;
/** With this much, files of 64 MiB are accepted by default. */
const MEMORY_BYTES = 600_000_000;

describe('A very large file in a small upload', function () {
  this.timeout(240_000);
  let service: Service;
  let client: TimetableClient;
  const directory = temporaryDirectory('large');

  before(async () => {
    service = await Service.start({ env: { VALIDATION_MEMORY_BYTES: String(MEMORY_BYTES) } });
    client = await service.client();
    const rest = { name: 'Test', allowedXmlns: ['NSR'], profile: 'timetable', ownerOrganisationId: 1 };
    await client.putCodespace(CODESPACE, { ...rest, xmlns: 'TST' });
  });
  after(() => service?.stop());

  async function upload(bytes: Uint8Array): Promise<string> {
    const path = join(directory, 'a.zip');
    writeFileSync(path, bytes);
    return await client.upload(CODESPACE, path);
  }

  async function endOf(correlationId: string) {
    let state = 'IN_PROGRESS';
    const hasEnded = async () => {
      ({ state } = await client.status(CODESPACE, correlationId));
      return state !== 'IN_PROGRESS';
    };
    await until(hasEnded, { timeoutMs: 120_000, everyMs: LOOK_MS });
    const failed = (await client.events(CODESPACE, correlationId)).findLast((event) => event.state === 'FAILED');
    return { state, errorCode: failed?.errorCode, message: String(failed?.details?.message ?? '') };
  }

  it('is refused by what the memory of the worker allows', async () => {
    const worker = service.pid(FIRST_WORKER);
    const ended = await endOf(await upload(largeArchive('a.xml', VERY_LARGE_BYTES)));
    assert.deepEqual([ended.state, ended.errorCode], ['FAILED', 'ARCHIVE_TOO_LARGE']);
    assert.match(ended.message, /"a.xml" has 128 MiB unpacked; at most 64 MiB are accepted/);
    assert.equal(service.pid(FIRST_WORKER), worker);
  });

  it('ends neither the worker that accepts it, nor a second one after a death', async () => {
    await service.end(FIRST_WORKER);
    const name = await service.startAnother(FIRST_WORKER, { ARCHIVE_MAX_ENTRY_BYTES: String(2 ** 31) });
    const worker = service.pid(name);
    const archive = largeArchive('b.xml', VERY_LARGE_BYTES);
    const bounded = await endOf(await upload(archive));
    assert.deepEqual([bounded.state, bounded.errorCode], ['FAILED', 'DATASET_INVALID']);
    assert.equal(service.pid(name), worker);
    assert.ok((residentMegabytes(worker) ?? 0) < MEMORY_BYTES / 1e6, 'the worker has given the memory back');

    const objects = ObjectStore.connect(parseConfig(objectStoreShape, service.objectStore));
    const correlationId = await upload(largeArchive('c.xml', VERY_LARGE_BYTES));
    const isMarked = async () => {
      for await (const { key } of objects.list(workPrefix(CODESPACE as Codespace, correlationId as CorrelationId))) {
        if (key.includes('/running/file-0/')) return true;
      }
      return false;
    };
    await until(isMarked, { timeoutMs: 60_000, everyMs: 50 });
    await service.kill(name);
    await service.restart(name);
    const again = await endOf(correlationId);
    objects.close();
    assert.deepEqual([again.state, again.errorCode], ['FAILED', 'DATASET_INVALID']);
    const report = await client.report(CODESPACE, correlationId);
    assert.match(JSON.stringify(report), /c\.xml could not be validated: each try to read it ended the process/);

    const next = await endOf(await upload(writeZip([{ name: 'd.xml', data: LINE_FILE }])));
    assert.equal(next.errorCode, 'DATASET_INVALID', 'the next dataset is read');
  });
});
