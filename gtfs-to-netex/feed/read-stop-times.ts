/**
 * Reads stop times, by far the largest table. Rows may come in any order: they go straight into columns, which are
 * then sorted by trip and sequence. Caller: read-feed.ts.
 */
import { growingFloat64, growingInt32, growingUint8 } from '../../netex/packed/growing-array.ts';
import type { ChangeLog } from './change-log.ts';
import type { Calls, Trips } from './feed.ts';
import type { FeedArchive } from './feed-archive.ts';
import type { PlatformIndex } from './platform-index.ts';
import { type Progress, type Row, readTable } from './table.ts';
import type { TextPool } from './text-pool.ts';
import { decimal, readTime, wholeOr } from './values.ts';

/** Columns in the order of the rows. */
class CallColumns {
  readonly trip = growingInt32();
  readonly sequence = growingInt32();
  readonly stop = growingInt32();
  readonly arrival = growingInt32();
  readonly departure = growingInt32();
  readonly rules = growingUint8();
  readonly headsign = growingInt32();
  readonly shapeDistance = growingFloat64();
}

export async function readStopTimes(
  feed: FeedArchive,
  known: { trips: Trips; platforms: PlatformIndex; texts: TextPool },
  changes: ChangeLog,
  onProgress: Progress,
): Promise<Calls> {
  const rows = new CallColumns();
  await readTable(feed, 'stop_times.txt', onProgress, (columns) => {
    const trip = columns.required('trip_id');
    const stop = columns.required('stop_id');
    const sequence = columns.required('stop_sequence');
    const [arrival, departure] = [columns.required('arrival_time'), columns.required('departure_time')];
    const [pickup, dropOff] = [columns.optional('pickup_type'), columns.optional('drop_off_type')];
    const headsign = columns.optional('stop_headsign');
    const distance = columns.optional('shape_dist_traveled');
    let lastId = '';
    let lastTrip: number | undefined;
    return (row) => {
      const tripId = row.text(trip);
      if (tripId !== lastId) {
        lastId = tripId;
        lastTrip = known.trips.numbers.get(tripId);
      }
      if (lastTrip === undefined) {
        changes.note('stop times left out whose trip is not kept', tripId);
        return;
      }
      const platform = findPlatform(known.platforms, row.text(stop), tripId, changes);
      if (platform === -1) return;
      rows.trip.push(lastTrip);
      rows.stop.push(platform);
      rows.sequence.push(sequenceOf(row, sequence));
      rows.arrival.push(readTime(row, arrival, 'arrival_time'));
      rows.departure.push(readTime(row, departure, 'departure_time'));
      rows.rules.push(ruleOf(row.text(pickup)) + 4 * ruleOf(row.text(dropOff)));
      if (headsign !== -1) rows.headsign.push(known.texts.add(row.text(headsign)));
      if (distance !== -1) rows.shapeDistance.push(decimal(row.text(distance)));
    };
  });
  return inOrder(rows, known.trips.ids.length);
}

/** −1 when the stop time is left out; the change is counted. */
function findPlatform(platforms: PlatformIndex, stopId: string, tripId: string, changes: ChangeLog): number {
  const platform = platforms.find(stopId);
  if (platform !== -1 && platforms.isPlaced(platform)) return platform;
  const reason =
    stopId === ''
      ? 'stop times left out without a stop, as of areas and groups of stops'
      : platform === -1
        ? 'stop times left out whose stop is none to board at'
        : 'stop times left out whose stop has no position';
  changes.note(reason, `${stopId} of trip ${tripId}`);
  return -1;
}

function sequenceOf(row: Row, column: number): number {
  const text = row.text(column);
  const sequence = wholeOr(text, -1);
  if (sequence === -1) row.fail('stop_sequence', `"${text}" is no whole number from 0.`);
  return sequence;
}

/** 0 always, 1 never, 2 by telephone, 3 ask the driver. */
function ruleOf(text: string): number {
  return text === '' ? 0 : Math.min(wholeOr(text, 0), 3);
}

function inOrder(rows: CallColumns, trips: number): Calls {
  const trip = rows.trip.values();
  const sequence = rows.sequence.values();
  const first = new Int32Array(trips + 1);
  for (let row = 0; row < trip.length; row++)
    first[(trip[row] as number) + 1] = (first[(trip[row] as number) + 1] as number) + 1;
  for (let index = 0; index < trips; index++)
    first[index + 1] = (first[index + 1] as number) + (first[index] as number);
  const order = new Int32Array(trip.length);
  const next = first.slice();
  for (let row = 0; row < trip.length; row++) {
    const own = trip[row] as number;
    const at = next[own] as number;
    order[at] = row;
    next[own] = at + 1;
  }
  for (let index = 0; index < trips; index++) {
    sortBySequence(order, sequence, first[index] as number, first[index + 1] as number);
  }
  const isGiven = (column: { readonly length: number }): boolean => column.length === trip.length && trip.length > 0;
  return {
    first,
    stop: pick(rows.stop.values(), order, new Int32Array(order.length)),
    arrival: pick(rows.arrival.values(), order, new Int32Array(order.length)),
    departure: pick(rows.departure.values(), order, new Int32Array(order.length)),
    rules: pick(rows.rules.values(), order, new Uint8Array(order.length)),
    headsign: isGiven(rows.headsign) ? pick(rows.headsign.values(), order, new Int32Array(order.length)) : undefined,
    shapeDistance: isGiven(rows.shapeDistance)
      ? pick(rows.shapeDistance.values(), order, new Float64Array(order.length))
      : undefined,
  };
}

/** Most are in order already. Rows of equal sequence keep their order. */
function sortBySequence(order: Int32Array, sequence: Int32Array, from: number, to: number): void {
  for (let at = from + 1; at < to; at++) {
    if ((sequence[order[at] as number] as number) < (sequence[order[at - 1] as number] as number)) {
      const run = Array.from(order.subarray(from, to));
      run.sort((a, b) => (sequence[a] as number) - (sequence[b] as number) || a - b);
      order.set(run, from);
      return;
    }
  }
}

function pick<A extends Int32Array | Uint8Array | Float64Array>(values: A, order: Int32Array, into: A): A {
  for (let at = 0; at < order.length; at++) into[at] = values[order[at] as number] as number;
  return into;
}
