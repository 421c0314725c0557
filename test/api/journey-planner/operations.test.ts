/**
 * Runs the queries of real clients in their dialect over the demo region. Each must validate and return a plausible
 * answer. The queries are outside the project (SHARED_DIR).
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { assertSameAnswers } from './both-executors.ts';
import { SEVEN_TEXT, useDemoPlanner } from './demo-planner.ts';

const folder = resolve(process.env.SHARED_DIR ?? '../shared', 'journey-planner/queries');

const HUB = 'NSR:StopPlace:900004';
const TERMINAL = 'NSR:StopPlace:900001';
const SUBURB = 'NSR:StopPlace:900371';
const QUAY = 'NSR:Quay:900004';
const JOURNEY = 'DEM:ServiceJourney:1-2-Weekday-0640';
const DATE = '2026-11-23';
const CENTRE = { latitude: 64.72, longitude: 11.05 };
const BOX = { minLat: 64.71, minLng: 11.03, maxLat: 64.73, maxLng: 11.07 };
const BOARD = { start: SEVEN_TEXT, timeRange: 3_600, limit: 5, omitNonBoarding: true, includeCancelledTrips: false };
const SDK_MODES = ['foot', 'bus', 'tram', 'rail', 'metro', 'water', 'air', 'lift'];
const OLD_TRIP = {
  from: { place: HUB },
  to: { place: SUBURB },
  dateTime: SEVEN_TEXT,
  arriveBy: false,
  modes: SDK_MODES,
};

// biome-ignore lint/suspicious/noExplicitAny: tests read members by name, and assertions check them
type Data = any;

interface Operation {
  readonly variables?: Record<string, unknown>;
  readonly check: (data: Data) => void;
}

function haveTimesInOrder(legs: Data[]): void {
  assert.ok(legs.length > 0);
  let before = '';
  for (const leg of legs) {
    assert.ok(leg.aimedStartTime >= before && leg.aimedEndTime >= leg.aimedStartTime, JSON.stringify(leg));
    before = leg.aimedEndTime;
  }
}

function areCalls(calls: Data[], field = 'aimedDepartureTime'): void {
  assert.ok(calls.length > 0);
  assert.deepEqual(
    calls.map((call) => call[field]),
    calls.map((call) => call[field]).sort(),
  );
  for (const call of calls) assert.ok(call.destinationDisplay.frontText.length > 0);
}

function detailedTrip({ tripPatterns }: Data): void {
  assert.ok(tripPatterns.length > 1);
  for (const pattern of tripPatterns) haveTimesInOrder(pattern.legs);
  const ride = tripPatterns.flatMap(({ legs }: Data) => legs).find(({ line }: Data) => line);
  assert.ok(ride.fromPlace.quay.id && ride.toPlace.quay.id);
  assert.ok(ride.distance > 0 && ride.pointsOnLink.length > 1 && ride.duration > 0);
  assert.ok(ride.serviceJourneyEstimatedCalls.length >= ride.intermediateEstimatedCalls.length + 2);
  assert.ok(ride.serviceJourney.id.startsWith('DEM:ServiceJourney:'));
}

const isNamed = ({ id, name }: Data): void => assert.ok(id && name);
const noRental = (data: Data): void => assert.deepEqual(Object.values(data).flat().filter(Boolean), []);

const OPERATIONS: Readonly<Record<string, Operation>> = {
  'entur-sdk-getBikeRentalStationQuery--query.anon0': { variables: { id: 'x' }, check: noRental },
  'entur-sdk-getBikeRentalStationsByPositionQuery--query.anon0': { variables: BOX, check: noRental },
  'entur-sdk-getBikeRentalStationsQuery--query.anon0': { variables: { ids: ['x'] }, check: noRental },
  'entur-sdk-getDeparturesBetweenStopPlacesQuery--query.anon0': {
    variables: { ...OLD_TRIP, limit: 4, modes: ['bus'] },
    check: ({ trip }) => {
      assert.equal(trip.tripPatterns.length, 4);
      for (const { legs } of trip.tripPatterns) {
        const rides = legs.filter(({ serviceJourney }: Data) => serviceJourney);
        assert.equal(rides.length, 1, 'no transfer');
        assert.ok(rides[0].fromEstimatedCall.destinationDisplay.frontText);
      }
    },
  },
  'entur-sdk-getDeparturesForServiceJourneyQuery--query.anon0': {
    variables: { id: JOURNEY, date: DATE },
    check: ({ serviceJourney }) => areCalls(serviceJourney.estimatedCalls),
  },
  'entur-sdk-getDeparturesFromQuayQuery--query.anon0': {
    variables: { ...BOARD, ids: [QUAY] },
    check: ({ quays }) => areCalls(quays[0].estimatedCalls),
  },
  'entur-sdk-getDeparturesFromStopPlacesQuery--query.anon0': {
    variables: { ...BOARD, ids: [HUB, SUBURB], whiteListedLines: [], whiteListedAuthorities: [] },
    check: ({ stopPlaces }) => {
      assert.deepEqual(
        stopPlaces.map(({ id }: Data) => id),
        [HUB, SUBURB],
      );
      for (const { estimatedCalls } of stopPlaces) areCalls(estimatedCalls);
    },
  },
  'entur-sdk-getNearestPlacesQuery--query.anon0': {
    variables: { ...CENTRE, maximumDistance: 500, maximumResults: 5, filterByPlaceTypes: ['stopPlace'] },
    check: ({ nearest }) => {
      const distances = nearest.edges.map(({ node }: Data) => node.distance);
      assert.ok(distances.length > 0 && distances.every((distance: number) => distance <= 500));
    },
  },
  'entur-sdk-getParentStopPlaceQuery--query.anon0': {
    variables: { id: TERMINAL, filterByInUse: true },
    check: ({ stopPlace }) => assert.equal(stopPlace.parent.id, HUB),
  },
  'entur-sdk-getQuaysForStopPlaceQuery--query.anon0': {
    variables: { id: HUB, filterByInUse: true },
    check: ({ stopPlace }) => {
      assert.ok(stopPlace.quays.length > 5);
      stopPlace.quays.forEach(isNamed);
    },
  },
  'entur-sdk-getStopPlaceQuery--query.anon0': {
    variables: { id: HUB, filterByInUse: true },
    check: ({ stopPlace }) => isNamed(stopPlace),
  },
  'entur-sdk-getStopPlacesByBboxQuery--query.anon0': {
    variables: { ...BOX, filterByInUse: true },
    check: ({ stopPlacesByBbox }) => {
      assert.ok(stopPlacesByBbox.some(({ id }: Data) => id === HUB));
      for (const { latitude } of stopPlacesByBbox) assert.ok(latitude >= BOX.minLat && latitude <= BOX.maxLat);
    },
  },
  'entur-sdk-getStopPlacesQuery--query.anon0': {
    variables: { ids: [HUB, SUBURB], filterByInUse: true },
    check: ({ stopPlaces }) => stopPlaces.forEach(isNamed),
  },
  'entur-sdk-getTripPatternQuery--query.anon0': {
    variables: { ...OLD_TRIP, numTripPatterns: 5, wheelchair: false, transportSubmodes: [] },
    check: ({ trip }) => {
      detailedTrip(trip.tripPatterns.length > 0 ? { tripPatterns: trip.tripPatterns.map(withQuayCalls) } : trip);
    },
  },
  'otp-client--authorityQuery.authority': {
    variables: { id: 'DEM:Authority:Kysten' },
    check: ({ authority }) => isNamed(authority),
  },
  'otp-client--lineQuery.line': {
    variables: { id: 'DEM:Line:1' },
    check: ({ line }) => assert.equal(line.publicCode, '1'),
  },
  'otp-client--quayQuery.quay': { variables: { id: QUAY }, check: ({ quay }) => assert.ok(quay.stopPlace) },
  'otp-client--useQuayCoordinateQuery.quayCoordinate': {
    variables: { id: QUAY },
    check: ({ quay }) => assert.ok(Math.abs(quay.latitude - 64.72) < 0.01 && Math.abs(quay.longitude - 11.05) < 0.01),
  },
  'otp-client--useServerInfo.serverInfo': { check: ({ serverInfo }) => assert.ok(serverInfo.version) },
  'planner-web--departures.stopPlaceQuayDepartures': {
    variables: { id: HUB, numberOfDepartures: 3, startTime: SEVEN_TEXT, timeRange: 7_200 },
    check: ({ stopPlace }) => {
      const calls = stopPlace.quays.flatMap(({ estimatedCalls }: Data) => estimatedCalls);
      assert.ok(calls.length > 10 && calls.every(({ aimedDepartureTime }: Data) => aimedDepartureTime >= SEVEN_TEXT));
    },
  },
  'planner-web--estimated-calls.quayEstimatedCalls': {
    variables: { id: QUAY, numberOfDepartures: 4, startTime: SEVEN_TEXT, timeRange: 7_200 },
    check: ({ quay }) => {
      assert.equal(quay.estimatedCalls.length, 4);
      areCalls(quay.estimatedCalls);
    },
  },
  'planner-web--lines.Lines': {
    variables: { authorities: ['DEM:Authority:Kysten'] },
    check: ({ lines }) => assert.ok(lines.length > 40),
  },
  'planner-web--lines.lines': {
    variables: { authority: 'DEM:Authority:Langrute' },
    check: ({ lines }) => {
      assert.equal(lines.length, 6);
      for (const { quays } of lines) assert.ok(quays.length > 1);
    },
  },
  'planner-web--nearest-stop-places.nearestStopPlaces': {
    variables: { ...CENTRE, distance: 1_000, count: 3 },
    check: ({ nearest }) => {
      assert.equal(nearest.edges.length, 3);
      assert.equal(nearest.edges[0].node.place.id, HUB);
    },
  },
  'planner-web--non-transit-trip.TripsNonTransit': {
    variables: {
      from: { place: HUB },
      to: { place: SUBURB },
      arriveBy: false,
      when: SEVEN_TEXT,
      walkSpeed: 1.4,
      includeFoot: true,
      includeBicycle: true,
      includeBikeRental: true,
    },
    check: ({ footTrip, bicycleTrip, bikeRentalTrip }) => {
      const [foot] = footTrip.tripPatterns;
      const [bicycle] = bicycleTrip.tripPatterns;
      assert.deepEqual(
        [foot, bicycle].map(({ legs }) => legs.map(({ mode }: Data) => mode)),
        [['foot'], ['bicycle']],
      );
      assert.ok(bicycle.duration > 0 && foot.duration > 3 * bicycle.duration);
      assert.deepEqual(bikeRentalTrip.tripPatterns, [], 'nothing is rented here');
    },
  },
  'planner-web--refresh-leg.RefreshLeg': {
    check: ({ leg }) => {
      assert.match(leg.id, /^L1\./);
      assert.ok(leg.line.publicCode && leg.fromPlace.quay.id && leg.intermediateEstimatedCalls);
      assert.ok(leg.fromEstimatedCall.destinationDisplay.frontText && leg.toEstimatedCall);
    },
  },
  'planner-web--service-journey-with-estimated-calls.serviceJourneyWithEstimatedCalls': {
    variables: { id: JOURNEY, date: DATE },
    check: ({ serviceJourney }) => {
      areCalls(serviceJourney.estimatedCalls);
      assert.ok(serviceJourney.pointsOnLink.points.length > 10);
    },
  },
  'planner-web--stop-place.getStopPlace': {
    variables: { id: HUB },
    check: ({ stopPlace }) => assert.ok(stopPlace.quays.length > 5),
  },
  'planner-web--trip-with-details.TripsWithDetails': {
    variables: {
      from: { place: HUB },
      to: { place: SUBURB },
      arriveBy: false,
      when: SEVEN_TEXT,
      numTripPatterns: 5,
      transferSlack: 120,
      waitReluctance: 1,
      walkReluctance: 2,
      walkSpeed: 1.3,
      lineFilter: [],
      modes: {
        accessMode: 'foot',
        egressMode: 'foot',
        transportModes: [{ transportMode: 'bus', transportSubModes: ['localBus'] }, { transportMode: 'rail' }],
      },
    },
    check: ({ trip }) => {
      detailedTrip(trip);
      assert.equal(trip.metadata.searchWindowUsed, 60);
      assert.ok(trip.nextPageCursor && trip.previousPageCursor);
    },
  },
  'planner-web--via-trip-with-details.ViaTripsWithDetails': {
    variables: {
      from: { place: HUB },
      to: { place: 'NSR:StopPlace:900012' },
      when: SEVEN_TEXT,
      numTripPatterns: 4,
      via: [{ name: 'half way', place: SUBURB, minSlack: 'PT10M', maxSlack: 'PT1H30M' }],
    },
    check: ({ viaTrip }) => {
      const segments = viaTrip.tripPatternsPerSegment.map(({ tripPatterns }: Data) => tripPatterns);
      assert.equal(segments.length, 2);
      for (const patterns of segments) for (const { legs } of patterns) haveTimesInOrder(legs);
      const [fits] = viaTrip.tripPatternCombinations;
      assert.ok(fits.length > 0);
      for (const { from, to } of fits) {
        const stay = Date.parse(segments[1][to].expectedStartTime) - Date.parse(segments[0][from].expectedEndTime);
        assert.ok(stay >= 600_000 && stay <= 5_400_000);
      }
    },
  },
};

/** The original query does not select all calls of the journey. */
function withQuayCalls(pattern: Data): Data {
  const legs = pattern.legs.map((leg: Data) => ({
    ...leg,
    serviceJourneyEstimatedCalls: [leg.fromEstimatedCall, ...leg.intermediateEstimatedCalls, leg.toEstimatedCall],
  }));
  return { ...pattern, legs };
}

