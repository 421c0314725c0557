/** Tests the import of journeys: times, days, dated journeys, frequencies, and journeys that are left out. */
import assert from 'node:assert/strict';
import type { ServiceDay } from '../../../planner/model/indices.ts';
import { importAll, type Options } from './recorded-import.ts';
import {
  type Common,
  commonFile,
  dataset,
  journey,
  type LineFile,
  lineFile,
  MONDAY,
  pattern,
  REGISTER,
  WEEK,
} from './small-network.ts';

const imported = (file: LineFile, common?: Common, options?: Options) =>
  importAll([dataset(file, common)], { register: REGISTER, ...options });
const P = pattern({ id: 'P', stops: ['a', 'b', 'c'] });
const hour = (hours: number, minutes = 0): number => hours * 3600 + minutes * 60;

describe('import of journeys', () => {
  it('assigns times to stops, also after midnight', async () => {
    const { journeys, rejected } = await imported({
      patterns: P,
      journeys: journey({ id: 'J', pattern: 'P', times: ['23:50', '23:58/00:01+1', '00:10+1'] }),
    });
    assert.deepEqual(rejected, []);
    assert.deepEqual(journeys[0]?.arrivals, [hour(23, 50), hour(23, 58), hour(24, 10)]);
    assert.deepEqual(journeys[0]?.departures, [hour(23, 50), hour(24, 1), hour(24, 10)]);
    assert.deepEqual(journeys[0]?.days, WEEK);
  });

  it('interpolates missing times by distance, along links where they exist', async () => {
    const link = (id: string, from: string, to: string, metres: number): string =>
      `<ServiceLink id="${id}" version="1"><Distance>${metres}</Distance><FromPointRef ref="${from}"/><ToPointRef ref="${to}"/></ServiceLink>`;
    const times = journey({ id: 'J', pattern: 'P', times: ['10:00', '-', '10:20'] });
    const straight = await imported({ patterns: P, journeys: times });
    assert.equal(straight.journeys[0]?.arrivals[1], hour(10, 10));
    const links =
      '<linksInSequence><ServiceLinkInJourneyPattern id="1" order="1"><ServiceLinkRef ref="ab"/></ServiceLinkInJourneyPattern><ServiceLinkInJourneyPattern id="2" order="2"><ServiceLinkRef ref="bc"/></ServiceLinkInJourneyPattern></linksInSequence>';
    const long = await imported(
      { patterns: pattern({ id: 'P', stops: ['a', 'b', 'c'], more: links }), journeys: times },
      { service: `<serviceLinks>${link('ab', 'a', 'b', 3000)}${link('bc', 'b', 'c', 1000)}</serviceLinks>` },
    );
    assert.equal(long.journeys[0]?.arrivals[1], hour(10, 15));
    assert.equal(long.patterns[0]?.stops[0]?.pathMetres, 3000);
  });

  it('leaves out and counts a journey without its pattern or first time, or with a time elsewhere', async () => {
    const { journeys, rejected } = await imported({
      patterns: P,
      journeys:
        journey({ id: '1', pattern: 'X', times: ['10:00', '10:10'] }) +
        journey({ id: '2', pattern: 'P', times: ['-', '10:05', '10:10'] }) +
        journey({ id: '3', pattern: 'P', times: ['10:00', '10:05', '10:10', '10:15'] }),
    });
    assert.deepEqual(journeys, []);
    assert.deepEqual(rejected, [
      'serviceJourney: its journey pattern is not known or was left out: 1',
      'serviceJourney: no time at the first or last stop: 2',
      'serviceJourney: a passing time names no stop of its pattern: 3',
    ]);
  });

  it('joins several day types, removes unavailable days, and limits them to the given period', async () => {
    const calendar =
      '<DayType id="Extra" version="1"/><DayTypeAssignment id="1" order="1"><Date>2026-11-28</Date><DayTypeRef ref="Extra"/></DayTypeAssignment>' +
      '<DayTypeAssignment id="2" order="2"><OperatingDayRef ref="D"/><DayTypeRef ref="Week"/><isAvailable>false</isAvailable></DayTypeAssignment><OperatingDay id="D" version="1"><CalendarDate>2026-11-25</CalendarDate></OperatingDay>' +
      '<UicOperatingPeriod id="U" version="1"><FromDate>2026-11-30T00:00:00</FromDate><ToDate>2026-12-03T00:00:00</ToDate><ValidDayBits>1010</ValidDayBits></UicOperatingPeriod><DayTypeAssignment id="3" order="3"><UicOperatingPeriodRef ref="U"/><DayTypeRef ref="Extra"/></DayTypeAssignment>';
    const file = {
      patterns: P,
      journeys: journey({ id: 'J', pattern: 'P', times: ['10:00', '10:05', '10:10'], dayTypes: ['Week', 'Extra'] }),
    };
    const all = await imported(file, { calendar });
    assert.deepEqual(all.journeys[0]?.days, [...[0, 1, 3, 4, 5, 7, 9].map((day) => MONDAY + day)]);
    const [fromDay, toDay] = [(MONDAY + 3) as ServiceDay, (MONDAY + 5) as ServiceDay];
    const some = await imported(file, { calendar }, { fromDay, toDay });
    assert.deepEqual(some.journeys[0]?.days, [MONDAY + 3, MONDAY + 4, MONDAY + 5]);
    const none = await imported(file, { calendar }, { fromDay: (MONDAY + 50) as ServiceDay });
    assert.deepEqual([none.journeys.length, none.rejected.length], [0, 0]);
    assert.equal(none.report.datasets[0]?.counts.serviceJourneysWithoutDay, 1);
  });

  it('shares one array between journeys of the same day types', async () => {
    const times = ['10:00', '10:05', '10:10'];
    const { journeys } = await imported({
      patterns: P,
      journeys: journey({ id: '1', pattern: 'P', times }) + journey({ id: '2', pattern: 'P', times }),
    });
    assert.equal(journeys[0]?.days, journeys[1]?.days);
  });

  it('prefers the calendar of a line file to that of the common files', async () => {
    const own =
      '<ServiceCalendarFrame id="X"><DayType id="Own" version="1"/><DayTypeAssignment id="9" order="1"><Date>2026-11-24</Date><DayTypeRef ref="Own"/></DayTypeAssignment></ServiceCalendarFrame>';
    const { journeys } = await imported({
      patterns: P,
      journeys: journey({ id: 'J', pattern: 'P', times: ['10:00', '10:05', '10:10'], dayTypes: ['Own', 'Week'] }),
      more: own,
    });
    assert.deepEqual(journeys[0]?.days, WEEK);
  });

  it('repeats the times of a frequency journey from its first departure to its last', async () => {
    const group = (id: string): string =>
      `<HeadwayJourneyGroup id="${id}" version="1"><ScheduledHeadwayInterval>PT20M</ScheduledHeadwayInterval><FirstDepartureTime>08:00:00</FirstDepartureTime><LastDepartureTime>09:00:00</LastDepartureTime></HeadwayJourneyGroup>`;
    const template = (id: string, more: string): string =>
      journey({ id, pattern: 'P', times: ['07:00', '07:05', '07:10'], kind: 'TemplateServiceJourney', more });
    const { journeys, rejected } = await imported({
      patterns: P,
      journeys:
        template('1', `<frequencyGroups>${group('H')}</frequencyGroups>`) +
        template('2', '<frequencyGroups><HeadwayJourneyGroupRef ref="G"/></frequencyGroups>') +
        template('3', ''),
      timetable: `<frequencyGroups>${group('G')}</frequencyGroups>`,
    });
    const offsets = [3600, 4800, 6000, 7200];
    assert.deepEqual(
      journeys.map(({ id, startOffsets }) => [id, startOffsets]),
      [
        ['1', offsets],
        ['2', offsets],
      ],
    );
    assert.match(rejected.join(), /serviceJourney: a frequency without .*: 3/);
  });

  it('keeps a fully cancelled journey, without days', async () => {
    const { journeys } = await imported({
      patterns: P,
      journeys: journey({
        id: 'J',
        pattern: 'P',
        times: ['10:00', '10:05', '10:10'],
        more: '<ServiceAlteration>cancellation</ServiceAlteration>',
      }),
    });
    assert.deepEqual(journeys[0]?.days, []);
  });
});

