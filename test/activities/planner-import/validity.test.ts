/** The validity of a journey, its frames and its line must bound the days of the journey. */
import assert from 'node:assert/strict';
import { dayText } from '../../../netex/model/calendar-day.ts';
import { delivery, importAll } from './recorded-import.ts';
import { commonFile, journey, LINE, line, MONDAY, pattern, REGISTER, WEEK } from './small-network.ts';

const FRIDAY = MONDAY + 4;
const day = (offset: number): string => `${dayText(MONDAY + offset)}T00:00:00`;
const period = (from: number, to: number): string =>
  `<ValidBetween><FromDate>${day(from)}</FromDate><ToDate>${day(to)}</ToDate></ValidBetween>`;
const between = (...periods: [number, number][]): string =>
  `<validityConditions>${periods.map(([from, to]) => period(from, to)).join('')}</validityConditions>`;
const DATED = `<DatedServiceJourney id="D0" version="1"><ServiceJourneyRef ref="D"/><OperatingDayRef ref="O0"/></DatedServiceJourney>
  <DatedServiceJourney id="D4" version="1"><ServiceJourneyRef ref="D"/><OperatingDayRef ref="O4"/></DatedServiceJourney>`;
const OPERATING_DAYS = [0, 4]
  .map(
    (at) => `<OperatingDay id="O${at}" version="1"><CalendarDate>${dayText(MONDAY + at)}</CalendarDate></OperatingDay>`,
  )
  .join('');

interface ValidityXml {
  readonly timetable?: string;
  readonly service?: string;
  readonly lines?: string;
  readonly journeyMore?: string;
}

/** The days of two journeys: one runs on the weekdays of a week, one on its Monday and Friday by dated journeys. */
async function daysOf({ timetable = '', service = '', lines = LINE, journeyMore = '' }: ValidityXml) {
  const journeys =
    journey({ id: 'J', pattern: 'P', times: ['08:00', '08:10'], more: journeyMore }) +
    journey({ id: 'D', pattern: 'P', times: ['09:00', '09:10'], dayTypes: [] });
  const file = delivery(
    `<ServiceFrame id="LF" version="1">${service}<lines>${lines}</lines><journeyPatterns>${pattern({ id: 'P', stops: ['a', 'b'] })}</journeyPatterns></ServiceFrame>` +
      `<TimetableFrame id="TF" version="1">${timetable}<vehicleJourneys>${journeys}${DATED}</vehicleJourneys></TimetableFrame>`,
  );
  const common = commonFile({ calendar: `<operatingDays>${OPERATING_DAYS}</operatingDays>` });
  const found = await importAll([{ files: { '_ABC_shared_data.xml': common, 'ABC_line.xml': file } }], {
    register: REGISTER,
  });
  assert.deepEqual(found.rejected, []);
  const of = (id: string) => found.journeys.find((each) => each.id === id)?.days.map((each) => each - MONDAY);
  return { days: of('J'), datedDays: of('D'), dated: found.dated.map(({ id }) => id), report: found.report };
}

describe('import of validity', () => {
  it('keeps all days when no validity is given or all days are valid', async () => {
    for (const network of [{}, { timetable: between([0, 4]) }, { lines: line('L', between([-100, 100])) }]) {
      const { days, datedDays, dated } = await daysOf(network);
      assert.deepEqual([days?.length, datedDays, dated], [WEEK.length, [0, FRIDAY - MONDAY], ['D0', 'D4']]);
    }
  });

  it('leaves out days when the frame of the journeys is not in force, their dated journeys too', async () => {
    const { days, datedDays, dated } = await daysOf({ timetable: between([1, 4]) });
    assert.deepEqual([days, datedDays, dated], [[1, 2, 3, 4], [4], ['D4']]);
  });

  it('leaves out days when the line is not in force, by its own validity or that of its frame', async () => {
    const own = await daysOf({ lines: line('L', between([2, 3])) });
    assert.deepEqual(own.days, [2, 3]);
    const framed = await daysOf({ service: between([2, 3]) });
    assert.deepEqual(framed.days, [2, 3]);
  });

  it('leaves out days between two periods', async () => {
    const { days, datedDays } = await daysOf({ timetable: between([0, 1], [3, 10]) });
    assert.deepEqual(
      [days, datedDays],
      [
        [0, 1, 3, 4],
        [0, 4],
      ],
    );
    const own = await daysOf({ timetable: between([0, 1]), journeyMore: between([0, 0], [4, 4]) });
    assert.deepEqual(own.days, [0, 4]);
  });

  it('prefers the validity of a journey to that of its frame', async () => {
    const { days } = await daysOf({ timetable: between([1, 2]), journeyMore: between([3, 4]) });
    assert.deepEqual(days, [3, 4]);
  });

  it('counts a journey that is never in force as a journey without days', async () => {
    const { days, datedDays, report } = await daysOf({ timetable: between([50, 60]) });
    assert.deepEqual([days, datedDays], [undefined, undefined]);
    assert.equal(report.datasets[0]?.counts.serviceJourneysWithoutDay, 2);
  });
});
