/** Opens a snapshot file. Every part reads the same memory, which all threads of a process may share. */
import { openBoardIndex } from './boards/board-index.ts';
import { openCatalogue } from './catalogue/open-catalogue.ts';
import { openGeoIndex } from './geo/geo-index.ts';
import type { Timetable } from './model/timetable.ts';
import { Sections, type SnapshotBytes } from './snapshot/sections.ts';
import { openTransit } from './transit/open-transit.ts';

/**
 * Throws a SnapshotError unless the bytes are a complete snapshot of this program's format. The caller must compare the
 * content with the SHA-256.
 */
export function openTimetable(bytes: SnapshotBytes): Timetable {
  const sections = Sections.open(bytes);
  const transit = openTransit(sections);
  const { catalogue, destinationOf } = openCatalogue(sections);
  return {
    snapshotId: sections.snapshotId,
    builtAt: sections.float64('snapshot.builtAt')[0] ?? 0,
    catalogue,
    transit,
    geo: openGeoIndex(sections),
    boards: openBoardIndex(sections, transit, destinationOf),
  };
}