describe('import of dated journeys', () => {
  const times = ['10:00', '10:05', '10:10'];
  const operatingDays = [0, 1, 2, 3]
    .map(
      (day) => `<OperatingDay id="D${day}" version="1"><CalendarDate>2026-11-${23 + day}</CalendarDate></OperatingDay>`,
    )
    .join('');
  const dated = (id: string, of: string, day: number, more = ''): string =>
    `<DatedServiceJourney id="${id}" version="1">${more}<ServiceJourneyRef ref="${of}"/><OperatingDayRef ref="D${day}"/></DatedServiceJourney>`;
  const alteration = (kind: string): string => `<ServiceAlteration>${kind}</ServiceAlteration>`;

  it('runs a journey on the days of its dated journeys that are neither cancelled nor replaced', async () => {
    const {
      journeys,
      dated: given,
      rejected,
    } = await imported(
      {
        patterns: P,
        journeys:
          journey({ id: 'J', pattern: 'P', times, dayTypes: [] }) +
          journey({ id: 'R', pattern: 'P', times, dayTypes: [] }) +
          dated('J0', 'J', 0) +
          dated('J1', 'J', 1, alteration('cancellation')) +
          dated('J2', 'J', 2) +
          dated('J3', 'J', 3, alteration('replaced')) +
          dated('R2', 'R', 2, `${alteration('extraJourney')}<DatedServiceJourneyRef ref="J2"/>`),
      },
      { calendar: operatingDays },
    );
    assert.deepEqual(rejected, []);
    assert.deepEqual(
      journeys.map(({ id, days }) => [id, days]),
      [
        ['J', [MONDAY]],
        ['R', [MONDAY + 2]],
      ],
    );
    assert.deepEqual(
      given.map(({ id, day, alteration: what, replacesIds }) => [id, day - MONDAY, what, replacesIds]),
      [
        ['J0', 0, undefined, undefined],
        ['J1', 1, 'cancellation', undefined],
        ['J2', 2, 'replaced', undefined],
        ['J3', 3, 'replaced', undefined],
        ['R2', 2, 'extraJourney', ['J2']],
      ],
    );
  });

  it('keeps a journey with every day cancelled, as its dated journeys refer to it', async () => {
    const { journeys } = await imported(
      {
        patterns: P,
        journeys:
          journey({ id: 'J', pattern: 'P', times, dayTypes: [] }) + dated('J0', 'J', 0, alteration('cancellation')),
      },
      { calendar: operatingDays },
    );
    assert.deepEqual(journeys[0]?.days, []);
  });

  it('finds dated journeys and replacements in other files, in any order', async () => {
    const one = lineFile({
      patterns: P,
      journeys: journey({ id: 'J', pattern: 'P', times, dayTypes: [] }) + dated('J0', 'J', 0) + dated('J1', 'J', 1),
    });
    const other = lineFile({
      lines: '',
      patterns: pattern({ id: 'Q', stops: ['a', 'b', 'c'], line: 'L' }),
      journeys:
        dated('J2', 'J', 2) +
        dated('R1', 'J', 3, '<replacedJourneys><DatedServiceJourneyRef ref="J1"/></replacedJourneys>'),
    });
    const common = commonFile({ calendar: operatingDays });
    for (const names of [['ABC_1.xml', 'ABC_2.xml'] as const, ['ABC_2.xml', 'ABC_1.xml'] as const]) {
      const files = { '_ABC.xml': common, [names[0]]: one, [names[1]]: other };
      const { journeys } = await importAll([{ files }], { register: REGISTER });
      assert.deepEqual(
        journeys.map(({ days }) => days),
        [[MONDAY, MONDAY + 2, MONDAY + 3]],
      );
    }
  });

  it('ignores the replacements of a cancelled journey', async () => {
    const { journeys } = await imported(
      {
        patterns: P,
        journeys:
          journey({ id: 'J', pattern: 'P', times, dayTypes: [] }) +
          journey({ id: 'R', pattern: 'P', times, dayTypes: [] }) +
          dated('J0', 'J', 0) +
          dated('R0', 'R', 0, `${alteration('cancellation')}<DatedServiceJourneyRef ref="J0"/>`),
      },
      { calendar: operatingDays },
    );
    assert.deepEqual(
      journeys.map(({ days }) => days),
      [[MONDAY], []],
    );
  });

  it('counts dated journeys without a day', async () => {
    const { rejected } = await imported({
      patterns: P,
      journeys: journey({ id: 'J', pattern: 'P', times }) + dated('X', 'J', 9),
    });
    assert.deepEqual(rejected, ['datedServiceJourney: its operating day is not known: X']);
  });
});
