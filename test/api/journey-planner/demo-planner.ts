/**
 * Serves the demo region at the GraphQL endpoints, as a journey planner process does. It is generated, imported, built
 * and opened once per run, and a thread searches it. The time is Monday 2026-11-23, seven o'clock.
 */
import { readFile } from 'node:fs/promises';
import { after, before } from 'mocha';
import { importDatasets } from '../../../activities/timetable/planner-import/import-datasets.ts';
import { ensureIde } from '../../../dev/ide/ensure.ts';
import { StopRegisterReader } from '../../../netex/stop-register/stop-register-reader.ts';
import { readEntry } from '../../../netex/zip/index.ts';
import { createTimetableBuilder, createTripPlanner, openTimetable, type Timetable } from '../../../planner/index.ts';
import { useDemoData } from '../../support/demo-dataset.ts';
import { openBytes } from '../../support/zip-samples.ts';
import { type PlannerProcess, startPlanner } from './graphql/planner-process.ts';

/** 2026-11-23T07:00:00+01:00, the planner's time. */
export const SEVEN_TEXT = '2026-11-23T07:00:00+01:00';

export interface DemoPlanner extends PlannerProcess {
  readonly timetable: Timetable;
}

let bytes: Promise<SharedArrayBuffer> | undefined;

/** Starts the planner before the tests of the calling suite, and stops it after them. */
export function useDemoPlanner(): { readonly planner: DemoPlanner } {
  let started: { planner: DemoPlanner; close: () => Promise<void> } | undefined;
  before(async () => {
    started = await start();
  });
  after(async () => {
    await started?.close();
    started = undefined;
  });
  return {
    get planner() {
      if (!started) throw new Error('The planner runs while tests run');
      return started.planner;
    },
  };
}

async function start() {
  bytes ??= buildDemo();
  const snapshot = await bytes;
  const timetable = openTimetable(snapshot);
  const searches = createTripPlanner({ threads: 1, warmUpMs: 0 });
  await searches.use(snapshot);
  const served = await startPlanner(timetable, { IDE_DIRECTORY: await ensureIde() }, searches.planner);
  const close = async () => {
    await served.close();
    await searches.close();
  };
  return { planner: { ...served, timetable }, close };
}

async function buildDemo(): Promise<SharedArrayBuffer> {
  const data = await useDemoData();
  const stops = await openBytes(await readFile(data.stopRegister));
  const reader = new StopRegisterReader();
  for (const entry of stops.entries) reader.addFile(await readEntry(stops, entry));
  const archive = await openBytes(await readFile(data.timetable));
  const builder = createTimetableBuilder();
  const datasets = [{ codespace: 'dem', xmlns: 'DEM', archive }];
  await importDatasets({ datasets, register: reader.build().bytes }, builder);
  const built = builder.finish({ builtAt: 0 });
  const shared = new SharedArrayBuffer(built.bytes.length);
  new Uint8Array(shared).set(built.bytes);
  return shared;
}
