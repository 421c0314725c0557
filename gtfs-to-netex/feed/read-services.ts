/** Reads calendars and their exceptions. One of the two tables may be missing. Caller: read-feed.ts. */
import type { ChangeLog } from './change-log.ts';
import type { Service } from './feed.ts';
import type { FeedArchive } from './feed-archive.ts';
import { FeedError } from './feed-error.ts';
import { type Progress, readTable } from './table.ts';
import { readDay } from './values.ts';

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const ADDED = '1';
const REMOVED = '2';

export async function readServices(
  feed: FeedArchive,
  changes: ChangeLog,
  onProgress: Progress,
): Promise<Map<string, Service>> {
  const services = new Map<string, Service>();
  const take = (id: string): Service => {
    const known = services.get(id);
    if (known) return known;
    const service: Service = { id, weekdays: 0, from: 0, to: -1, added: new Set(), removed: new Set() };
    services.set(id, service);
    return service;
  };
  const hasCalendar = feed.has('calendar.txt');
  const hasDates = feed.has('calendar_dates.txt');
  if (!hasCalendar && !hasDates) {
    throw new FeedError('The feed has neither calendar.txt nor calendar_dates.txt; one of them is required.');
  }
  if (hasCalendar) await readCalendar(feed, take, changes, onProgress);
  if (hasDates) await readDates(feed, take, onProgress);
  return services;
}

async function readCalendar(
  feed: FeedArchive,
  take: (id: string) => Service,
  changes: ChangeLog,
  onProgress: Progress,
): Promise<void> {
  await readTable(feed, 'calendar.txt', onProgress, (columns) => {
    const id = columns.required('service_id');
    const days = WEEKDAYS.map((name) => columns.required(name));
    const [start, end] = [columns.required('start_date'), columns.required('end_date')];
    return (row) => {
      const service = take(row.text(id));
      service.weekdays = days.reduce((mask, column, day) => mask | (row.text(column) === '1' ? 1 << day : 0), 0);
      service.from = readDay(row, start, 'start_date');
      service.to = readDay(row, end, 'end_date');
      if (service.to < service.from) changes.note('calendars that end before they begin: no day', service.id);
    };
  });
}

async function readDates(feed: FeedArchive, take: (id: string) => Service, onProgress: Progress): Promise<void> {
  await readTable(feed, 'calendar_dates.txt', onProgress, (columns) => {
    const id = columns.required('service_id');
    const date = columns.required('date');
    const type = columns.required('exception_type');
    return (row) => {
      const service = take(row.text(id));
      const exception = row.text(type);
      if (exception === ADDED) service.added.add(readDay(row, date, 'date'));
      else if (exception === REMOVED) service.removed.add(readDay(row, date, 'date'));
      else row.fail('exception_type', `"${exception}" is neither 1 (runs) nor 2 (does not run).`);
    };
  });
}
