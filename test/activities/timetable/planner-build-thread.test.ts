/** When the thread that makes a snapshot fails, the build must end with an error that is not retried. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  buildInThread,
  SnapshotThreadError,
  UnreadableDatasetsError,
} from '../../../activities/timetable/planner-build-thread.ts';
import type { SnapshotJob } from '../../../activities/timetable/planner-build-thread-messages.ts';
import { DEFAULT_ARCHIVE_LIMITS } from '../../../netex/zip/index.ts';
import { useDemoData } from '../../support/demo-dataset.ts';
import { useFewLines } from '../../support/few-lines.ts';
import { temporaryDirectory } from '../../support/folders.ts';

describe('Thread of the planner build', () => {
  let job: SnapshotJob;

  before(async () => {
    const { timetable } = await useFewLines();
    job = {
      datasets: [{ codespace: 'dem', path: timetable }],
      register: undefined,
      archiveLimits: DEFAULT_ARCHIVE_LIMITS,
      options: { builtAt: 0 },
    };
  });

  const build = (limits: Parameters<typeof buildInThread>[3], of = job) =>
    buildInThread(of, new AbortController().signal, () => undefined, limits);

  it('gives up when the memory does not suffice', async () => {
    // More than loading the modules takes. V8 may end the whole process when the memory ends while it loads them.
    const { timetable } = await useDemoData();
    const large = { ...job, datasets: [{ codespace: 'dem', path: timetable }] };
    await assert.rejects(build({ heapMegabytes: 12 }, large), SnapshotThreadError);
  });

  it('gives up on a build that takes too long', async () => {
    await assert.rejects(build({ longestMs: 1 }), (error: unknown) => {
      return error instanceof SnapshotThreadError && /longer than/.test(error.message);
    });
  });

  it('gives up on a missing file, and names it', async () => {
    const missing = { ...job, datasets: [{ codespace: 'dem', path: '/nothing/here.zip' }] };
    await assert.rejects(build({}, missing), (error: unknown) => {
      return error instanceof SnapshotThreadError && /nothing\/here/.test(error.message);
    });
  });

  it('distinguishes a damaged archive from other faults, and names its dataset', async () => {
    const bytes = await readFile(job.datasets[0]?.path ?? '');
    const folder = temporaryDirectory('damaged');
    // The first archive lost its directory; in the second an entry with changed bytes does not unpack.
    const cut = bytes.subarray(0, bytes.length / 2);
    const changed = Buffer.from(bytes).fill(0xff, bytes.length / 2, bytes.length / 2 + 1_000);
    for (const [name, content] of [
      ['cut.zip', cut],
      ['changed.zip', changed],
    ] as const) {
      const path = join(folder, name);
      await writeFile(path, content);
      await assert.rejects(build({}, { ...job, datasets: [{ codespace: 'dem', path }] }), (error) => {
        return error instanceof UnreadableDatasetsError && /dataset of dem.*ArchiveError/.test(error.message);
      });
    }
  });

  it('ends with the reason of its signal', async () => {
    const stopping = new AbortController();
    const reason = new Error('enough');
    const running = buildInThread(job, stopping.signal, () => stopping.abort(reason));
    await assert.rejects(running, reason);
  });
});
