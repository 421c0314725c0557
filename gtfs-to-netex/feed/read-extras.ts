/** Reads frequencies and transfers, which few feeds have. Caller: read-feed.ts. */
import type { ChangeLog } from './change-log.ts';
import type { Frequency, Transfer, Trips } from './feed.ts';
import type { FeedArchive } from './feed-archive.ts';
import type { PlatformIndex } from './platform-index.ts';
import { type Progress, readTable } from './table.ts';
import { NO_TIME, readTime, wholeOr } from './values.ts';

export async function readFrequencies(
  feed: FeedArchive,
  trips: Trips,
  changes: ChangeLog,
  onProgress: Progress,
): Promise<Frequency[]> {
  const frequencies: Frequency[] = [];
  if (!feed.has('frequencies.txt')) return frequencies;
  await readTable(feed, 'frequencies.txt', onProgress, (columns) => {
    const id = columns.required('trip_id');
    const [start, end] = [columns.required('start_time'), columns.required('end_time')];
    const headway = columns.required('headway_secs');
    return (row) => {
      const trip = trips.numbers.get(row.text(id)) ?? -1;
      const from = readTime(row, start, 'start_time');
      const to = readTime(row, end, 'end_time');
      const seconds = wholeOr(row.text(headway), 0);
      if (trip === -1) changes.note('frequencies left out whose trip is not kept', row.text(id));
      else if (seconds === 0 || from === NO_TIME || to === NO_TIME || to <= from) {
        changes.note('frequencies left out without a headway or a time between start and end', row.text(id));
      } else frequencies.push({ trip, from, to, headway: seconds });
    };
  });
  return frequencies;
}

export async function readTransfers(
  feed: FeedArchive,
  known: { trips: Trips; stops: PlatformIndex },
  changes: ChangeLog,
  onProgress: Progress,
): Promise<Transfer[]> {
  const transfers: Transfer[] = [];
  if (!feed.has('transfers.txt')) return transfers;
  await readTable(feed, 'transfers.txt', onProgress, (columns) => {
    const [fromStop, toStop] = [columns.optional('from_stop_id'), columns.optional('to_stop_id')];
    const type = columns.required('transfer_type');
    const minimum = columns.optional('min_transfer_time');
    const [fromTrip, toTrip] = [columns.optional('from_trip_id'), columns.optional('to_trip_id')];
    const [fromRoute, toRoute] = [columns.optional('from_route_id'), columns.optional('to_route_id')];
    return (row) => {
      const transfer: Transfer = {
        type: wholeOr(row.text(type), 0),
        fromStop: known.stops.findStop(row.text(fromStop)),
        toStop: known.stops.findStop(row.text(toStop)),
        minimumSeconds: row.text(minimum) === '' ? undefined : wholeOr(row.text(minimum), 0),
        fromTrip: known.trips.numbers.get(row.text(fromTrip)) ?? -1,
        toTrip: known.trips.numbers.get(row.text(toTrip)) ?? -1,
        namesRoutes: row.text(fromRoute) !== '' || row.text(toRoute) !== '',
      };
      const namesUnknown =
        (row.text(fromStop) !== '' && transfer.fromStop === -1) ||
        (row.text(toStop) !== '' && transfer.toStop === -1) ||
        (row.text(fromTrip) !== '' && transfer.fromTrip === -1) ||
        (row.text(toTrip) !== '' && transfer.toTrip === -1);
      if (namesUnknown) changes.note('transfers left out that name an unknown stop or trip', `line ${row.line}`);
      else transfers.push(transfer);
    };
  });
  return transfers;
}
