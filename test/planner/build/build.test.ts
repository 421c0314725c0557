import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { BuildReport, ServiceJourneyInput } from '../../../planner/build/input.ts';
import { createTimetableBuilder, openTimetable, type TimetableBuilder } from '../../../planner/index.ts';
import type { ServiceDay, StopIndex } from '../../../planner/model/indices.ts';
import { createNetwork, serviceDay, serviceDays } from '../support/network.ts';

const DAYS = serviceDays('2026-11-23', '2026-11-29');

/** Each part is a step, so that tests can leave one out or change the order. */
function steps(change: Partial<ServiceJourneyInput> = {}): ((builder: TimetableBuilder) => void)[] {
  const stop = (quayId: string) => ({ quayId, forBoarding: true, forAlighting: true });
  return [
    (to) => to.addAuthority({ id: 'T:Authority:1', name: 'Ruter', timeZone: 'Europe/Oslo' }),
    (to) => to.addOperator({ id: 'T:Operator:1', name: 'Nobina' }),
    (to) => to.addStopPlace({ id: 'T:StopPlace:1', name: 'Sentrum', modes: ['bus'], submodes: [] }),
    (to) => to.addQuay({ id: 'T:Quay:1', latitude: 59.9, longitude: 10.7, stopPlaceId: 'T:StopPlace:1' }),
    (to) => to.addQuay({ id: 'T:Quay:2', name: 'Nord', latitude: 59.95, longitude: 10.7 }),
    (to) => to.addLine({ id: 'T:Line:1', mode: 'bus', authorityId: 'T:Authority:1', operatorId: 'T:Operator:1' }),
    (to) => to.addJourneyPattern({ id: 'T:JP:1', lineId: 'T:Line:1', stops: [stop('T:Quay:1'), stop('T:Quay:2')] }),
    (to) =>
      to.addServiceJourney({
        id: 'T:SJ:1',
        patternId: 'T:JP:1',
        arrivals: [100, 200],
        departures: [100, 200],
        days: DAYS,
        ...change,
      }),
    (to) =>
      to.addServiceJourney({ id: 'T:SJ:2', patternId: 'T:JP:1', arrivals: [9, 9], departures: [9, 9], days: DAYS }),
    (to) => to.addDatedServiceJourney({ id: 'T:DSJ:1', journeyId: 'T:SJ:2', day: serviceDay('2026-11-23') }),
    (to) => to.addTransfer({ fromId: 'T:Quay:1', toId: 'T:Quay:1', minimumSeconds: 60 }),
  ];
}

function report(adds: readonly ((builder: TimetableBuilder) => void)[]): BuildReport {
  const builder = createTimetableBuilder();
  for (const add of adds) add(builder);
  return builder.finish({ builtAt: 0 }).report;
}

const reasons = (adds: readonly ((builder: TimetableBuilder) => void)[]): string[] =>
  report(adds).rejected.map(({ kind, reason, count }) => `${kind}: ${reason} ${count}`);

