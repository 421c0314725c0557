/**
 * All shared real data, each dataset uploaded to the running service under its codespace (single XML files zipped): what
 * the reports count agrees with the reference validator, but for the differences listed in test/netex.
 */
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type Report, type TimetableClient } from '../../dev/demo/api-client.ts';
import { comparedCodes } from '../netex/support/compared-codes.ts';
import { readTsv, sharedDatasets } from '../netex/support/expected-findings.ts';
import { sharedDirectory, temporaryDirectory } from '../support/folders.ts';
import { Service } from '../support/service.ts';
import { writeZip } from '../support/zip-writer.ts';

const LOOK_MS = 100;
const IMPORT_WITHIN_MS = 120_000;

/** What SOURCES.tsv says the intake must do; everything else is validated. */
const REFUSED: Readonly<Record<string, string>> = {
  'entur__marduk/gtfs-folder.zip': 'ERROR_FILE_ZIP_CONTAINS_SUB_DIRECTORIES',
  'entur__marduk/netex_with_two_files_one_invalid.zip': 'ERROR_FILE_UNKNOWN_FILE_TYPE',
  'entur__marduk/zip_file_with_invalid_encoding_in_entry_name.zip': 'ERROR_FILE_INVALID_ZIP_ENTRY_ENCODING',
  'derived-flb/flb-zip-subdirectory.zip': 'ERROR_FILE_ZIP_CONTAINS_SUB_DIRECTORIES',
};

describe('real data through the whole service', () => {
  const shared = sharedDirectory();
  const expected = new Map<string, Map<string, number>>();
  let service: Service;
  let client: TimetableClient;
  let directory: string;

  before(async function () {
    if (!shared) return this.skip();
    this.timeout(90_000);
    const change = (file = '', code = '', by: number): void => {
      const counts = expected.get(file) ?? new Map<string, number>();
      counts.set(code, (counts.get(code) ?? 0) + by);
      expected.set(file, counts);
    };
    for (const row of readTsv(join(shared, 'netex/expected.tsv'))) change(row.file, row.code, Number(row.count));
    for (const row of readTsv(join(import.meta.dirname, '../netex/expected-differences.tsv'))) {
      change(row.file, row.code, Number(row.ours) - Number(row.expected));
    }
    directory = temporaryDirectory('reference');
    service = await Service.start();
    client = await service.client();
  });

  after(async function () {
    this.timeout(30_000);
    await service?.stop();
  });

  /** A zip under a name of its own, in a codespace of its own profile. */
  async function upload(file: string, path: string, codespace: string): Promise<string> {
    await client.putCodespace(codespace, {
      name: codespace,
      xmlns: codespace.toUpperCase(),
      allowedXmlns: ['NSR', 'PEN'],
      profile: 'timetable',
      ownerOrganisationId: 1,
    });
    if (path.endsWith('.zip')) return await client.upload(codespace, path);
    const zipped = join(directory, `${file.replaceAll('/', '-')}.zip`);
    writeFileSync(zipped, writeZip([{ name: basename(path), data: readFileSync(path) }]));
    return await client.upload(codespace, zipped);
  }

  async function waitForEnd(codespace: string, correlationId: string): Promise<string> {
    for (;;) {
      const { state } = await client.status(codespace, correlationId);
      if (state !== 'IN_PROGRESS') return state;
      await delay(LOOK_MS);
    }
  }

  for (const { source, path } of shared ? sharedDatasets(shared) : []) {
    const file = source.file ?? '';
    const codespace = source.codespace === '-' ? 'ent' : (source.codespace ?? '');
    it(`${file} under ${codespace}`, async function () {
      this.timeout(IMPORT_WITHIN_MS);
      if (statSync(path).size === 0) {
        await assert.rejects(
          upload(file, path, codespace),
          (error) => error instanceof ApiError && error.status === 400,
        );
        return;
      }
      const correlationId = await upload(file, path, codespace);
      const state = await waitForEnd(codespace, correlationId);
      const events = await client.events(codespace, correlationId);
      const refusal = events.find(({ action, state }) => action === 'FILE_CLASSIFICATION' && state === 'FAILED');
      assert.equal(refusal?.errorCode, REFUSED[file]);
      if (refusal) return;
      const report = await client.report(codespace, correlationId);
      assert.equal(state === 'OK', report.valid);
      if (source.run === 'findings') assert.deepEqual(countsOf(report), expectedCounts(expected.get(file)));
    });
  }
});

/** XML_SCHEMA_ERROR agrees by file, not by count: parsers word one defect as one or two. */
function normalised(counts: Iterable<readonly [string, number]>): Record<string, number> {
  const kept = [...counts].filter(([code, count]) => comparedCodes.has(code) && count > 0);
  return Object.fromEntries(kept.map(([code, count]) => [code, code === 'XML_SCHEMA_ERROR' ? 1 : count]).sort());
}

const countsOf = (report: Report) => normalised(Object.entries(report.findingsPerRule));
const expectedCounts = (counts: ReadonlyMap<string, number> = new Map()) => normalised(counts);
