/** How many imports are where, and since when the oldest runs: for figures. Reads alone. Caller: the timetable worker. */
import type { Connection } from 'mongoose';
import type { ImportAction } from '../../workflows/timetable/messages.ts';
import { IMPORTS, type ImportDocument } from './import-model.ts';

/** `RECEIVING`: the archive is arriving. `WAITING`: nobody has begun the next step. Else the step under way. */
export type ImportPlace = 'RECEIVING' | 'WAITING' | ImportAction;

export interface ImportStanding {
  readonly places: ReadonlyMap<ImportPlace, number>;
  /** Since when the oldest that has not ended is there. */
  readonly oldest: Date | undefined;
}

type Standing = Pick<ImportDocument, 'actions' | 'receivedAt'>;

/** More are not counted: whoever looks at the figure has understood by then. */
const COUNTED = 10_000;

export async function readImportStanding(connection: Connection): Promise<ImportStanding> {
  const imports = IMPORTS.open(connection);
  const [receiving, running] = await Promise.all([
    imports.countDocuments({ leaseUntil: { $exists: true }, state: 'RECEIVING' }, { limit: COUNTED }),
    imports
      .find({ state: 'IN_PROGRESS' }, { projection: { actions: 1, receivedAt: 1 } })
      .sort({ receivedAt: 1 })
      .limit(COUNTED)
      .toArray(),
  ]);
  const places = new Map<ImportPlace, number>([['RECEIVING', receiving]]);
  for (const { actions = {} } of running) {
    const place = placeOf(actions);
    places.set(place, (places.get(place) ?? 0) + 1);
  }
  return { places, oldest: running[0]?.receivedAt };
}

function placeOf(actions: NonNullable<Standing['actions']>): ImportPlace {
  const started = Object.entries(actions).find(([, { state }]) => state === 'STARTED');
  return started ? (started[0] as ImportAction) : 'WAITING';
}
