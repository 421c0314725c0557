/**
 * Uploads shared real data to the running service, each dataset under its codespace (single XML files zipped). The
 * counts of the reports must agree with the reference validator, except for the differences listed in test/netex.
 * test/netex/shared-data/expected.ts validates all of them; here are those that take different ways through the service. `npm run
 * test:reference-data` uploads all. Caller: uploads.test.ts.
 */
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type Report, type TimetableClient } from '../../dev/demo/api-client.ts';
import { comparedCodes } from '../netex/support/compared-codes.ts';
import { readTsv, sharedDatasets } from '../netex/support/expected-findings.ts';
import { sharedDirectory, temporaryDirectory } from '../support/folders.ts';
import type { Service } from '../support/service.ts';
import { writeZip } from '../support/zip-writer.ts';

const LOOK_MS = 100;
const IMPORT_WITHIN_MS = 120_000;

/** Code by which SOURCES.tsv requires the upload to be refused; all other files are validated. */
const REFUSED: Readonly<Record<string, string>> = {
  'entur__marduk/gtfs-folder.zip': 'ERROR_FILE_ZIP_CONTAINS_SUB_DIRECTORIES',
  'entur__marduk/netex_with_two_files_one_invalid.zip': 'ERROR_FILE_UNKNOWN_FILE_TYPE',
  'entur__marduk/zip_file_with_invalid_encoding_in_entry_name.zip': 'ERROR_FILE_INVALID_ZIP_ENTRY_ENCODING',
  'derived-flb/flb-zip-subdirectory.zip': 'ERROR_FILE_ZIP_CONTAINS_SUB_DIRECTORIES',
};

/** Refused ones, and datasets with findings of every stage, of each kind, of several versions and in many batches. */
const UPLOADED = new Set([
  ...Object.keys(REFUSED),
  'entur__marduk/not_a_zip_file.zip',
  'entur__antu/rb_flb-aggregated-netex.zip',
  'entur__antu/rb_flb-aggregated-netex-schema-error.zip',
  'entur__antu/ENT_No_Composite_Frame.xml',
  'entur__antu/_avinor_common_elements.xml',
  'entur__antu/stopdata.zip',
  'entur__netex-validator-java/rb_bra-flexible-lines-missing-departure-time.zip',
  'entur__netex-validator-java/rb_flb-aggregated-netex-duplicate-id.zip',
  'entur__netex-validator-java/test-colour-invalid-coding-length.zip',
  'entur__marduk/AOR.zip',
  'entur__netex-gtfs-converter-java/rb_sjv-aggregated-netex.zip',
  'derived-flb/flb-id-duplicate-across-common-files.zip',
  'derived-flb/flb-xsd-unknown-version-falls-back.zip',
]);
const everything = process.env.REFERENCE_UPLOADS === 'all';

export function describeReferenceUploads(useService: () => Service): void {
  describe('real data through the whole service', () => {
    const shared = sharedDirectory();
    const datasets = shared ? sharedDatasets(shared) : [];
    const uploaded = datasets.filter(({ source }) => everything || UPLOADED.has(source.file ?? ''));
    const expected = new Map<string, Map<string, number>>();
    let client: TimetableClient;
    let directory: string;

    before(async function () {
      if (!shared) return this.skip();
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
      client = await useService().client();
    });

    /** Uploads the file as a zip with its own name, in a codespace with its own profile. */
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

    for (const { source, path } of uploaded) {
      const file = source.file ?? '';
      const codespace = source.codespace === '-' ? 'ent' : (source.codespace ?? '');
      it(`validates ${file} like the reference, in codespace ${codespace}`, async function () {
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

    it('are datasets that exist', () => {
      assert.equal(uploaded.length, everything ? datasets.length : UPLOADED.size);
    });
  });
}

/** XML_SCHEMA_ERROR is compared by file and not by count: parsers report one defect as one error or two. */
function normalised(counts: Iterable<readonly [string, number]>): Record<string, number> {
  const kept = [...counts].filter(([code, count]) => comparedCodes.has(code) && count > 0);
  return Object.fromEntries(kept.map(([code, count]) => [code, code === 'XML_SCHEMA_ERROR' ? 1 : count]).sort());
}

const countsOf = (report: Report) => normalised(Object.entries(report.findingsPerRule));
const expectedCounts = (counts: ReadonlyMap<string, number> = new Map()) => normalised(counts);
