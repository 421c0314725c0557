import assert from 'node:assert/strict';
import { classifyArchive } from '../../netex/zip/index.ts';
import { hostileDocuments } from '../support/hostile-documents.ts';
import { openBytes } from '../support/zip-samples.ts';

describe('files with expensive content', () => {
  for (const { name, bytes } of hostileDocuments()) {
    it(`pass the intake quickly: ${name}`, async () => {
      const archive = await openBytes(bytes());
      const start = performance.now();
      const { files } = await classifyArchive(archive);
      assert.equal(files, 1);
      assert.ok(performance.now() - start < 5000);
    });
  }
});
