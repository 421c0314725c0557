/**
 * A feed that cannot be converted is refused with a sentence that names the place and the remedy. Unusual packing is
 * accepted.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { changeOf, convertPath, convertTables, newPath, type Tables, writeFeed } from './small-feed.ts';

const MAIN = resolve(import.meta.dirname, '../../gtfs-to-netex/main.ts');

const BROKEN: readonly (readonly [string, Tables, RegExp])[] = [
  ['a table is missing', { stop_times: null }, /has no stop_times\.txt.*It holds agency\.txt/],
  ['both calendars are missing', { calendar: null }, /neither calendar\.txt nor calendar_dates\.txt/],
  [
    'a column is missing',
    { trips: 'route_id,trip_id\nR1,T1' },
    /trips\.txt, line 1: the column service_id is missing.*route_id, trip_id/,
  ],
  ['a table is empty', { stops: '' }, /stops\.txt: the table is empty/],
  ['nobody runs it', { agency: 'agency_name,agency_url,agency_timezone' }, /agency\.txt: the table names no agency/],
  [
    'a time zone is none',
    { agency: 'agency_name,agency_url,agency_timezone\nT,,Mars' },
    /agency\.txt, line 2, column agency_timezone: "Mars"/,
  ],
  [
    'a time is none',
    { stop_times: 'trip_id,arrival_time,departure_time,stop_id,stop_sequence\nT1,8 o’clock,08:00:00,A,1' },
    /stop_times\.txt, line 2, column arrival_time: "8 o’clock" is no time/,
  ],
  [
    'a sequence is none',
    { stop_times: 'trip_id,arrival_time,departure_time,stop_id,stop_sequence\nT1,08:00:00,08:00:00,A,first' },
    /line 2, column stop_sequence: "first"/,
  ],
  [
    'a date is none',
    { calendar: null, calendar_dates: 'service_id,date,exception_type\nWK,20260231,1' },
    /calendar_dates\.txt, line 2, column date: "20260231" is no date/,
  ],
  [
    'nothing runs',
    { calendar_dates: null, trips: 'route_id,service_id,trip_id\nR1,XX,T1' },
    /No trip of the feed can be used/,
  ],
];

describe('a feed that cannot be converted', () => {
  for (const [what, tables, message] of BROKEN) {
    it(`is refused: ${what}`, async () => {
      await assert.rejects(convertTables(tables), { name: 'FeedError', message });
    });
  }

  it('is refused when it is no zip, and leaves no file', () => {
    const [feed, dataset] = [newPath('not.zip'), newPath('out.zip')];
    writeFileSync(feed, 'stop_id,stop_name');
    const run = spawnSync(process.execPath, [MAIN, feed, dataset, '--codespace', 'twn'], { encoding: 'utf8' });
    assert.equal(run.status, 1);
    assert.match(run.stderr, /cannot be read as a zip.*Give the \.zip file of a GTFS feed/);
    assert.ok(!existsSync(dataset));
  });

  it('is refused when the command is wrong, with the usage', () => {
    const run = spawnSync(process.execPath, [MAIN, 'a.zip', 'b.zip', '--codespace', 'town'], { encoding: 'utf8' });
    assert.equal(run.status, 1);
    assert.match(run.stderr, /--codespace must be three letters/);
    assert.match(run.stderr, /npm run gtfs-to-netex/);
  });
});

describe('a feed with unusual packing', () => {
  it('may lie in one folder, with the files that macOS adds', async () => {
    const others = { '__MACOSX/town/._stops.txt': 'x', 'town/.hidden.txt': 'y', 'town/fare_rules.txt': 'fare_id' };
    const feed = await writeFeed({}, { inFolder: 'town/', others });
    const converted = await convertPath(feed);
    assert.equal(converted.conversion.counts.journeys, 2);
    assert.equal(changeOf(converted, 'tables that are not converted'), 1);
  });

  it('is refused when it holds two feeds', async () => {
    const feed = await writeFeed({}, { inFolder: 'one/', others: { 'two/stops.txt': 'stop_id' } });
    await assert.rejects(convertPath(feed), /holds several feeds, in one, two/);
  });

  it('may have stray spaces, quotes and a byte order mark in its tables', async () => {
    const agency =
      '\uFEFF agency_id, "agency_name",agency_url,agency_timezone\r\nT, "Town, Traffic",https://t.example, America/New_York\r\n';
    const { shared } = await convertTables({ agency });
    assert.equal([...shared.all('Authority')][0]?.at('Name'), 'Town, Traffic');
  });
});
