/** The conversion of trips, their times and days. */
import assert from 'node:assert/strict';
import { parseDay } from '../../gtfs-to-netex/feed/values.ts';
import { FEATURE_FEEDS } from './feature-feeds.ts';
import { changeOf, convertTables, everyOf, findId, timesOf } from './small-feed.ts';

describe('trips of a feed', () => {
  const patterns = convertTables(FEATURE_FEEDS.patterns);

  it('share a pattern when stops, rules, displays and direction are the same', async () => {
    const converted = await patterns;
    const byPattern = everyOf(converted, 'ServiceJourney').map((one) => `${one.id} ${one.ref('JourneyPatternRef')}`);
    assert.deepEqual(byPattern, [
      'TWN:ServiceJourney:T1 TWN:JourneyPattern:R1-1',
      'TWN:ServiceJourney:T2 TWN:JourneyPattern:R1-1',
      'TWN:ServiceJourney:T3 TWN:JourneyPattern:R1-2',
      'TWN:ServiceJourney:T4 TWN:JourneyPattern:R1-3',
      'TWN:ServiceJourney:T5 TWN:JourneyPattern:R1-4',
    ]);
    assert.deepEqual(
      everyOf(converted, 'Route').map((route) => route.at('DirectionType')),
      ['outbound', 'inbound', 'outbound', 'outbound'],
    );
  });

  it('keep the rules of boarding and alighting: regular, on request or by telephone', async () => {
    const [, , third] = everyOf(await patterns, 'JourneyPattern');
    const rules = [...(third?.all('StopPointInJourneyPattern') ?? [])].map((stop) =>
      ['ForAlighting', 'ForBoarding', 'RequestStop', 'BookingArrangements/BookingMethods'].map((name) => stop.at(name)),
    );
    assert.deepEqual(rules, [
      ['false', undefined, undefined, undefined],
      [undefined, undefined, 'true', undefined],
      ['false', undefined, undefined, 'callOffice'],
      [undefined, 'false', undefined, undefined],
    ]);
  });

  it('show the headsign of the stop or trip, or the name of the last stop, where it changes', async () => {
    const converted = await patterns;
    const text = (ref: string | undefined) => ref && findId(converted.shared, ref).at('FrontText');
    const shown = everyOf(converted, 'JourneyPattern').map((pattern) =>
      [...pattern.all('StopPointInJourneyPattern')].map((stop) => text(stop.ref('DestinationDisplayRef')) ?? '-'),
    );
    assert.deepEqual(shown, [
      ['Dogwood', '-', '-', '-'],
      ['Alder', '-', '-', '-'],
      ['Dogwood', '-', '-', '-'],
      ['Dogwood', 'Cedar only', 'Dogwood', '-'],
    ]);
  });

  it('keep number and wheelchair access', async () => {
    const [first, second, third] = everyOf(await patterns, 'ServiceJourney');
    assert.equal(first?.at('PublicCode'), '101');
    const access = [first, second, third].map((one) => [...(one?.all('WheelchairAccess') ?? [])][0]?.text);
    assert.deepEqual(access, ['true', 'false', undefined]);
  });

  it('run past midnight, have missing times filled by distance, and never go backwards', async () => {
    const result = await convertTables(FEATURE_FEEDS.times);
    const times = Object.fromEntries(
      everyOf(result, 'ServiceJourney').map((one) => [one.id.split(':')[2], timesOf(one)]),
    );
    assert.deepEqual(times, {
      T1: ['23:55:00', '00:05:00+1 00:06:00+1', '01:00:00+2'],
      T2: ['08:00:00', '08:10:00', '08:20:00', '08:30:00'],
      T3: ['08:00:00', '08:00:00', '08:10:00'],
      T6: ['09:00:00', '09:05:00', '09:10:00'],
      T7: ['09:00:00', '09:00:34', '09:10:00'],
    });
    assert.equal(changeOf(result, 'fewer than two stop times'), 1);
    assert.equal(changeOf(result, 'without a time at the first or the last stop'), 1);
    assert.equal(changeOf(result, 'went backwards'), 1);
    assert.equal(changeOf(result, 'worked out between those given'), 1);
    assert.equal(changeOf(result, 'HIGH_SPEED'), 1);
  });

  it('have missing times filled by the distances of the feed, or evenly on request', async () => {
    const byDistance = await convertTables(FEATURE_FEEDS.travelledShapes);
    assert.deepEqual(everyOf(byDistance, 'ServiceJourney').map(timesOf), [['08:00:00', '08:30:00', '08:40:00']]);
    const evenly = await convertTables(FEATURE_FEEDS.travelledShapes, { interpolation: 'evenly' });
    assert.deepEqual(everyOf(evenly, 'ServiceJourney').map(timesOf), [['08:00:00', '08:20:00', '08:40:00']]);
  });

  it('become a journey for each departure when they run by frequency', async () => {
    const converted = await convertTables(FEATURE_FEEDS.frequencies);
    const starts = everyOf(converted, 'ServiceJourney').map((one) => `${one.id.slice(19)} ${timesOf(one)[0]}`);
    assert.deepEqual(starts, [
      'T1-060000 06:00:00',
      'T1-062000 06:20:00',
      'T1-064000 06:40:00',
      'T1-240000 00:00:00+1',
      'T1-241500 00:15:00+1',
      'T2 09:00:00',
    ]);
  });

  it('leave at other clock times on nights on which the clock changes, as journeys of their own', async () => {
    const converted = await convertTables(FEATURE_FEEDS.clockChanges);
    const starts = everyOf(converted, 'ServiceJourney').map(
      (one) => `${one.id.slice(19)} ${timesOf(one)[0]} ${[...one.all('dayTypes')][0]?.ref('DayTypeRef')?.slice(12)}`,
    );
    assert.deepEqual(
      starts.filter((start) => /^T0030|^T0330|^T0015/.test(start)),
      [
        'T0030 00:30:00 WK-nights-1',
        'T0030-later 01:30:00 WK-nights-2',
        'T0030-earlier 23:30:00 WK-nights-3',
        'T0330 03:30:00 WK',
        'T0015 01:15:00 SU-nights-1',
      ],
    );
    assert.equal(changeOf(converted, 'shows an hour again'), 0);
    const { trips, stop_times } = FEATURE_FEEDS.clockChanges;
    const alike = {
      trips: trips.replace('T0230', 'T0030-later'),
      stop_times: stop_times.replaceAll('T0230', 'T0030-later'),
    };
    const ids = everyOf(await convertTables({ ...FEATURE_FEEDS.clockChanges, ...alike }), 'ServiceJourney').map(
      (one) => one.id,
    );
    assert.equal(new Set(ids).size, ids.length, 'a trip of the feed has the name of such a journey');
    const { calendar } = FEATURE_FEEDS.clockChanges;
    const { shared } = await convertTables({
      ...FEATURE_FEEDS.clockChanges,
      trips: trips.replace('SU,T0015', 'WK-nights-1,T0015'),
      calendar: calendar.replace('SU,0,0,0,0,0,0,1,20261101,20261101', 'WK-nights-1,0,0,0,0,0,0,1,20261101,20261108'),
    });
    const dayTypes = [...shared.all('DayType')].map((one) => one.id);
    assert.equal(new Set(dayTypes).size, dayTypes.length, 'a service of the feed has the name of such days');
    const twice = await convertTables({
      ...FEATURE_FEEDS.clockChanges,
      frequencies: 'trip_id,start_time,end_time,headway_secs\nF,01:00:00,02:00:00,3600',
    });
    assert.equal(changeOf(twice, 'shows an hour again'), 1);
  });

  it('are corrected when too fast for their mode: a metro becomes a railway, a misplaced stop drops its trip', async () => {
    const result = await convertTables(FEATURE_FEEDS.fast);
    const [bus, metro] = result.lines;
    assert.deepEqual(timesOf(findId(bus, 'TWN:ServiceJourney:T1')), ['08:00:05', '08:00:39', '08:01:13', '08:20:00']);
    assert.equal([...(metro?.all('TransportMode') ?? [])][0]?.text, 'rail');
    assert.equal(changeOf(result, 'that no vehicle can run'), 1);
  });

  it('become interchanges where they share a vehicle or wait for one another', async () => {
    const { lines, conversion } = await convertTables(FEATURE_FEEDS.following);
    const described = lines.flatMap((line) =>
      [...line.all('ServiceJourneyInterchange')].map((one) => {
        const refs = ['FromJourneyRef', 'FromPointRef', 'ToJourneyRef', 'ToPointRef'].map(
          (name) => one.ref(name)?.split(':')[2],
        );
        return `${refs.join(' ')} ${one.at('StaySeated') === 'true' ? 'seated' : 'waits'}`;
      }),
    );
    assert.deepEqual(described, ['T4 C T5 C waits', 'T2 A T3 A seated']);
    assert.ok(conversion.changes.some(({ what }) => what.includes('between two routes only')));
  });
});

