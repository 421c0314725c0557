/** Reads trips into columns. Leaves out trips of unknown routes or calendars. Caller: read-feed.ts. */
import { growingInt32 } from '../../netex/packed/growing-array.ts';
import type { ChangeLog } from './change-log.ts';
import type { Route, Trips } from './feed.ts';
import type { FeedArchive } from './feed-archive.ts';
import { type Progress, readTable } from './table.ts';
import type { TextPool } from './text-pool.ts';
import { wholeOr } from './values.ts';

export interface TripRead {
  readonly trips: Trips;
  /** Index of each shape, by the id that trips refer to. */
  readonly shapes: ReadonlyMap<string, number>;
}

export async function readTrips(
  feed: FeedArchive,
  known: { routes: readonly Route[]; services: ReadonlyMap<string, unknown>; texts: TextPool },
  changes: ChangeLog,
  onProgress: Progress,
): Promise<TripRead> {
  const routeNumbers = new Map(known.routes.map(({ id }, index) => [id, index]));
  const serviceNumbers = new Map([...known.services.keys()].map((id, index) => [id, index]));
  const shapes = new Map<string, number>();
  const numbers = new Map<string, number>();
  const [route, service, direction] = [growingInt32(), growingInt32(), growingInt32()];
  const [wheelchair, headsign, shortName] = [growingInt32(), growingInt32(), growingInt32()];
  const [block, shape] = [growingInt32(), growingInt32()];
  await readTable(feed, 'trips.txt', onProgress, (columns) => {
    const id = columns.required('trip_id');
    const [routeId, serviceId] = [columns.required('route_id'), columns.required('service_id')];
    const [sign, short] = [columns.optional('trip_headsign'), columns.optional('trip_short_name')];
    const [way, blockId] = [columns.optional('direction_id'), columns.optional('block_id')];
    const [shapeId, access] = [columns.optional('shape_id'), columns.optional('wheelchair_accessible')];
    return (row) => {
      const tripId = row.text(id);
      const routeNumber = routeNumbers.get(row.text(routeId));
      const serviceNumber = serviceNumbers.get(row.text(serviceId));
      if (numbers.has(tripId)) changes.note('trips left out that repeat the id of another', tripId);
      else if (routeNumber === undefined) changes.note('trips left out whose route is not in routes.txt', tripId);
      else if (serviceNumber === undefined) changes.note('trips left out whose service is in no calendar', tripId);
      else {
        numbers.set(tripId, route.length);
        route.push(routeNumber);
        service.push(serviceNumber);
        direction.push(wholeOr(row.text(way), -1));
        wheelchair.push(wholeOr(row.text(access), 0));
        headsign.push(known.texts.add(row.text(sign)));
        shortName.push(known.texts.add(row.text(short)));
        block.push(known.texts.add(row.text(blockId)));
        shape.push(numberOf(shapes, row.text(shapeId)));
      }
    };
  });
  const trips: Trips = {
    ids: [...numbers.keys()],
    numbers,
    route: route.values(),
    service: service.values(),
    direction: direction.values(),
    wheelchair: Uint8Array.from(wheelchair.values()),
    headsign: headsign.values(),
    shortName: shortName.values(),
    block: block.values(),
    shape: shape.values(),
  };
  return { trips, shapes };
}

function numberOf(numbers: Map<string, number>, id: string): number {
  if (id === '') return -1;
  const known = numbers.get(id) ?? numbers.size;
  numbers.set(id, known);
  return known;
}