describe('timetable builder', () => {
  it('makes the same bytes from the same input in any order', () => {
    const bytesOf = (adds: readonly ((builder: TimetableBuilder) => void)[]): Uint8Array => {
      const builder = createTimetableBuilder();
      for (const add of adds) add(builder);
      return builder.finish({ builtAt: 7 }).bytes;
    };
    const bytes = bytesOf(steps());
    assert.deepEqual(bytesOf(steps()), bytes);
    assert.deepEqual(bytesOf(steps().reverse()), bytes);
    assert.notDeepEqual(bytesOf(steps({ publicCode: '7' })), bytes);
  });

  it('accepts a whole small network without a rejection', () => {
    const { counts, rejected } = report(steps());
    assert.deepEqual(rejected, []);
    assert.equal(counts.quays, 2);
    assert.equal(counts.serviceJourneys, 2);
    assert.equal(counts.trips, 2);
    assert.equal(counts.datedServiceJourneys, 1);
  });

  it('leaves out elements that depend on missing ones, and reports why', () => {
    const without = (...missing: number[]) => steps().filter((_, index) => !missing.includes(index));
    const below = ['datedServiceJourney: unknown service journey 1'];
    const journeys = ['serviceJourney: unknown journey pattern 2'];
    assert.deepEqual(reasons(without(0)), [
      ...below,
      'journeyPattern: unknown line 1',
      'line: unknown authority 1',
      ...journeys,
    ]);
    assert.deepEqual(reasons(without(1)), ['line: unknown operator 1', 'serviceJourney: unknown operator 2']);
    assert.deepEqual(reasons(without(2)), ['quay: unknown stopPlace 1']);
    assert.deepEqual(reasons(without(4)), [...below, 'journeyPattern: unknown quay 1', ...journeys]);
    assert.deepEqual(reasons(without(6)), [...below, ...journeys]);
    assert.deepEqual(reasons(without(8)), below);
    assert.deepEqual(reasons([...steps(), (to) => to.reject('file', 'not read', 'a.xml')]), ['file: not read 1']);
    assert.deepEqual(
      reasons([...steps(), (to) => to.addTransfer({ fromId: 'T:Quay:1', toId: 'T:Quay:9', minimumSeconds: 1 })]),
      ['transfer: unknown quay or stop place 1'],
    );
  });

  it('leaves out journeys with impossible times or days', () => {
    for (const [change, reason] of [
      [{ arrivals: [100], departures: [100] }, 'times do not fit its journey pattern'],
      [{ arrivals: [100, 90] }, 'times missing or not ascending'],
      [{ departures: [100, 150] }, 'times missing or not ascending'],
      [{ departures: [100] }, 'times missing or not ascending'],
      [{ arrivals: [100, Number.NaN] }, 'times missing or not ascending'],
      [{ days: [] }, 'no service day'],
      [{ startOffsets: [] }, 'no departure'],
      [{ startOffsets: [-200] }, 'times before its service day'],
      [{ startOffsets: [1e8] }, 'times many days after its service day'],
    ] as const) {
      assert.deepEqual(reasons(steps(change)), [`serviceJourney: ${reason} 1`]);
    }
  });

  it('keeps a journey with all days cancelled for its dated journeys, without letting it run', () => {
    const day = serviceDay('2026-11-24');
    const builder = createTimetableBuilder();
    for (const add of steps({ days: [] })) add(builder);
    builder.addDatedServiceJourney({ id: 'T:DSJ:2', journeyId: 'T:SJ:1', day, alteration: 'cancellation' });
    const { bytes, report } = builder.finish({ builtAt: 0 });
    assert.deepEqual(report.rejected, []);
    const { catalogue, transit, boards } = openTimetable(bytes.buffer as ArrayBuffer);
    const journey = catalogue.serviceJourneys.find('T:SJ:1');
    assert.equal(catalogue.datedServiceJourneys.find('T:DSJ:2')?.journey, journey?.index);
    assert.deepEqual(
      transit.tripsOfJourney(journey?.index ?? (-1 as never)).map((trip) => transit.activeDays(trip)),
      [[]],
    );
    const calls = boards.calls({
      stops: [0 as StopIndex],
      from: day * 86_400 - 7_200,
      rangeSeconds: 86_400,
      maximumCalls: 9,
      kind: 'departures',
      maximumPerLineAndDestination: undefined,
      accepts: undefined,
    });
    assert.equal(calls.length, 1, 'the other journey alone');
    // The day lies outside the requested period, so no journey has it.
    const later = createTimetableBuilder();
    for (const add of steps({ days: [] })) add(later);
    later.addDatedServiceJourney({ id: 'T:DSJ:2', journeyId: 'T:SJ:1', day, alteration: 'cancellation' });
    const narrow = later.finish({ builtAt: 0, fromDay: serviceDay('2026-11-25') }).report;
    assert.deepEqual(
      narrow.rejected.map(({ kind, reason }) => `${kind}: ${reason}`),
      ['serviceJourney: no service day'],
    );
  });

  it('leaves out unused patterns, such as those of dead runs, without a rejection', () => {
    const builder = createTimetableBuilder();
    for (const add of steps()) add(builder);
    const stop = (quayId: string) => ({ quayId, forBoarding: true, forAlighting: true });
    builder.addQuay({ id: 'T:Quay:Depot', latitude: 59.8, longitude: 10.7 });
    builder.addQuay({ id: 'T:Quay:Old', latitude: 59.7, longitude: 10.7 });
    const patternOf = (id: string, quay: string) => ({ id, lineId: 'T:Line:1', stops: [stop(quay), stop('T:Quay:1')] });
    builder.addJourneyPattern(patternOf('T:JP:0', 'T:Quay:Depot'));
    builder.addJourneyPattern(patternOf('T:JP:2', 'T:Quay:Old'));
    builder.addJourneyPattern(patternOf('T:JP:3', 'T:Quay:2'));
    const journey = { arrivals: [100, 200], departures: [100, 200], days: [] };
    builder.addServiceJourney({ id: 'T:SJ:NoDay', patternId: 'T:JP:2', ...journey });
    builder.addServiceJourney({ id: 'T:SJ:Cancelled', patternId: 'T:JP:3', ...journey });
    const dated = { id: 'T:DSJ:2', journeyId: 'T:SJ:Cancelled', day: serviceDay('2026-11-24') };
    builder.addDatedServiceJourney({ ...dated, alteration: 'cancellation' });
    const { bytes, report } = builder.finish({ builtAt: 0 });
    assert.deepEqual(
      report.rejected.map(({ kind, reason }) => `${kind}: ${reason}`),
      ['serviceJourney: no service day'],
    );
    const { catalogue } = openTimetable(bytes.buffer as ArrayBuffer);
    const line = catalogue.lines.find('T:Line:1');
    assert.deepEqual(
      catalogue.patternsOfLine(line?.index ?? (-1 as never)).map((pattern) => catalogue.journeyPatterns.at(pattern).id),
      ['T:JP:1', 'T:JP:3'],
    );
    assert.equal(report.counts.journeyPatterns, 2);
    const depot = catalogue.quays.find('T:Quay:Depot');
    assert.deepEqual(catalogue.patternsOfStop(depot?.index ?? (-1 as never)), []);
  });

  it('leaves out frequencies that would fill the memory, one alone or many together', () => {
    const everySecond = Array.from({ length: 86_400 }, (_, at) => at);
    assert.deepEqual(reasons(steps({ startOffsets: everySecond })), []);
    const stops = Array.from({ length: 5 }, () => 100);
    const long = steps({ arrivals: stops, departures: stops, startOffsets: everySecond });
    assert.deepEqual(reasons(long), ['serviceJourney: more departures than can be 1']);
    const builder = createTimetableBuilder();
    for (const add of steps()) add(builder);
    for (let at = 0; at < 300; at++) {
      const times = { arrivals: [1, 2], departures: [1, 2], startOffsets: everySecond };
      builder.addServiceJourney({ ...times, id: `many-${at}`, patternId: 'nothing of ours', days: DAYS });
    }
    const { rejected } = builder.finish({ builtAt: 0 }).report;
    assert.deepEqual(
      rejected.map(({ reason, count }) => [reason, count]),
      [
        ['more departures than can be', 11],
        ['unknown journey pattern', 289],
      ],
    );
  });

  it('names the zone of most authorities first, which applies to times without an authority', () => {
    const builder = createTimetableBuilder();
    for (const add of steps()) add(builder);
    builder.addAuthority({ id: 'T:Authority:2', name: 'HSL', timeZone: 'Europe/Helsinki' });
    builder.addAuthority({ id: 'T:Authority:3', name: 'AtB', timeZone: 'Europe/Oslo' });
    builder.addLine({ id: 'T:Line:2', mode: 'bus', authorityId: 'T:Authority:2' });
    const { transit } = openTimetable(builder.finish({ builtAt: 0 }).bytes.buffer as ArrayBuffer);
    assert.deepEqual(transit.zones, ['Europe/Oslo', 'Europe/Helsinki']);
  });

  it('uses the first of a repeated id and reports the others', () => {
    const again = [...steps(), (to: TimetableBuilder) => to.addOperator({ id: 'T:Operator:1', name: 'Other' })];
    assert.deepEqual(reasons(again), ['operator: repeated id 1']);
    const builder = createTimetableBuilder();
    for (const add of again) add(builder);
    const { catalogue } = openTimetable(builder.finish({ builtAt: 0 }).bytes.buffer as ArrayBuffer);
    assert.equal(catalogue.operators.find('T:Operator:1')?.name, 'Nobina');
  });

  it('reports at most twenty examples of a reason', () => {
    const lines = Array.from({ length: 30 }, (_, index) => (to: TimetableBuilder) => {
      to.addLine({ id: `T:Line:x${index}`, mode: 'bus', authorityId: 'nobody' });
    });
    const [rejected] = report([...steps(), ...lines]).rejected;
    assert.equal(rejected?.count, 30);
    assert.equal(rejected?.examples.length, 20);
    assert.equal(rejected?.examples[0], 'T:Line:x0');
  });

  it('keeps the report small for any ids, and refuses ids that are too long', () => {
    const long = `T:Line:${'x'.repeat(5_000)}`;
    const line = (id: string, authorityId: string) => (to: TimetableBuilder) =>
      to.addLine({ id, mode: 'bus', authorityId });
    const zones = Array.from({ length: 30 }, (_, at) => (to: TimetableBuilder) => {
      to.addAuthority({ id: `T:Authority:z${at}`, name: 'x', timeZone: `Nowhere/${at}` });
    });
    const { rejected } = report([...steps(), line(long, 'nobody'), line(`${long}y`, 'T:Authority:1'), ...zones]);
    assert.deepEqual(
      rejected.map(({ kind, reason, count }) => `${kind}: ${reason} ${count}`),
      ['authority: unknown time zone 30', 'line: id too long 2'],
    );
    assert.ok(rejected[1]?.examples.every((example) => example.length < 250));
    assert.equal(rejected[0]?.examples[0], 'T:Authority:z0 Nowhere/0');
  });

  it('limits the dated journeys of a journey to its possible days', () => {
    const day = serviceDay('2026-11-24');
    const many = Array.from({ length: 10_000 }, (_, at) => (to: TimetableBuilder) => {
      to.addDatedServiceJourney({ id: `T:DSJ:x${at}`, journeyId: 'T:SJ:1', day });
    });
    const { counts, rejected } = report([...steps(), ...many]);
    assert.deepEqual(
      rejected.map(({ kind, reason, count }) => `${kind}: ${reason} ${count}`),
      ['datedServiceJourney: more than its journey can have 2000'],
    );
    assert.equal(counts.datedServiceJourneys, 8_001);
  });

  it('drops days outside the requested period, and journeys without days', () => {
    const network = createNetwork({
      snapshot: { fromDay: serviceDay('2026-11-24'), toDay: serviceDay('2026-11-25') },
    });
    network.stops('A 59.9 10.7', 'B 59.91 10.7');
    network.line('1', ['A 08:00 - B 08:10']).line('2', ['A 09:00 - B 09:10'], { days: ['2026-11-28'] });
    const { transit, catalogue } = network.open();
    assert.equal(transit.firstDay, serviceDay('2026-11-24'));
    assert.equal(transit.dayCount, 2);
    assert.deepEqual(transit.activeDays(network.trip('1-1')), serviceDays('2026-11-24', '2026-11-25'));
    assert.equal(catalogue.serviceJourneys.count, 1);
  });

  it('accepts days that are unsorted or repeated, and an array that is reused for other days', () => {
    const network = createNetwork().stops('A 59.9 10.7', 'B 59.91 10.7');
    const days = [serviceDay('2026-11-25'), serviceDay('2026-11-23'), serviceDay('2026-11-23')];
    network.line('1', ['A 08:00 - B 08:10'], { journey: { days } });
    days.splice(0, 3, serviceDay('2026-11-26'), serviceDay('2026-11-27'), serviceDay('2026-11-28'));
    network.line('2', ['A 08:00 - B 08:10'], { journey: { days } });
    const { transit } = network.open();
    assert.deepEqual(transit.activeDays(network.trip('1-1')), [serviceDay('2026-11-23'), serviceDay('2026-11-25')]);
    assert.deepEqual(transit.activeDays(network.trip('2-1')), serviceDays('2026-11-26', '2026-11-28'));
  });

  it('does not grow with absurd days, nor with patterns that no journey can serve', () => {
    const day = (date: string): ServiceDay => serviceDay(date);
    const network = createNetwork().stops('A 59.9 10.7', 'B 59.91 10.7').line('1', ['A 08:00 - B 08:10']);
    network.line('2', ['A 08:00 - B 08:10'], { days: ['2026-11-24', '9999-12-31'] });
    network.line('3', ['A 08:00 - B 08:10'], { days: ['1970-01-01'] });
    network.line('4', [Array.from({ length: 2001 }, (_, stop) => `${stop % 2 ? 'A' : 'B'} 08:00`).join(' - ')]);
    const { transit } = network.open();
    assert.ok(transit.dayCount < 4100);
    assert.deepEqual(transit.activeDays(network.trip('2-1')), [day('2026-11-24')]);
    assert.deepEqual(
      network.build().report.rejected.map(({ kind, reason, examples }) => [kind, reason, examples[0]]),
      [
        ['journeyPattern', 'more than 2000 stops', 'TST:JourneyPattern:4-1'],
        ['serviceDay', 'years from all other', '1970-01-01'],
        ['serviceJourney', 'no service day', 'TST:ServiceJourney:3-1'],
        ['serviceJourney', 'unknown journey pattern', 'TST:ServiceJourney:4-1'],
      ],
    );
  });

  it('refuses transfers with impossible lengths and times', () => {
    for (const [minimumSeconds, metres] of [
      [-1, 0],
      [Number.NaN, 0],
      [0, -1],
      [0, Number.NaN],
      [1e9, 0],
    ] as const) {
      const add = (to: TimetableBuilder): void =>
        to.addTransfer({ fromId: 'T:Quay:1', toId: 'T:Quay:2', minimumSeconds, metres });
      assert.deepEqual(reasons([...steps(), add]), ['transfer: length or time that cannot be 1']);
    }
  });

  it('expands a transfer to the quays of two places, up to a limit of pairs', () => {
    const adds = (quays: number) => [
      ...steps(),
      ...Array.from({ length: quays }, (_, at) => (to: TimetableBuilder) => {
        to.addQuay({ id: `T:Quay:x${at}`, latitude: 59.9, longitude: 10.7, stopPlaceId: 'T:StopPlace:1' });
      }),
      (to: TimetableBuilder) => to.addTransfer({ fromId: 'T:StopPlace:1', toId: 'T:StopPlace:1', minimumSeconds: 60 }),
    ];
    assert.deepEqual(reasons(adds(200)), []);
    assert.deepEqual(reasons(adds(2_500)), ['transfer: between too many quays 1']);
  });

  it('makes only one snapshot', () => {
    const builder = createTimetableBuilder();
    builder.finish({ builtAt: 0 });
    assert.throws(() => builder.finish({ builtAt: 0 }), /one snapshot/);
  });

  it('makes an empty snapshot from no input', () => {
    const { bytes, report: empty } = createTimetableBuilder().finish({ builtAt: 3 });
    const timetable = openTimetable(bytes.buffer as ArrayBuffer);
    assert.equal(timetable.builtAt, 3);
    assert.equal(timetable.catalogue.lines.count, 0);
    assert.equal(timetable.transit.dayCount, 0);
    assert.deepEqual(empty.rejected, []);
    assert.equal(timetable.catalogue.datedJourneysOn(0 as ServiceDay).length, 0);
  });
});
