import assert from 'node:assert/strict';
import { openTown } from './network.ts';
import { type PlannerProcess, startPlanner } from './planner-process.ts';

const JOURNEY = 'TST:ServiceJourney:1-8';

describe('GraphQL: journeys', () => {
  let town: PlannerProcess;
  before(async () => {
    town = await startPlanner(openTown());
  });
  after(() => town.close());

  it('returns a journey with its calls on a day', async () => {
    const { serviceJourney } = await town.data(
      'v3',
      `query ($id: String!, $date: Date) { serviceJourney(id: $id) { id publicCode privateCode transportMode activeDates directionType wheelchairAccessible line { id } journeyPattern { id } operator { id } notices { id } quays { id } first: quays(first: 1) { id } last: quays(last: 1) { id } pointsOnLink { length points distance }
        estimatedCalls(date: $date) { aimedArrivalTime expectedDepartureTime actualDepartureTime date realtime realtimeState predictionInaccurate occupancyStatus cancellation forBoarding forAlighting requestStop quay { id } destinationDisplay { frontText via } notices { id } stopPositionInPattern datedServiceJourney { id } situations { id } } } }`,
      { id: JOURNEY, date: '2026-11-23' },
    );
    assert.deepEqual(serviceJourney.activeDates, [
      '2026-11-23',
      '2026-11-24',
      '2026-11-25',
      '2026-11-26',
      '2026-11-27',
    ]);
    assert.deepEqual(
      [serviceJourney.publicCode, serviceJourney.privateCode, serviceJourney.directionType],
      ['J8', 'P8', 'outbound'],
    );
    assert.deepEqual([serviceJourney.first, serviceJourney.last], [[{ id: 'NSR:Quay:11' }], [{ id: 'NSR:Quay:30' }]]);
    assert.equal(serviceJourney.pointsOnLink.length, 3);
    assert.deepEqual(serviceJourney.estimatedCalls[1], {
      aimedArrivalTime: '2026-11-23T08:10:00+01:00',
      expectedDepartureTime: '2026-11-23T08:10:00+01:00',
      actualDepartureTime: null,
      date: '2026-11-23',
      realtime: false,
      realtimeState: 'scheduled',
      predictionInaccurate: false,
      occupancyStatus: 'noData',
      cancellation: false,
      forBoarding: true,
      forAlighting: true,
      requestStop: true,
      quay: { id: 'NSR:Quay:20' },
      destinationDisplay: { frontText: 'School', via: ['Market'] },
      notices: [{ id: 'TST:Notice:1' }, { id: 'TST:Notice:2' }],
      stopPositionInPattern: 1,
      datedServiceJourney: { id: 'TST:DatedServiceJourney:8' },
      situations: [],
    });
  });

  it('uses the last stop as missing destination', async () => {
    const { serviceJourney } = await town.data(
      'v2',
      '{ serviceJourney(id: "TST:ServiceJourney:2") { estimatedCalls { destinationDisplay { frontText } occupancyStatus aimedDeparture { time dayOffset } } } }',
    );
    assert.equal(serviceJourney.estimatedCalls[0].destinationDisplay.frontText, 'Harbour buses');
    assert.equal(serviceJourney.estimatedCalls[0].occupancyStatus, 'unknown');
  });

  it('uses today by default, and returns nothing on days without the journey', async () => {
    const query = (args: string) => `{ serviceJourney(id: "${JOURNEY}") { estimatedCalls${args} { date } } }`;
    assert.equal((await town.data('v3', query(''))).serviceJourney.estimatedCalls[0].date, '2026-11-23');
    assert.deepEqual((await town.data('v3', query('(date: "2026-11-29")'))).serviceJourney.estimatedCalls, []);
  });

  it('shows times after midnight with their day', async () => {
    const { serviceJourney } = await town.data(
      'v3',
      '{ serviceJourney(id: "TST:ServiceJourney:1-25") { passingTimes { departure { time dayOffset } quay { id } } estimatedCalls { date aimedDepartureTime } } }',
    );
    assert.deepEqual(serviceJourney.passingTimes[0], {
      departure: { time: '01:00:00', dayOffset: 1 },
      quay: { id: 'NSR:Quay:11' },
    });
    assert.deepEqual(serviceJourney.estimatedCalls[0], {
      date: '2026-11-23',
      aimedDepartureTime: '2026-11-24T01:00:00+01:00',
    });
  });

  it('returns the other calls of a journey', async () => {
    const { serviceJourney } = await town.data(
      'v3',
      `{ serviceJourney(id: "${JOURNEY}") { estimatedCalls { serviceJourneyEstimatedCalls { first { quay { id } } last { quay { id } } next { quay { id } } nextOne: next(count: 1) { quay { id } } previous(count: 1) { quay { id } } } } } }`,
    );
    const seen = serviceJourney.estimatedCalls[1].serviceJourneyEstimatedCalls;
    assert.deepEqual(
      [seen.first, seen.last, seen.nextOne, seen.previous],
      [
        { quay: { id: 'NSR:Quay:11' } },
        { quay: { id: 'NSR:Quay:30' } },
        [{ quay: { id: 'NSR:Quay:30' } }],
        [{ quay: { id: 'NSR:Quay:11' } }],
      ],
    );
    assert.deepEqual(serviceJourney.estimatedCalls[2].serviceJourneyEstimatedCalls.next, []);
  });

  it('returns dated journeys and their replacements', async () => {
    const data = await town.data(
      'v3',
      '{ datedServiceJourney(id: "TST:DatedServiceJourney:9x") { id operatingDay tripAlteration serviceJourney { id } replacementForRelation { datedServiceJourney { id replacedByRelation { datedServiceJourney { id } } } } estimatedCalls { cancellation } } cancelled: datedServiceJourney(id: "TST:DatedServiceJourney:9") { tripAlteration estimatedCalls { cancellation realtimeState } } all: datedServiceJourneys(operatingDays: ["2026-11-23"]) { id } replaced: datedServiceJourneys(operatingDays: ["2026-11-23"], alterations: [replaced]) { id } none: datedServiceJourneys(operatingDays: ["2026-11-24"]) { id } of: datedServiceJourneys(operatingDays: ["2026-11-23"], replacementFor: ["TST:DatedServiceJourney:9"], lines: ["TST:Line:2"]) { id } }',
    );
    assert.deepEqual(data.datedServiceJourney, {
      id: 'TST:DatedServiceJourney:9x',
      operatingDay: '2026-11-23',
      tripAlteration: 'extraJourney',
      serviceJourney: { id: 'TST:ServiceJourney:2b' },
      replacementForRelation: [
        {
          datedServiceJourney: {
            id: 'TST:DatedServiceJourney:9',
            replacedByRelation: [{ datedServiceJourney: { id: 'TST:DatedServiceJourney:9x' } }],
          },
        },
      ],
      estimatedCalls: [{ cancellation: false }, { cancellation: false }],
    });
    assert.deepEqual(data.cancelled.estimatedCalls[0], { cancellation: true, realtimeState: 'canceled' });
    assert.deepEqual(
      [data.all.length, data.replaced, data.none, data.of],
      [3, [{ id: 'TST:DatedServiceJourney:9' }], [], [{ id: 'TST:DatedServiceJourney:9x' }]],
    );
    const older = await town.data(
      'v2',
      '{ datedServiceJourneys { id operatingDay serviceAlteration replacementFor { id } } }',
    );
    assert.equal(older.datedServiceJourneys.length, 3);
  });

  it('filters journeys by line, private code and day', async () => {
    const data = await town.data(
      'v3',
      '{ line: serviceJourneys(lines: ["TST:Line:3"]) { id } code: serviceJourneys(privateCodes: ["P9"]) { id } day: serviceJourneys(lines: ["TST:Line:1"], activeDates: ["2026-11-23"]) { id } authority: serviceJourneys(authorities: ["TST:Authority:2"]) { id } }',
    );
    assert.deepEqual(data.line, [{ id: 'TST:ServiceJourney:3' }]);
    assert.deepEqual(data.code, [{ id: 'TST:ServiceJourney:1-9' }]);
    assert.equal(data.day.length, 3);
    assert.deepEqual(data.authority, [{ id: 'TST:ServiceJourney:3' }]);
  });

  it('returns a pattern with journeys of a day and polylines', async () => {
    const { line } = await town.data(
      'v3',
      '{ line(id: "TST:Line:1") { journeyPatterns { quays { id } notices { id } serviceJourneys { id } today: serviceJourneysForDate { id } other: serviceJourneysForDate(date: "2026-11-24") { id } stopToStopGeometries { fromQuay { id } toQuay { id } pointsOnLink { length } } } } }',
    );
    const [pattern] = line.journeyPatterns;
    assert.deepEqual([pattern.serviceJourneys.length, pattern.today.length, pattern.other.length], [4, 3, 4]);
    assert.deepEqual(pattern.stopToStopGeometries[1], {
      fromQuay: { id: 'NSR:Quay:20' },
      toQuay: { id: 'NSR:Quay:30' },
      pointsOnLink: { length: 2 },
    });
    assert.deepEqual(pattern.notices, [{ id: 'TST:Notice:2' }]);
  });
});
