/** Counts the calls of a feed at each stop, and finds the ids of its stops in the converted dataset. */
import { openFeed } from '../../../gtfs-to-netex/feed/feed-archive.ts';
import { readTable } from '../../../gtfs-to-netex/feed/table.ts';
import { IdNames } from '../../../gtfs-to-netex/timetable/id-names.ts';

export interface FeedStops {
  readonly calls: ReadonlyMap<string, number>;
  /** Quay by stop id of the feed. */
  readonly quayIds: ReadonlyMap<string, string>;
}

export async function readFeedStops(path: string, codespace: string): Promise<FeedStops> {
  const feed = await openFeed(path);
  const [calls, quayIds] = [new Map<string, number>(), new Map<string, string>()];
  const names = new IdNames('stops');
  try {
    await readTable(feed, 'stops.txt', silent, (columns) => {
      const id = columns.required('stop_id');
      return (row) => {
        quayIds.set(row.text(id), `${codespace.toUpperCase()}:Quay:${names.take(row.text(id))}`);
      };
    });
    await readTable(feed, 'stop_times.txt', silent, (columns) => {
      const id = columns.required('stop_id');
      return (row) => {
        calls.set(row.text(id), (calls.get(row.text(id)) ?? 0) + 1);
      };
    });
  } finally {
    feed.close();
  }
  return { calls, quayIds };
}

function silent(): void {}