describe('calendars of a feed', () => {
  it('become day types of weekdays in a period, with dates added and removed', async () => {
    const { shared, conversion } = await convertTables(FEATURE_FEEDS.calendars);
    const types = Object.fromEntries(
      [...shared.all('DayType')].map((type) => [type.at('Name'), type.at('properties/PropertyOfDay/DaysOfWeek')]),
    );
    assert.deepEqual(types, { WK: 'Monday Tuesday Wednesday Thursday Friday', SU: 'Sunday', EX: undefined });
    const assigned = [...shared.all('DayTypeAssignment')].map((one) =>
      [one.ref('DayTypeRef'), one.ref('OperatingPeriodRef') ?? one.at('Date'), one.at('isAvailable')].join(' '),
    );
    assert.deepEqual(assigned, [
      'TWN:DayType:WK TWN:OperatingPeriod:2026-11-02_2026-12-31 ',
      'TWN:DayType:WK 2026-12-26 true',
      'TWN:DayType:WK 2026-12-25 false',
      'TWN:DayType:SU TWN:OperatingPeriod:2026-11-02_2026-12-31 ',
      'TWN:DayType:EX 2026-11-24 true',
      'TWN:DayType:EX 2027-01-05 true',
    ]);
    assert.equal(changeOf({ conversion } as never, 'without a day to run'), 1);
    assert.deepEqual([conversion.firstDay, conversion.lastDay], ['2026-11-02', '2027-01-05']);
  });

  it('are cut to the requested period, and drop trips that do not run in it', async () => {
    const period = { fromDay: parseDay('2026-12-20') ?? 0, toDay: parseDay('2026-12-26') ?? 0 };
    const { shared, conversion, lines } = await convertTables(FEATURE_FEEDS.calendars, { period });
    assert.deepEqual(
      [...shared.all('OperatingPeriod')].map(({ id }) => id),
      ['TWN:OperatingPeriod:2026-12-20_2026-12-26'],
    );
    assert.equal([...(lines[0]?.all('ServiceJourney') ?? [])].length, 2);
    assert.deepEqual([conversion.firstDay, conversion.lastDay], ['2026-12-20', '2026-12-26']);
  });
});

