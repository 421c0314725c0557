import assert from 'node:assert/strict';
import { commonFacts, composite, file } from '../support/sample-files.ts';
import { modelOf } from './collected-model.ts';

const stop = (pattern: string, order: number, point: string, inside = ''): string =>
  `<StopPointInJourneyPattern id="ABC:StopPointInJourneyPattern:${pattern}-${order}" version="1" order="${order}">` +
  `<ScheduledStopPointRef ref="ABC:ScheduledStopPoint:${point}"/>${inside}</StopPointInJourneyPattern>`;
const pattern = (id: string, stops: string, version = '1'): string =>
  `<JourneyPattern id="ABC:JourneyPattern:${id}" version="${version}"><RouteRef ref="ABC:Route:1"/>` +
  `<pointsInSequence>${stops}</pointsInSequence></JourneyPattern>`;
const time = (ref: string, inside: string): string =>
  `<TimetabledPassingTime><StopPointInJourneyPatternRef ref="ABC:StopPointInJourneyPattern:${ref}"/>${inside}</TimetabledPassingTime>`;
const journey = (id: string, patternRef: string, times: string, inside = ''): string =>
  `<ServiceJourney id="ABC:ServiceJourney:${id}" version="1">${inside}` +
  `<JourneyPatternRef ref="ABC:JourneyPattern:${patternRef}" version="1"/><passingTimes>${times}</passingTimes></ServiceJourney>`;
const network = (patterns: string): string =>
  `<ServiceFrame id="ABC:ServiceFrame:1"><routes><Route id="ABC:Route:1"><LineRef ref="ABC:Line:1"/></Route></routes>` +
  `<lines><Line id="ABC:Line:1"><Name>Ringen</Name><TransportMode>bus</TransportMode><TransportSubmode>` +
  `<BusSubmode>localBus</BusSubmode></TransportSubmode></Line><Line id="ABC:Line:2"/></lines>` +
  `<journeyPatterns>${patterns}</journeyPatterns></ServiceFrame>`;
const timetable = (journeys: string): string =>
  `<TimetableFrame id="ABC:TimetableFrame:1"><vehicleJourneys>${journeys}</vehicleJourneys></TimetableFrame>`;

