/**
 * Records histories of the timetable workflows into test/histories, for replay.test.ts. Run by hand when a change of a
 * workflow must stay replayable: `node test/workflows/record-histories.ts [name…]`. Histories of earlier versions stay
 * while imports of those versions may run. They are no longer recorded here, so that they are not overwritten.
 * (`dataset-import-published` and similar ones ended with the publication.)
 */
import '../support/quiet-temporal.ts';
import { ApplicationFailure } from '@temporalio/common';
import { ARCHIVE_REFUSED, GAVE_UP } from '../../workflows/timetable/activities.ts';
import { stopServers } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { ImportWorkers, type StartedImport } from './import-workers.ts';
import { comparedWorld, ImportWorld, NO_FINDINGS } from './import-world.ts';
import { PlannerWorkers, PlannerWorld } from './planner-world.ts';
import { RefreshWorld } from './refresh-world.ts';
import { SkippingWorkers } from './skipping-workers.ts';
import { storeHistory } from './stored-history.ts';

interface Recording {
  readonly prepare: (world: ImportWorld) => unknown;
  /** Runs during the import. */
  readonly disturb?: (started: StartedImport) => Promise<void>;
}

/** Recordings, named for the code path that they protect. */
const RECORDINGS: Readonly<Record<string, Recording>> = {
  'dataset-import-private-dataset-many-batches': {
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
      world.validated = { valid: false, findings: { ...NO_FINDINGS, ERROR: 12, WARNING: 3 } };
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
  'dataset-import-killed-in-a-batch-then-shown': { prepare: (world) => world.hangOnce('validateFiles') },
  'dataset-import-servers-away-also-later': {
    prepare: (world) => {
      for (const name of [
        'startStep',
        'classifyDataset',
        'validateFiles',
        'publishImport',
        'exportPrivateDataset',
        'showPrivateExport',
        'completeImport',
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
  'dataset-import-private-dataset-shown': { prepare: () => {} },
  'dataset-import-private-dataset-empty': {
    prepare: (world) => {
      world.emptyExport = true;
    },
  },
  'dataset-import-private-dataset-wrong-then-cancelled': {
    prepare: (world) => {
      world.privatelyValidated = [{ valid: false, findings: NO_FINDINGS, brokenRules: ['LINE_2'] }];
    },
    disturb: async ({ world, handle }) => {
      await until(() => world.workRemoved > 0);
      await handle.cancel();
    },
  },
  'dataset-import-withdrawn-while-exported': {
    prepare: (world) => world.pauseOn('exportPrivateDataset'),
    disturb: async ({ world }) => {
      await until(() => world.callsOf('exportPrivateDataset') > 0);
      world.withdrawn = true;
      world.resume();
    },
  },
  'dataset-import-export-killed': { prepare: (world) => world.hangOnce('exportPrivateDataset') },
  'dataset-import-published-by-an-earlier-run': {
    prepare: (world) => {
      world.publications = 1;
    },
  },
  'dataset-import-stop-register-later-steps': { prepare: asStopRegister },
  'dataset-import-planner-built': {
    prepare: (world) => {
      world.planner = 'REQUESTED';
      world.plannerLooks = [{ state: 'WAITING' }, { state: 'BUILT', build: 7, snapshotId: 's7' }];
    },
  },
  'dataset-import-records-in-turn': {
    prepare: (world) => {
      world.planner = 'REQUESTED';
      world.slowOn('requestPlannerBuild', 150);
    },
  },
  'dataset-import-planner-failed': {
    prepare: (world) => {
      world.planner = 'REQUESTED';
      world.plannerLooks = [{ state: 'FAILED', build: 7 }];
    },
  },
  'dataset-import-planner-off': { prepare: () => {} },
  'dataset-import-compared': { prepare: withVersionBefore },
  'dataset-import-comparison-gave-up': {
    prepare: (world) => {
      withVersionBefore(world);
      const options = { type: GAVE_UP, message: 'again and again', nonRetryable: true };
      world.breakOn('compareVersions', 'before', ApplicationFailure.create(options));
    },
  },
  'dataset-import-ended-before': {
    prepare: (world) => {
      world.state = 'OK';
    },
  },
};

function withVersionBefore(world: ImportWorld): void {
  world.comparisonPlan = comparedWorld().comparisonPlan;
}

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
  await storeHistory(name, await started.handle.fetchHistory());
  process.stdout.write(`${name}\n`);
}

/** Recordings of `datasetRefresh`, each on a time-skipping server, since some wait for an hour. */
const REFRESHES: Readonly<Record<string, () => RefreshWorld>> = {
  'dataset-refresh-two-pages': () => {
    const world = new RefreshWorld(Array.from({ length: 12 }, (_, at) => `c${String.fromCharCode(97 + at)}a`));
    world.empty.add('cba');
    return world;
  },
  'dataset-refresh-tried-again': () => {
    const world = new RefreshWorld(['aaa', 'bbb']);
    world.wrong.set('bbb', 2);
    return world;
  },
  'dataset-refresh-given-up-for-the-night': () => {
    const world = new RefreshWorld(['aaa']);
    world.wrong.set('aaa', 99);
    return world;
  },
};

const BUILDS: Readonly<Record<string, (world: PlannerWorld, workers: PlannerWorkers) => unknown>> = {
  'planner-build-published': () => {},
  'planner-build-unchanged': (world) => {
    world.inUse = world.published;
  },
  'planner-build-gave-up': (world) => {
    const options = { type: GAVE_UP, message: 'again and again', nonRetryable: true };
    world.breakOn('buildSnapshot', 'before', ApplicationFailure.create(options));
  },
  'planner-build-changed-while-quiet': (world, workers) => {
    world.breakOn('plannerSettings', 'before', new Error('away'));
    return workers.signal().then(() => workers.environment.sleep(4_000));
  },
};

async function recordBuilds(isWanted: (name: string) => boolean): Promise<void> {
  const workers = await PlannerWorkers.open();
  try {
    for (const [name, prepare] of Object.entries(BUILDS)) {
      if (!isWanted(name)) continue;
      const world = new PlannerWorld();
      workers.use(world);
      await prepare(world, workers);
      await workers.signal();
      await workers.result();
      await storeHistory(name, await workers.history());
      process.stdout.write(`${name}\n`);
    }
  } finally {
    await workers.close();
  }
}

async function recordImports(isWanted: (name: string) => boolean): Promise<void> {
  const workers = await ImportWorkers.open();
  try {
    const chosen = Object.entries(RECORDINGS).filter(([name]) => isWanted(name));
    const ended = await Promise.allSettled(chosen.map(([name, recording]) => record(workers, name, recording)));
    for (const outcome of ended) if (outcome.status === 'rejected') throw outcome.reason;
  } finally {
    await workers.close();
  }
}

async function recordRefreshes(isWanted: (name: string) => boolean): Promise<void> {
  const workers = await SkippingWorkers.open();
  try {
    for (const [name, createWorld] of Object.entries(REFRESHES)) {
      if (!isWanted(name)) continue;
      await workers.run(createWorld().activities(), 'datasetRefresh', {});
      await storeHistory(name, await workers.history());
      process.stdout.write(`${name}\n`);
    }
  } finally {
    await workers.close();
  }
}

const wanted = process.argv.slice(2);
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);
try {
  await recordImports(isWanted);
  await recordRefreshes(isWanted);
  await recordBuilds(isWanted);
} finally {
  await stopServers();
}
