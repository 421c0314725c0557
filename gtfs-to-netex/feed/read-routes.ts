/** Reads routes. Caller: read-feed.ts. */
import type { ChangeLog } from './change-log.ts';
import type { Agency, Route } from './feed.ts';
import type { FeedArchive } from './feed-archive.ts';
import { type Progress, readTable } from './table.ts';
import { given, webAddress, wholeOr } from './values.ts';

export async function readRoutes(
  feed: FeedArchive,
  agencies: readonly Agency[],
  changes: ChangeLog,
  onProgress: Progress,
): Promise<Route[]> {
  const routes: Route[] = [];
  const seen = new Set<string>();
  await readTable(feed, 'routes.txt', onProgress, (columns) => {
    const id = columns.required('route_id');
    const agency = columns.optional('agency_id');
    const [shortName, longName] = [columns.optional('route_short_name'), columns.optional('route_long_name')];
    const [description, type] = [columns.optional('route_desc'), columns.required('route_type')];
    const [url, colour] = [columns.optional('route_url'), columns.optional('route_color')];
    const textColour = columns.optional('route_text_color');
    return (row) => {
      const routeId = row.text(id);
      if (seen.has(routeId)) {
        changes.note('routes left out that repeat the id of another', routeId);
        return;
      }
      seen.add(routeId);
      const agencyNumber = findAgency(agencies, row.text(agency));
      if (agencyNumber === -1) changes.note('routes of an unknown agency, given to the first', routeId);
      routes.push({
        id: routeId,
        agency: Math.max(agencyNumber, 0),
        shortName: row.text(shortName),
        longName: row.text(longName),
        description: given(row.text(description)),
        type: wholeOr(row.text(type), -1),
        url: webAddress(row.text(url)),
        colour: colourOf(row.text(colour), routeId, changes),
        textColour: colourOf(row.text(textColour), routeId, changes),
      });
    };
  });
  return routes;
}

function findAgency(agencies: readonly Agency[], id: string): number {
  return id === '' ? 0 : agencies.findIndex((agency) => agency.id === id);
}

/** Six hexadecimal digits; leading zeros that a spreadsheet removed are restored. */
function colourOf(text: string, routeId: string, changes: ChangeLog): string | undefined {
  const digits = text.replace(/^#/, '').toUpperCase();
  if (digits === '') return undefined;
  if (!/^[0-9A-F]{1,6}$/.test(digits)) {
    changes.note('colours left out that are not six hexadecimal digits', `${routeId}: ${text}`);
    return undefined;
  }
  if (digits.length < 6) changes.note('colours filled up with zeros to six digits', `${routeId}: ${text}`);
  return digits.padStart(6, '0');
}
