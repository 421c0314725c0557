/**
 * What a catalogue names and the published timetable lacks. No fault: a timetable may be published later. Callers: the
 * operation that replaces the catalogue, and the start of a process that has its file.
 */

import type { CatalogueContent } from '../../activities/shared/catalogue.ts';
import type { TimetableReader } from '../../activities/shared/timetable.ts';
import type { Logger } from '../../platform/log.ts';

export interface TimetableWarning {
  /** JSON pointer into the catalogue. */
  readonly pointer: string;
  readonly code: 'UNKNOWN_LINE';
  readonly detail: string;
}

/** As for faults. */
const MAX_ITEMS = 50;

/** Unknown lines: their trains have no seats, and products for them alone are not offered. None before the first timetable. */
export async function timetableWarnings(
  { trains, fareProducts }: Pick<CatalogueContent, 'trains' | 'fareProducts'>,
  timetable: Pick<TimetableReader, 'listLineIds'>,
): Promise<readonly TimetableWarning[]> {
  const named = [
    ...trains.map(({ lineIds }, at) => ({ pointer: `/trains/${at}/lineIds`, lineIds })),
    ...fareProducts.map((product, at) => ({
      pointer: `/fareProducts/${at}/area/lineIds`,
      lineIds: product.kind === 'PREASSIGNED' && product.area.kind === 'LINES' ? product.area.lineIds : undefined,
    })),
  ];
  if (named.every(({ lineIds }) => lineIds === undefined)) return [];
  const known = new Set(await timetable.listLineIds());
  if (known.size === 0) return [];
  const unknown = named.flatMap(({ pointer, lineIds = [] }) =>
    lineIds.flatMap((id, at) => (known.has(id) ? [] : [unknownLine(id, `${pointer}/${at}`)])),
  );
  return unknown.slice(0, MAX_ITEMS);
}

/** None, with a line in the log, where the timetable cannot be read: the catalogue is in force all the same. */
export async function findWarnings(
  content: Pick<CatalogueContent, 'trains' | 'fareProducts'>,
  timetable: Pick<TimetableReader, 'listLineIds'>,
  log: Logger,
): Promise<readonly TimetableWarning[]> {
  return await timetableWarnings(content, timetable).catch((error: unknown) => {
    log.warn({ err: error }, 'the lines of the catalogue cannot be compared with the timetable');
    return [];
  });
}

/** For a catalogue that came as a file: nobody gets an answer that names them. */
export async function logWarnings(
  content: Pick<CatalogueContent, 'trains' | 'fareProducts'>,
  timetable: Pick<TimetableReader, 'listLineIds'>,
  log: Logger,
): Promise<void> {
  const warnings = await findWarnings(content, timetable, log);
  if (warnings.length > 0) log.warn({ warnings }, 'the catalogue names lines that the published timetable lacks');
}

function unknownLine(id: string, pointer: string): TimetableWarning {
  return { pointer, code: 'UNKNOWN_LINE', detail: `the published timetable has no line ${id}` };
}
