/** Reads stops of all kinds. Caller: read-feed.ts. */
import type { ChangeLog } from './change-log.ts';
import { BOARDING_AREA, type Stop } from './feed.ts';
import type { FeedArchive } from './feed-archive.ts';
import { timeZoneOf } from './locale-values.ts';
import { type Progress, readTable } from './table.ts';
import { decimal, given, webAddress, wholeOr } from './values.ts';

export async function readStops(feed: FeedArchive, changes: ChangeLog, onProgress: Progress): Promise<Stop[]> {
  const stops: Stop[] = [];
  const seen = new Set<string>();
  await readTable(feed, 'stops.txt', onProgress, (columns) => {
    const id = columns.required('stop_id');
    const [name, code] = [columns.optional('stop_name'), columns.optional('stop_code')];
    const description = columns.optional('stop_desc');
    const [latitude, longitude] = [columns.required('stop_lat'), columns.required('stop_lon')];
    const [kind, parent] = [columns.optional('location_type'), columns.optional('parent_station')];
    const [platform, zone] = [columns.optional('platform_code'), columns.optional('zone_id')];
    const [wheelchair, timeZone] = [columns.optional('wheelchair_boarding'), columns.optional('stop_timezone')];
    const url = columns.optional('stop_url');
    return (row) => {
      const stopId = row.text(id);
      if (stopId === '') row.fail('stop_id', 'it is empty. Every stop needs an id.');
      if (seen.has(stopId)) {
        changes.note('stops left out that repeat the id of another', stopId);
        return;
      }
      seen.add(stopId);
      stops.push({
        id: stopId,
        name: row.text(name),
        code: given(row.text(code)),
        description: given(row.text(description)),
        ...positionOf(row.text(latitude), row.text(longitude)),
        kind: Math.min(wholeOr(row.text(kind), 0), BOARDING_AREA),
        parentId: given(row.text(parent)),
        platformCode: given(row.text(platform)),
        zoneId: given(row.text(zone)),
        wheelchair: wholeOr(row.text(wheelchair), 0),
        timeZone: timeZoneOf(row.text(timeZone)),
        url: webAddress(row.text(url)),
      });
    };
  });
  return stops;
}

/** NaN for both when one of them is impossible. */
function positionOf(latitudeText: string, longitudeText: string): { latitude: number; longitude: number } {
  const latitude = decimal(latitudeText);
  const longitude = decimal(longitudeText);
  const isOnEarth = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isOnEarth ? { latitude, longitude } : { latitude: Number.NaN, longitude: Number.NaN };
}