describe('shapes of a feed', () => {
  it('are cut at the stops in both directions of a trip', async () => {
    const converted = await convertTables(FEATURE_FEEDS.shapes);
    const lines = everyOf(converted, 'ServiceLink').map((link) => {
      const ends = ['FromPointRef', 'ToPointRef'].map((name) => link.ref(name)?.split(':')[2]);
      return `${ends.join('-')}: ${[...link.all('gml:posList')][0]?.text}`;
    });
    assert.deepEqual(lines, [
      'A-B: 40.7 -74 40.705 -74.005 40.71 -74',
      'B-C: 40.71 -74 40.715 -73.995 40.72 -74',
      'C-B: 40.72 -74 40.715 -73.995 40.71 -74',
      'B-A: 40.71 -74 40.705 -74.005 40.7 -74',
    ]);
    const used = everyOf(converted, 'JourneyPattern').map((pattern) => [...pattern.all('ServiceLinkRef')].length);
    assert.deepEqual(used, [2, 2]);
  });

  it('are cut by the distances that the feed gives', async () => {
    const converted = await convertTables(FEATURE_FEEDS.travelledShapes);
    const lines = everyOf(converted, 'ServiceLink').map((link) => [...link.all('gml:posList')][0]?.text);
    assert.deepEqual(lines, ['40.7 -74 40.705 -74.01 40.71 -74', '40.71 -74 40.72 -74']);
  });

  it('may be missing; then links have no geometry', async () => {
    const converted = await convertTables({});
    assert.deepEqual(everyOf(converted, 'ServiceLink'), []);
    assert.deepEqual(everyOf(converted, 'linksInSequence'), []);
  });
});
