/** Stop places, fare zones, authorities and lines of a snapshot as rows for planner-journey-store.ts. Pure. */
import type { Timetable } from '../../planner/index.ts';
import type {
  AuthorityIndex,
  LineIndex,
  StopIndex,
  StopPlaceIndex,
  TariffZoneIndex,
} from '../../planner/model/indices.ts';
import { soldZones, zoneIdsOf, zonesBelow } from './planner-quay-places.ts';

export interface NamedRow {
  readonly snapshotId: string;
  readonly id: string;
  readonly name: string;
}

export interface StopPlaceRow extends NamedRow {
  readonly latitude: number;
  readonly longitude: number;
  readonly parentId?: string;
  /** Of the place, of the places below it, and of their quays. */
  readonly zoneIds: readonly string[];
}

export interface LineRow {
  readonly snapshotId: string;
  readonly id: string;
  readonly name?: string;
  readonly publicCode?: string;
  readonly mode: string;
}

/** A quay without a stop place stands for one itself: journeys call there, and it can be sold to. */
export function* stopPlaceRows({ snapshotId, catalogue }: Timetable): Generator<StopPlaceRow> {
  const { stopPlaces, quays } = catalogue;
  for (let at = 0; at < stopPlaces.count; at++) {
    const { index, id, name, latitude, longitude, parent } = stopPlaces.at(at as StopPlaceIndex);
    const zoneIds = zonesBelow(catalogue, index);
    const above = parent === undefined ? {} : { parentId: stopPlaces.at(parent).id };
    yield { snapshotId, id, name, latitude, longitude, ...above, zoneIds };
  }
  for (let at = 0; at < quays.count; at++) {
    const { id, name, latitude, longitude, stopPlace, tariffZones } = quays.at(at as StopIndex);
    if (stopPlace !== undefined) continue;
    yield { snapshotId, id, name, latitude, longitude, zoneIds: zoneIdsOf(catalogue, tariffZones) };
  }
}

/** A zone without a name is called by its id. */
export function* fareZoneRows({ snapshotId, catalogue: { tariffZones } }: Timetable): Generator<NamedRow> {
  const zones = Array.from({ length: tariffZones.count }, (_, at) => tariffZones.at(at as TariffZoneIndex));
  for (const { id, name = id } of soldZones(zones)) yield { snapshotId, id, name };
}

export function* authorityRows({ snapshotId, catalogue: { authorities } }: Timetable): Generator<NamedRow> {
  for (let at = 0; at < authorities.count; at++) {
    const { id, name } = authorities.at(at as AuthorityIndex);
    yield { snapshotId, id, name };
  }
}

export function* lineRows({ snapshotId, catalogue: { lines } }: Timetable): Generator<LineRow> {
  for (let at = 0; at < lines.count; at++) {
    const { id, name, publicCode, mode } = lines.at(at as LineIndex);
    yield {
      snapshotId,
      id,
      ...(name !== undefined && { name }),
      ...(publicCode !== undefined && { publicCode }),
      mode,
    };
  }
}
