import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  ArchiveError,
  classifyArchive,
  DEFAULT_ARCHIVE_LIMITS,
  openArchive,
  openFileRangeReader,
  readEntry,
} from '../../netex/zip/index.ts';
import { sharedDirectory } from '../support/folders.ts';
import { openEntries } from '../support/zip-samples.ts';

/** Results for the real archives that are not just `timetable`. */
const RESULTS: Readonly<Record<string, string>> = {
  'stopdata.zip': 'stop-register',
  'Airports_latest.zip': 'stop-register',
  'Current_latest.zip': 'stop-register',
  '_stops.xml': 'stop-register',
  'not_a_zip_file.zip': 'ERROR_FILE_NOT_A_ZIP_FILE',
  'gtfs-folder.zip': 'ERROR_FILE_ZIP_CONTAINS_SUB_DIRECTORIES',
  'flb-zip-subdirectory.zip': 'ERROR_FILE_ZIP_CONTAINS_SUB_DIRECTORIES',
  'zip_file_with_invalid_encoding_in_entry_name.zip': 'ERROR_FILE_INVALID_ZIP_ENTRY_ENCODING',
  'netex_with_two_files_one_invalid.zip': 'ERROR_FILE_UNKNOWN_FILE_TYPE',
};

/** A kind, or the code of the refusal. Reads every file of an accepted archive. */
async function classify(path: string): Promise<string> {
  try {
    if (path.endsWith('.xml')) {
      return (await classifyArchive(await openEntries([{ name: basename(path), data: readFileSync(path) }]))).kind;
    }
    const reader = await openFileRangeReader(path);
    try {
      const archive = await openArchive(reader, DEFAULT_ARCHIVE_LIMITS);
      const { kind } = await classifyArchive(archive);
      for (const entry of archive.entries) assert.equal((await readEntry(archive, entry)).length, entry.bytes);
      return kind;
    } finally {
      await reader.close();
    }
  } catch (error) {
    if (error instanceof ArchiveError) return error.code;
    throw error;
  }
}

describe('real archives and files', () => {
  const shared = sharedDirectory();
  const data = shared === undefined ? undefined : join(shared, 'netex/data');
  const paths = data === undefined ? [] : readdirSync(data, { recursive: true, encoding: 'utf8' });
  const files = paths.filter((path) => /\.(zip|xml)$/.test(path));
  if (data === undefined) it.skip('are absent: SHARED_DIR names their folder');

  for (const file of files.sort()) {
    it(`${file}: ${RESULTS[basename(file)] ?? 'timetable'}`, async () => {
      assert.equal(await classify(join(data ?? '', file)), RESULTS[basename(file)] ?? 'timetable');
    });
  }
});
