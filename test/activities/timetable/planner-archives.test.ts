/** Local copies of archives: gone when the build ends, and a day later where its process died. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withLocalArchives } from '../../../activities/timetable/planner-archives.ts';

describe('Local copies of archives', () => {
  it('do not stay for ever when a process dies, and leave those of others alone', async () => {
    const prefix = join(tmpdir(), 'samferd-planner-build-');
    const [old, present] = [await mkdtemp(prefix), await mkdtemp(prefix)];
    try {
      await writeFile(join(old, 'archive.zip'), 'x');
      const before = new Date(Date.now() - 25 * 3_600_000);
      await utimes(old, before, before);
      const used = await withLocalArchives(undefined as never, [], new AbortController().signal, async () => 'used');
      assert.deepEqual([used, existsSync(old), existsSync(present)], ['used', false, true]);
    } finally {
      await Promise.all([old, present].map((path) => rm(path, { recursive: true, force: true })));
    }
  });
});
