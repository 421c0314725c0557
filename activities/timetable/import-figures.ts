/**
 * Counts the imports that have not ended, by the step in progress. Caller: the timetable worker, for its metrics. Reads
 * only.
 */
import type { Connection } from 'mongoose';
import { IMPORT_ACTIONS } from '../../workflows/timetable/messages.ts';
import { IMPORTS, type ImportDocument } from './import-model.ts';

/** `RECEIVING`: the archive is arriving. `WAITING`: the next step has not begun. Otherwise the step in progress. */
export const IMPORT_PLACES = ['RECEIVING', 'WAITING', ...IMPORT_ACTIONS] as const;
export type ImportPlace = (typeof IMPORT_PLACES)[number];

export interface ImportFigures {
  readonly places: ReadonlyMap<ImportPlace, number>;
  /** Receipt of the oldest import that has not ended. */
  readonly oldest: Date | undefined;
}

/** Bounds the read. A higher number would say nothing new. */
const MAX_COUNTED = 10_000;

export async function readImportFigures(connection: Connection): Promise<ImportFigures> {
  const imports = IMPORTS.open(connection);
  const [receiving, running] = await Promise.all([
    imports.countDocuments({ leaseUntil: { $exists: true }, state: 'RECEIVING' }, { limit: MAX_COUNTED }),
    imports
      .find({ state: 'IN_PROGRESS' }, { projection: { actions: 1, receivedAt: 1 } })
      .sort({ receivedAt: 1 })
      .limit(MAX_COUNTED)
      .toArray(),
  ]);
  const places = new Map<ImportPlace, number>([['RECEIVING', receiving]]);
  for (const document of running) {
    const place = placeOf(document);
    places.set(place, (places.get(place) ?? 0) + 1);
  }
  return { places, oldest: running[0]?.receivedAt };
}

function placeOf({ actions = {} }: Pick<ImportDocument, 'actions'>): ImportPlace {
  return IMPORT_ACTIONS.find((action) => actions[action]?.state === 'STARTED') ?? 'WAITING';
}
