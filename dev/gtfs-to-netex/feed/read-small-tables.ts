/** Agencies, stops, routes and what the publisher says of the feed. Caller: read-feed.ts. */
import type { ChangeLog } from './change-log.ts';
import { type Agency, BOARDING_AREA, type FeedInfo, type Route, type Stop } from './feed.ts';
import type { FeedArchive } from './feed-archive.ts';
import { FeedError } from './feed-error.ts';
import { readTable, type Tell } from './table.ts';
import { decimal, given, webAddress, wholeOr } from './values.ts';

export async function readAgencies(feed: FeedArchive, changes: ChangeLog, tell: Tell): Promise<Agency[]> {
  const agencies: Agency[] = [];
  await readTable(feed, 'agency.txt', tell, (columns) => {
    const id = columns.optional('agency_id');
    const name = columns.required('agency_name');
    const url = columns.optional('agency_url');
    const zone = columns.required('agency_timezone');
    const language = columns.optional('agency_lang');
    const phone = columns.optional('agency_phone');
    const email = columns.optional('agency_email');
    return (row) => {
      const timeZone = row.text(zone);
      if (!isTimeZone(timeZone)) {
        row.fail('agency_timezone', `"${timeZone}" is no time zone. Write one of the IANA list, as Europe/Oslo.`);
      }
      agencies.push({
        id: row.text(id),
        name: row.text(name) || row.text(id) || 'Agency',
        url: webAddress(row.text(url)),
        timeZone,
        language: languageOf(row.text(language)),
        phone: given(row.text(phone)),
        email: given(row.text(email)),
      });
    };
  });
  const [first] = agencies;
  if (!first) throw new FeedError('the table names no agency; one is required.', { file: 'agency.txt' });
  const others = agencies.filter(({ timeZone }) => timeZone !== first.timeZone);
  for (const { name } of others)
    changes.note('agencies in another time zone than the first: their lines keep it', name);
  return agencies;
}

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

function timeZoneOf(text: string): string | undefined {
  return text !== '' && isTimeZone(text) ? text : undefined;
}

function languageOf(text: string): string | undefined {
  return /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(text) ? text : undefined;
}

export async function readStops(feed: FeedArchive, changes: ChangeLog, tell: Tell): Promise<Stop[]> {
  const stops: Stop[] = [];
  const seen = new Set<string>();
  await readTable(feed, 'stops.txt', tell, (columns) => {
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

/** NaN for both where one of them cannot be. */
function positionOf(latitudeText: string, longitudeText: string): { latitude: number; longitude: number } {
  const latitude = decimal(latitudeText);
  const longitude = decimal(longitudeText);
  const isOnEarth = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isOnEarth ? { latitude, longitude } : { latitude: Number.NaN, longitude: Number.NaN };
}

export async function readRoutes(
  feed: FeedArchive,
  agencies: readonly Agency[],
  changes: ChangeLog,
  tell: Tell,
): Promise<Route[]> {
  const routes: Route[] = [];
  const seen = new Set<string>();
  await readTable(feed, 'routes.txt', tell, (columns) => {
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

/** Six hexadecimal digits; zeros that a spreadsheet took away come back. */
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

export async function readFeedInfo(feed: FeedArchive, tell: Tell): Promise<FeedInfo> {
  let info: FeedInfo = { publisher: undefined, url: undefined, language: undefined, version: undefined };
  if (!feed.has('feed_info.txt')) return info;
  await readTable(feed, 'feed_info.txt', tell, (columns) => {
    const publisher = columns.optional('feed_publisher_name');
    const [url, language] = [columns.optional('feed_publisher_url'), columns.optional('feed_lang')];
    const version = columns.optional('feed_version');
    return (row) => {
      info = {
        publisher: given(row.text(publisher)),
        url: webAddress(row.text(url)),
        language: languageOf(row.text(language)),
        version: given(row.text(version)),
      };
    };
  });
  return info;
}
