/**
 * Records histories of the import workflow into test/histories, for replay.test.ts. By hand, when a change of the
 * workflow is meant to be followed from now on: `node test/workflows/record-histories.ts [name…]`. Histories of earlier
 * versions stay as long as imports that began under them may still run.
 */
import '../support/quiet-temporal.ts';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import { ARCHIVE_REFUSED, GAVE_UP } from '../../workflows/timetable/activities.ts';
import { stopServers } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { ImportWorkers, type StartedImport } from './import-workers.ts';
import { ImportWorld, NO_FINDINGS } from './import-world.ts';
import { historyToText } from './stored-history.ts';

const FOLDER = join(import.meta.dirname, '../histories');

interface Recording {
  readonly prepare: (world: ImportWorld) => unknown;
  /** What happens while it runs. */
  readonly disturb?: (started: StartedImport) => Promise<void>;
}

/** Named for what they guard. */
const RECORDINGS: Readonly<Record<string, Recording>> = {
  'dataset-import-published': { prepare: () => {} },
  'dataset-import-stop-register-published': { prepare: asStopRegister },
  'dataset-import-many-batches': {
    prepare: (world) => {
      world.classified = { ...world.classified, filesTotal: 120, batchesTotal: 60 } as typeof world.classified;
    },
  },
  'dataset-import-refused-archive': {
    prepare: (world) => {
      world.classified = { outcome: 'refused', errorCode: 'ARCHIVE_ENCRYPTED', message: '"a.xml" is encrypted.' };
    },
  },
  'dataset-import-findings': {
    prepare: (world) => {
      world.judged = { valid: false, findings: { ...NO_FINDINGS, ERROR: 12, WARNING: 3 } };
    },
  },
  'dataset-import-damaged-archive': {
    prepare: (world) => {
      const options = { type: ARCHIVE_REFUSED, message: 'The checksum is wrong.', nonRetryable: true };
      world.breakOn('validateFiles', 'before', ApplicationFailure.create({ ...options, details: ['ARCHIVE_DAMAGED'] }));
    },
  },
  'dataset-import-gave-up': {
    prepare: (world) => {
      const options = { type: GAVE_UP, message: 'again and again', nonRetryable: true };
      world.breakOn('validateDataset', 'before', ApplicationFailure.create(options));
    },
  },
  'dataset-import-worker-killed-in-a-batch': { prepare: (world) => world.hangOnce('validateFiles') },
  'dataset-import-servers-away': {
    prepare: (world) => {
      for (const name of [
        'startStep',
        'classifyDataset',
        'validateFiles',
        'publishImport',
        'removeWorkFiles',
      ] as const) {
        world.breakOn(name, 'before', new Error('away 1'), new Error('away 2'));
      }
    },
  },
  'dataset-import-cancelled': {
    prepare: (world) => world.pauseOn('validateDataset'),
    disturb: async ({ world, handle }) => {
      await until(() => world.callsOf('validateDataset') > 0);
      await handle.cancel();
    },
  },
  'dataset-import-ended-before': {
    prepare: (world) => {
      world.state = 'OK';
    },
  },
};

function asStopRegister(world: ImportWorld): void {
  world.classified = { ...world.classified, kind: 'stop-register' } as typeof world.classified;
}

async function record(workers: ImportWorkers, name: string, { prepare, disturb }: Recording): Promise<void> {
  const world = new ImportWorld();
  prepare(world);
  const started = await workers.start(world);
  await disturb?.(started);
  await started.result;
  world.resume();
  await writeFile(join(FOLDER, `${name}.json`), historyToText(await started.handle.fetchHistory()));
  process.stdout.write(`${name}\n`);
}

const wanted = process.argv.slice(2);
const workers = await ImportWorkers.open();
try {
  await mkdir(FOLDER, { recursive: true });
  const chosen = Object.entries(RECORDINGS).filter(([name]) => wanted.length === 0 || wanted.includes(name));
  const ended = await Promise.allSettled(chosen.map(([name, recording]) => record(workers, name, recording)));
  for (const outcome of ended) if (outcome.status === 'rejected') throw outcome.reason;
} finally {
  await workers.close();
  await stopServers();
}