const areThere = existsSync(folder);

(areThere ? describe : describe.skip)(
  'operations of real clients (skipped unless SHARED_DIR names their folder)',
  () => {
    const demo = useDemoPlanner();
    const rows = areThere ? readFileSync(join(folder, 'SOURCES.tsv'), 'utf8').trimEnd().split('\n').slice(1) : [];

    it('include all 30, each with its variables here', () => {
      const names = rows.map(nameOf).sort();
      assert.deepEqual(names, Object.keys(OPERATIONS).sort());
      assert.equal(names.length, 30);
    });

    for (const row of rows) {
      const name = nameOf(row);
      const validAgainst = row.split('\t')[7] ?? '';
      for (const dialect of ['v2', 'v3'] as const) {
        if (!validAgainst.includes(`${dialect}:valid`)) continue;
        it(`${name} on ${dialect}`, async () => {
          const operation = OPERATIONS[name];
          assert.ok(operation, name);
          const query = readFileSync(join(folder, `${name}.graphql`), 'utf8');
          const variables = operation.variables ?? (name.includes('refresh') ? { id: await someLegId() } : {});
          // Runs twice; the second run uses the compiled query.
          operation.check(await demo.planner.data(dialect, query, variables));
          operation.check(await demo.planner.data(dialect, query, variables));
          const { answeredBy } = await assertSameAnswers(demo.planner, dialect, { query, variables });
          assert.equal(answeredBy, 'direct');
          assert.deepEqual(demo.planner.logged, []);
        });
      }
    }

    async function someLegId(): Promise<string> {
      const query = `{ trip(from: { place: "${HUB}" }, to: { place: "${SUBURB}" }) { tripPatterns { legs { id } } } }`;
      const { trip } = await demo.planner.data('v3', query);
      return trip.tripPatterns.flatMap(({ legs }: Data) => legs).find(({ id }: Data) => id).id;
    }
  },
);

function nameOf(row: string): string {
  const file = row.split('\t')[1] ?? '';
  return file.slice(file.lastIndexOf('/') + 1).replace(/\.graphql$/, '');
}
