/** Reads agencies and what the publisher says about the feed. Caller: read-feed.ts. */

import type { ChangeLog } from './change-log.ts';
import type { Agency, FeedInfo } from './feed.ts';
import type { FeedArchive } from './feed-archive.ts';
import { FeedError } from './feed-error.ts';
import { isTimeZone, languageOf } from './locale-values.ts';
import { type Progress, readTable } from './table.ts';
import { given, webAddress } from './values.ts';

export async function readAgencies(feed: FeedArchive, changes: ChangeLog, onProgress: Progress): Promise<Agency[]> {
  const agencies: Agency[] = [];
  await readTable(feed, 'agency.txt', onProgress, (columns) => {
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

export async function readFeedInfo(feed: FeedArchive, onProgress: Progress): Promise<FeedInfo> {
  let info: FeedInfo = { publisher: undefined, url: undefined, language: undefined, version: undefined };
  if (!feed.has('feed_info.txt')) return info;
  await readTable(feed, 'feed_info.txt', onProgress, (columns) => {
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
