/**
 * Runs the whole service with the demo region published and two snapshots of it in store. In the second, every line's
 * public code and every stop's name ends with {@link MARK}. So an answer shows which snapshot each part comes from.
 */
import { createHash } from 'node:crypto';
import type { Connection } from 'mongoose';
import {
  findPlannerPointer,
  PLANNER_POINTER,
  plannerSnapshotKey,
} from '../../../activities/shared/planner-snapshot.ts';
import { type SnapshotStatement, signSnapshot } from '../../../activities/shared/snapshot-signature.ts';
import { PLANNER_NUMBERS } from '../../../activities/timetable/planner-build-model.ts';
import { importDatasets } from '../../../activities/timetable/planner-import/import-datasets.ts';
import { StopRegisterReader } from '../../../netex/stop-register/stop-register-reader.ts';
import {
  type Archive,
  DEFAULT_ARCHIVE_LIMITS,
  openArchive,
  openFileRangeReader,
  readEntry,
} from '../../../netex/zip/index.ts';
import {
  createTimetableBuilder,
  openTimetable,
  type Timetable,
  type TimetableBuilder,
} from '../../../planner/index.ts';
import { parseSigningKeys, type SigningKeys } from '../../../platform/keys/signing-keys.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { ObjectStore } from '../../../platform/object-store/object-store.ts';
import { Service } from '../../../test/support/service.ts';
import { type DemoData, generateDemo } from '../../demo/generate.ts';
import { grantCodespace, importArchive } from '../archives.ts';

export const MARK = '*';

export interface DemoPlanner {
  readonly url: string;
  readonly metricsUrl: string;
  readonly timetable: Timetable;
  /** Moves the pointer to the other snapshot. */
  swap(): Promise<void>;
  stop(): Promise<void>;
}

type Stored = Omit<SnapshotStatement, 'build' | 'inputHash'>;

/** @param date first day of the demo data, `yyyy-MM-dd` */
export async function startDemoPlanner(directory: string, date: string): Promise<DemoPlanner> {
  const data = await generateDemo({ date, directory });
  const [plain, marked] = await Promise.all([buildSnapshot(data, false), buildSnapshot(data, true)]);
  const service = await Service.start({ planner: true, env: { RATE_LIMIT_IDENTIFIED: '100000000' } });
  try {
    const client = await service.client();
    for (const codespace of ['nsr', 'dem']) await grantCodespace(client, codespace);
    await importArchive(client, 'nsr', data.stopRegister);
    await importArchive(client, 'dem', data.timetable);
    const keys = parseSigningKeys(service.plannerSigningKeys, 'PLANNER_SIGNING_KEYS');
    const connection = await connectMongo(service.mongoUri);
    const objects = await ObjectStore.open(service.objectStore as never);
    const stored = [await store(objects, marked), await store(objects, plain)];
    let shown = 1;
    return {
      url: `${service.plannerUrl}/journey-planner/v3/graphql`,
      metricsUrl: `${service.plannerUrl}/metrics`,
      timetable: openTimetable(Uint8Array.from(plain).buffer),
      swap: async () => {
        shown = 1 - shown;
        await show(connection, keys, stored[shown] as Stored);
      },
      stop: async () => {
        await connection.close();
        objects.close();
        await service.stop();
      },
    };
  } catch (error) {
    await service.stop();
    throw error;
  }
}

async function withArchive<Result>(path: string, use: (archive: Archive) => Promise<Result>): Promise<Result> {
  const reader = await openFileRangeReader(path);
  try {
    return await use(await openArchive(reader, DEFAULT_ARCHIVE_LIMITS));
  } finally {
    await reader.close();
  }
}

async function buildSnapshot(data: DemoData, isMarked: boolean): Promise<Uint8Array> {
  const register = await withArchive(data.stopRegister, async (stops) => {
    const reader = new StopRegisterReader();
    for (const entry of stops.entries) reader.addFile(await readEntry(stops, entry));
    return reader.build().bytes;
  });
  const builder = createTimetableBuilder();
  await withArchive(data.timetable, (archive) =>
    importDatasets({ datasets: [{ codespace: 'dem', archive }], register }, isMarked ? marking(builder) : builder),
  );
  return builder.finish({ builtAt: 0 }).bytes;
}

function marking(builder: TimetableBuilder): TimetableBuilder {
  return {
    ...builder,
    addLine: (line) => builder.addLine({ ...line, publicCode: `${line.publicCode}${MARK}` }),
    addStopPlace: (place) => builder.addStopPlace({ ...place, name: `${place.name}${MARK}` }),
    addQuay: (quay) => builder.addQuay({ ...quay, name: quay.name && `${quay.name}${MARK}` }),
  };
}

async function store(objects: ObjectStore, bytes: Uint8Array): Promise<Stored> {
  const { snapshotId } = openTimetable(Uint8Array.from(bytes).buffer);
  await objects.put(plannerSnapshotKey(snapshotId), bytes, 'application/octet-stream');
  return { snapshotId, sha256: createHash('sha256').update(bytes).digest('hex'), sizeBytes: bytes.length };
}

/** The pointer must only go up, and the planner build continues above it. */
async function show(connection: Connection, keys: SigningKeys, stored: Stored): Promise<void> {
  const pointer = await findPlannerPointer(connection, keys.publicKeys);
  if (!pointer) throw new Error('No snapshot is in use');
  const { build, inputHash } = pointer;
  const snapshot = signSnapshot(keys, { ...stored, build: build + 1, inputHash });
  await PLANNER_POINTER.open(connection).updateOne({ _id: 'current' }, { $set: snapshot });
  await PLANNER_NUMBERS.open(connection).updateOne({ _id: 'builds' }, { $inc: { last: 1 } });
}
