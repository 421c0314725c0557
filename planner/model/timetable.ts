/** An open, immutable snapshot. Planner processes and search threads share it. */
import type { BoardIndex } from '../boards/board-types.ts';
import type { GeoIndex } from '../geo/geo-types.ts';
import type { Catalogue } from './catalogue.ts';
import type { Transit } from './transit.ts';

export interface Timetable {
  /** SHA-256 of the snapshot's bytes, hexadecimal. Cursors, ids and logs name the snapshot by it. */
  readonly snapshotId: string;
  /** Seconds since 1970 UTC at which it was built. */
  readonly builtAt: number;
  readonly catalogue: Catalogue;
  readonly transit: Transit;
  readonly geo: GeoIndex;
  readonly boards: BoardIndex;
}
