import assert from 'node:assert/strict';
import { findRule } from '../../netex/rules/catalogue.ts';
import {
  ArchiveError,
  bufferRangeReader,
  classifyArchive,
  DEFAULT_ARCHIVE_LIMITS,
  openArchive,
  streamEntry,
} from '../../netex/zip/index.ts';
import { hostileArchives } from '../support/hostile-archives.ts';

const ALLOWED_MS = 5000;
/** Text that a message must never contain. */
const UNREADABLE = /\p{C}|undefined|NaN|\[object|Z_[A-Z]/u;

/** Does everything that the service does with an archive before its validation, and reads every file. */
async function readAll(bytes: Uint8Array): Promise<number> {
  const archive = await openArchive(bufferRangeReader(bytes), DEFAULT_ARCHIVE_LIMITS);
  await classifyArchive(archive);
  let total = 0;
  for (const entry of archive.entries) for await (const chunk of streamEntry(archive, entry)) total += chunk.length;
  return total;
}

describe('hostile archives', () => {
  for (const { name, bytes, expectedCode } of hostileArchives) {
    it(`refuses: ${name}`, async () => {
      const archive = bytes();
      const start = performance.now();
      const error = await readAll(archive).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof ArchiveError, `not refused as an archive: ${error}`);
      assert.equal(error.code, expectedCode, error.message);
      assert.ok(findRule(error.code), `${error.code} is not in the catalogue of rules`);
      assert.ok(performance.now() - start < ALLOWED_MS, 'took too long');
      assert.match(error.message, /^["A-Z0-9].*[.]$/su);
      assert.doesNotMatch(error.message, UNREADABLE);
      assert.ok(error.message.length < 500, error.message);
    });
  }
});
