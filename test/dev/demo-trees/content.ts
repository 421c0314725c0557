/** Counts what the demo region holds. Caller: demo-trees.test.ts. */
import assert from 'node:assert/strict';
import { type Tree, useDemoTrees } from '../../support/demo-dataset.ts';

/** Minimum number of each element in the region. */
const TIMETABLE: Readonly<Record<string, number>> = {
  Authority: 2,
  Operator: 5,
  Network: 2,
  GroupOfLines: 6,
  Line: 50,
  FlexibleLine: 1,
  Route: 150,
  JourneyPattern: 150,
  ServiceLink: 1500,
  'gml:LineString': 1500,
  ScheduledStopPoint: 1800,
  PassengerStopAssignment: 1800,
  DestinationDisplay: 90,
  Via: 20,
  DayType: 9,
  OperatingPeriod: 3,
  OperatingDay: 37,
  DayTypeAssignment: 12,
  ServiceJourney: 5000,
  TimetabledPassingTime: 130_000,
  DatedServiceJourney: 200,
  DepartureDayOffset: 1000,
  DeadRun: 500,
  Block: 400,
  TrainBlock: 10,
  ServiceJourneyInterchange: 100,
  Notice: 6,
  AlternativeText: 4,
  NoticeAssignment: 15,
  BookingArrangements: 2,
  FlexibleServiceProperties: 1,
  AccessibilityAssessment: 5000,
  Colour: 50,
};
const REGISTER: Readonly<Record<string, number>> = {
  StopPlace: 900,
  Quay: 1800,
  ParentSiteRef: 30,
  TopographicPlace: 13,
  GroupOfStopPlaces: 1,
  PathLink: 20,
  TransferDuration: 20,
  TariffZone: 13,
  FareZone: 13,
  AccessibilityAssessment: 900,
  RailSubmode: 15,
  TramSubmode: 20,
  WaterSubmode: 4,
};

function count(trees: Iterable<Tree>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const tree of trees) {
    for (const { name } of tree.everything()) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

export function describeContent(): void {
  describe('The demo region', () => {
    it('holds every kind of timetable data', async () => {
      const { shared, lines } = await useDemoTrees();
      const counts = count([shared, ...lines.values()]);
      for (const [name, least] of Object.entries(TIMETABLE)) {
        assert.ok((counts.get(name) ?? 0) >= least, `${counts.get(name) ?? 0} ${name}, expected ${least} or more`);
      }
    });

    it('holds every kind of stop register data', async () => {
      const counts = count([(await useDemoTrees()).stops]);
      for (const [name, least] of Object.entries(REGISTER)) {
        assert.ok((counts.get(name) ?? 0) >= least, `${counts.get(name) ?? 0} ${name}, expected ${least} or more`);
      }
    });

    it('has about forty bus lines, trams, trains, ferries and coaches', async () => {
      const modes = new Map<string, number>();
      for (const tree of (await useDemoTrees()).lines.values()) {
        for (const line of [...tree.all('Line'), ...tree.all('FlexibleLine')]) {
          const mode = line.at('TransportMode') ?? '';
          modes.set(mode, (modes.get(mode) ?? 0) + 1);
        }
      }
      assert.deepEqual(Object.fromEntries([...modes].sort()), { bus: 45, coach: 2, rail: 4, tram: 2, water: 3 });
    });

    it('has a line and a journey that are not public', async () => {
      const restricted: string[] = [];
      for (const tree of (await useDemoTrees()).lines.values()) {
        for (const one of tree.everything()) if (one.attributes.publication === 'restricted') restricted.push(one.name);
      }
      assert.deepEqual(restricted.sort(), ['Line', 'ServiceJourney']);
    });

    it('cancels, replaces and adds a train on a separate day', async () => {
      const trains = [...(await useDemoTrees()).lines.values()].flatMap((tree) => [...tree.all('DatedServiceJourney')]);
      const altered = (alteration: string): Tree[] =>
        trains.filter((train) => train.at('ServiceAlteration') === alteration);
      assert.equal(altered('cancellation').length, 1);
      assert.equal(altered('extraJourney').length, 1);
      const replacing = trains.filter((train) => train.child('DatedServiceJourneyRef'));
      assert.deepEqual(
        replacing.map((train) => train.ref('DatedServiceJourneyRef')),
        altered('replaced').map((train) => train.id),
      );
    });

    it('runs around the clock at the central station, several calls a minute at its busiest', async () => {
      const perHour = new Array<number>(24).fill(0);
      const { lines, shared } = await useDemoTrees();
      const central = [...shared.all('ScheduledStopPoint')].filter((stop) => stop.at('Name')?.startsWith('Nordhamn b'));
      const points = new Set(central.map((stop) => stop.id));
      for (const tree of lines.values()) {
        const calls = new Map<string, number>();
        for (const stop of tree.all('StopPointInJourneyPattern')) {
          if (points.has(stop.ref('ScheduledStopPointRef') ?? '')) calls.set(stop.id, 1);
        }
        for (const journey of tree.all('ServiceJourney')) {
          const day = journey.child('dayTypes')?.ref('DayTypeRef') ?? '';
          if (!/:(Weekday|Daily)$/.test(day)) continue;
          for (const time of journey.all('TimetabledPassingTime')) {
            if (!calls.has(time.ref('StopPointInJourneyPatternRef') ?? '')) continue;
            const hour = Number((time.at('DepartureTime') ?? time.at('ArrivalTime') ?? '').slice(0, 2));
            perHour[hour] = (perHour[hour] ?? 0) + 1;
          }
        }
      }
      assert.ok(Math.min(...perHour) >= 1, `calls per hour: ${perHour}`);
      assert.ok(Math.max(...perHour) >= 60, `calls per hour: ${perHour}`);
    });
  });
}