describe('timetable model', () => {
  it('uses the day types of a journey, not those of a condition on it', () => {
    const dayTypes = (id: string): string => `<dayTypes><DayTypeRef ref="ABC:DayType:${id}"/></dayTypes>`;
    const condition = `<validityConditions><AvailabilityCondition id="x">${dayTypes('2')}</AvailabilityCondition></validityConditions>`;
    const { serviceJourneys } = modelOf(composite(timetable(journey('1', '1', '', condition + dayTypes('1')))));
    assert.deepEqual(serviceJourneys[0]?.dayTypeRefs, ['ABC:DayType:1']);
  });

  it('joins journeys to patterns and times to stops, in any order of frames, stops and times', () => {
    const times =
      time('1-3', '<ArrivalTime>08:20:00</ArrivalTime>') + time('1-1', '<DepartureTime>08:00:00</DepartureTime>');
    const stops = stop('1', 3, 'c') + stop('1', 1, 'a', '<ForAlighting>false</ForAlighting>') + stop('1', 2, 'b');
    const model = modelOf(
      composite(
        timetable(journey('1', '1', times + time('1-2', '<DepartureTime>08:10:30</DepartureTime>'))) +
          network(pattern('1', stops)),
      ),
    );
    const [first] = model.serviceJourneys;
    assert.equal(first?.pattern?.id, 'ABC:JourneyPattern:1');
    assert.deepEqual(
      first?.pattern?.stops.map(({ scheduledStopPointRef, forAlighting }) => [scheduledStopPointRef, forAlighting]),
      [
        ['ABC:ScheduledStopPoint:a', false],
        ['ABC:ScheduledStopPoint:b', undefined],
        ['ABC:ScheduledStopPoint:c', undefined],
      ],
    );
    const { stop: stopOf, departure, arrival } = model.passingTimes;
    assert.deepEqual([...stopOf.subarray(0, 3)], [0, 1, 2]);
    assert.deepEqual([...departure.subarray(0, 3)], [8 * 3600, 8 * 3600 + 630, -1]);
    assert.deepEqual([...arrival.subarray(0, 3)], [-1, -1, 8 * 3600 + 1200]);
    assert.equal(first && model.transportModeOf(first), 'bus');
    assert.equal(first && model.transportSubmodeOf(first), 'localBus');
    assert.equal(first?.pattern && model.findLineOfPattern(first.pattern)?.name, 'Ringen');
  });

  it('counts day offsets, also those before their time, and leaves malformed times absent', () => {
    const times =
      time('1-1', '<DepartureTime>23:59:00Z</DepartureTime>') +
      time('1-2', '<ArrivalDayOffset>1</ArrivalDayOffset><ArrivalTime>00:01:00.000</ArrivalTime>') +
      time(
        '1-3',
        '<ArrivalTime>soon</ArrivalTime><DepartureTime>99:99:99</DepartureTime><DepartureDayOffset>x</DepartureDayOffset>',
      ) +
      time(
        '1-4',
        '<LatestArrivalTime>24:00:00</LatestArrivalTime><EarliestDepartureTime>01:00:00+02:00</EarliestDepartureTime><EarliestDepartureDayOffset>1</EarliestDepartureDayOffset>',
      );
    const { passingTimes } = modelOf(composite(timetable(journey('1', '1', times))));
    assert.equal(passingTimes.size, 4);
    const { arrival, departure, latestArrival, earliestDeparture, stop: stopOf } = passingTimes;
    assert.deepEqual([...departure.subarray(0, 4)], [86_340, -1, -1, -1]);
    assert.deepEqual([...arrival.subarray(0, 4)], [-1, 86_460, -1, -1]);
    assert.equal(latestArrival[3], 86_400);
    assert.equal(earliestDeparture[3], 90_000);
    assert.deepEqual([...stopOf.subarray(0, 4)], [-1, -1, -1, -1]);
  });

  it('separates dead runs, and leaves out template journeys', () => {
    const times = time('1-1', '<DepartureTime>06:00:00</DepartureTime>');
    const model = modelOf(
      composite(
        network(pattern('1', stop('1', 1, 'a'))) +
          timetable(
            `<TemplateServiceJourney id="ABC:TemplateServiceJourney:1"><passingTimes>${times}</passingTimes></TemplateServiceJourney>` +
              `<DeadRun id="ABC:DeadRun:1"><JourneyPatternRef ref="ABC:JourneyPattern:1"/><passingTimes>${times}</passingTimes></DeadRun>` +
              journey('1', '1', times, '<dayTypes><DayTypeRef ref="ABC:DayType:1"/></dayTypes>'),
          ),
      ),
    );
    assert.equal(model.passingTimes.size, 1);
    assert.deepEqual(
      [...model.serviceJourneys, ...model.deadRuns].map(({ id, pattern: joined }) => [id, joined?.id]),
      [
        ['ABC:ServiceJourney:1', 'ABC:JourneyPattern:1'],
        ['ABC:DeadRun:1', 'ABC:JourneyPattern:1'],
      ],
    );
    assert.deepEqual(model.serviceJourneys[0]?.dayTypeRefs, ['ABC:DayType:1']);
  });

  it('distinguishes versions of a pattern, and stops of another pattern', () => {
    const twice = pattern('1', stop('1', 1, 'a'), '2') + pattern('1', stop('0', 9, 'z') + stop('1', 1, 'b'), '1');
    const times = time('1-1', '') + time('2-1', '');
    const model = modelOf(
      composite(network(twice + pattern('2', stop('2', 1, 'c'))) + timetable(journey('1', '1', times))),
    );
    const [first] = model.serviceJourneys;
    assert.equal(first?.pattern?.stops.length, 2);
    assert.deepEqual([...model.passingTimes.stop.subarray(0, 2)], [0, -1]);
  });

  it('searches the file first, then the common files', () => {
    const assignment = (point: string, quay: string): string =>
      `<PassengerStopAssignment id="ABC:PassengerStopAssignment:${point}"><ScheduledStopPointRef ref="ABC:ScheduledStopPoint:${point}"/>` +
      `<QuayRef ref="NSR:Quay:${quay}"/></PassengerStopAssignment>`;
    const frame = (content: string): string =>
      composite(`<ServiceFrame id="ABC:ServiceFrame:1">${content}</ServiceFrame>`);
    const common = file('_ABC.xml', frame(assignment('a', '1') + assignment('b', '2')));
    const model = modelOf(frame(assignment('a', '3')), { commonFacts: commonFacts(common) });
    assert.equal(model.findStopAssignment('ABC:ScheduledStopPoint:a')?.quayRef, 'NSR:Quay:3');
    assert.equal(model.findStopAssignment('ABC:ScheduledStopPoint:b')?.quayRef, 'NSR:Quay:2');
    assert.equal(model.findStopAssignment('ABC:ScheduledStopPoint:c'), undefined);
  });

  it('reads dated journeys and interchanges', () => {
    const model = modelOf(
      composite(
        timetable(
          '<DatedServiceJourney id="ABC:DatedServiceJourney:1"><ServiceAlteration>extraJourney</ServiceAlteration>' +
            '<ServiceJourneyRef ref="ABC:ServiceJourney:1"/><DatedServiceJourneyRef ref="ABC:DatedServiceJourney:2"/>' +
            '<OperatingDayRef ref="ABC:OperatingDay:1"/><replacedJourneys><DatedVehicleJourneyRef ref="ABC:DatedServiceJourney:3"/></replacedJourneys></DatedServiceJourney>' +
            '<ServiceJourneyInterchange id="ABC:ServiceJourneyInterchange:1">' +
            '<FromPointRef ref="a"/><ToPointRef ref="b"/><FromVisitNumber>2</FromVisitNumber>' +
            '<FromJourneyRef ref="c"/><ToJourneyRef ref="d"/></ServiceJourneyInterchange>',
        ),
      ),
    );
    const [dated] = model.datedServiceJourneys;
    assert.deepEqual(dated?.replacedRefs, ['ABC:DatedServiceJourney:2', 'ABC:DatedServiceJourney:3']);
    assert.equal(dated?.serviceJourneyRef, 'ABC:ServiceJourney:1');
    const { line: _line, column: _column, ...interchange } = model.interchanges[0] ?? assert.fail();
    assert.deepEqual(interchange, {
      id: 'ABC:ServiceJourneyInterchange:1',
      objectId: 'ABC:ServiceJourneyInterchange:1',
      fromPointRef: 'a',
      toPointRef: 'b',
      fromJourneyRef: 'c',
      toJourneyRef: 'd',
      fromVisitNumber: 2,
      toVisitNumber: undefined,
    });
  });

  it('gives the place of every element, also of one without an id', () => {
    const model = modelOf(composite('\n<x/><JourneyPattern>\n  <StopPointInJourneyPattern/></JourneyPattern>'));
    const [first] = model.journeyPatterns;
    assert.deepEqual([first?.line, first?.column, first?.id, first?.objectId], [2, 5, '', 'ABC:CompositeFrame:1']);
    assert.deepEqual([first?.stops[0]?.line, first?.stops[0]?.column], [3, 3]);
  });

  it('survives elements in unexpected places', () => {
    const odd =
      '<TimetabledPassingTime><ArrivalTime/><StopPointInJourneyPatternRef/></TimetabledPassingTime><DepartureTime>x</DepartureTime>' +
      '<StopPointInJourneyPattern order="first"><ForBoarding>maybe</ForBoarding></StopPointInJourneyPattern><ServiceLinkInJourneyPattern/>' +
      '<DayTypeAssignment><Date>never</Date></DayTypeAssignment><OperatingPeriod><FromDate/></OperatingPeriod><DayType/>' +
      '<ServiceLink><Distance>far</Distance></ServiceLink><PassengerStopAssignment/><DestinationDisplay><FrontText/></DestinationDisplay>' +
      '<DatedServiceJourney><DatedServiceJourneyRef/></DatedServiceJourney><ServiceJourneyInterchange><FromVisitNumber>first</FromVisitNumber></ServiceJourneyInterchange>' +
      '<ServiceJourney><JourneyPatternRef/><passingTimes><TimetabledPassingTime/></passingTimes></ServiceJourney>';
    const model = modelOf(composite(odd));
    assert.equal(model.passingTimes.size, 1);
    assert.equal(model.interchanges[0]?.fromVisitNumber, undefined);
  });
});
