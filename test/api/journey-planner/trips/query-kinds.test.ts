/**
 * Runs each required kind of trip query over the demo region, in every dialect that has it. `sendQuery` takes the arguments
 * of each dialect; the assertions are the same.
 */
import assert from 'node:assert/strict';
import type { Quay } from '../../../../planner/model/entities.ts';
import { SEVEN_TEXT, useDemoPlanner } from '../demo-planner.ts';

const HUB = 'NSR:StopPlace:900004';
const SUBURB = 'NSR:StopPlace:900371';
const SCHOOL = 'NSR:StopPlace:900048';
/** No wheelchair reaches this quay, although accessible journeys call there. */
const CLOSED_QUAY = 'NSR:Quay:900255';
const NEAR_SUBURB = '{ name: "Home", coordinates: { latitude: 64.7626, longitude: 11.045 } }';

const FIELDS = `tripPatterns {
  expectedStartTime expectedEndTime duration walkTime
  legs {
    mode transportSubmode aimedStartTime aimedEndTime expectedStartTime realtime distance
    fromPlace { name quay { id stopPlace { id } } } toPlace { name quay { id stopPlace { id } } }
    line { id transportMode } authority { id } operator { id } serviceJourney { id }
    fromEstimatedCall { aimedDepartureTime } toEstimatedCall { aimedArrivalTime } intermediateQuays { id }
  }
}`;

// biome-ignore lint/suspicious/noExplicitAny: tests read members by name, and assertions check them
type Data = any;
type Dialect = 'v2' | 'v3';
const DIALECTS: readonly Dialect[] = ['v2', 'v3'];

describe('trips in both dialects', () => {
  const demo = useDemoPlanner();

  /** `words` are the arguments of each dialect, or common ones. */
  async function sendQuery(dialect: Dialect, words: string | Record<Dialect, string>, ends = endsOf(HUB, SUBURB)) {
    const own = typeof words === 'string' ? words : words[dialect];
    const time = own.includes('dateTime') ? '' : `dateTime: "${SEVEN_TEXT}"`;
    const query = `{ trip(${ends} ${time} ${own}) { ${FIELDS} } }`;
    const { trip } = await demo.planner.data(dialect, query);
    for (const pattern of trip.tripPatterns) assertPlausible(pattern);
    return trip.tripPatterns as Data[];
  }

  const ridesOf = (patterns: Data[]) => patterns.map(({ legs }) => legs.filter((leg: Data) => leg.line));
  const allRides = (patterns: Data[]) => ridesOf(patterns).flat();

  for (const dialect of DIALECTS) {
    describe(dialect, () => {
      it('lead from stop place, quay and position to each of them', async () => {
        const quays = `{ place: "NSR:Quay:900004" }`;
        const froms = [
          `{ place: "${HUB}" }`,
          quays,
          `{ name: "Here", coordinates: { latitude: 64.72, longitude: 11.05 } }`,
        ];
        const tos = [`{ place: "${SUBURB}" }`, NEAR_SUBURB, `{ place: "NSR:Quay:900741" }`];
        for (const from of froms) {
          for (const to of tos) {
            const patterns = await sendQuery(dialect, 'numTripPatterns: 3', `from: ${from} to: ${to}`);
            assert.ok(allRides(patterns).length > 0, `${from} ${to}`);
            if (to === NEAR_SUBURB) assert.equal(patterns[0].legs.at(-1).toPlace.name, 'Home');
          }
        }
      });

      it('depart after and arrive by', async () => {
        const later = await sendQuery(dialect, 'numTripPatterns: 4');
        assert.ok(later.every(({ expectedStartTime }) => expectedStartTime >= SEVEN_TEXT));
        const earlier = await sendQuery(dialect, 'numTripPatterns: 4 arriveBy: true');
        assert.ok(earlier.length > 0 && earlier.every(({ expectedEndTime }) => expectedEndTime <= SEVEN_TEXT));
      });

      it('depart now by default', async () => {
        const query = `{ trip(${endsOf(HUB, SUBURB)}) { dateTime tripPatterns { expectedStartTime } } }`;
        const { trip } = await demo.planner.data(dialect, query);
        assert.equal(trip.dateTime, SEVEN_TEXT);
        assert.ok(trip.tripPatterns.length > 0);
      });

      it('read a time without an offset in the zone of the place', async () => {
        const query = `{ trip(${endsOf(HUB, SUBURB)} dateTime: "2026-11-24T09:30:00") { dateTime } }`;
        assert.equal((await demo.planner.data(dialect, query)).trip.dateTime, '2026-11-24T09:30:00+01:00');
      });

      it('use tram and walk only', async () => {
        const modes = {
          v2: 'modes: [foot, tram]',
          v3: 'modes: { accessMode: foot, egressMode: foot, transportModes: [{ transportMode: tram }] }',
        };
        const ends = endsOf('NSR:StopPlace:900008', SCHOOL);
        const rides = allRides(await sendQuery(dialect, modes, await tramEnds(ends)));
        assert.ok(rides.length > 0 && rides.every(({ mode }: Data) => mode === 'tram'));
      });

      it('use local buses only', async () => {
        const submodes = {
          v2: 'modes: [foot, bus] transportSubmodes: [{ transportMode: bus, transportSubmodes: [localBus] }]',
          v3: 'modes: { transportModes: [{ transportMode: bus, transportSubModes: [localBus] }] }',
        };
        const rides = allRides(await sendQuery(dialect, submodes));
        assert.ok(rides.length > 0 && rides.every(({ transportSubmode }: Data) => transportSubmode === 'localBus'));
        const other = {
          v2: 'modes: [foot, bus] transportSubmodes: [{ transportMode: bus, transportSubmodes: [schoolBus] }]',
          v3: 'modes: { transportModes: [{ transportMode: bus, transportSubModes: [schoolBus] }] }',
        };
        assert.ok(
          allRides(await sendQuery(dialect, other)).every(
            ({ transportSubmode }: Data) => transportSubmode === 'schoolBus',
          ),
        );
      });

      it('have no transfer on request', async () => {
        const rides = ridesOf(await sendQuery(dialect, 'maximumTransfers: 0 numTripPatterns: 8'));
        assert.ok(rides.some((list) => list.length === 1) && rides.every((list) => list.length <= 1));
      });

      it('use one authority', async () => {
        const kysten = allRides(await sendQuery(dialect, 'whiteListed: { authorities: ["DEM:Authority:Kysten"] }'));
        assert.ok(kysten.length > 0 && kysten.every(({ authority }: Data) => authority.id === 'DEM:Authority:Kysten'));
        assert.deepEqual(
          allRides(await sendQuery(dialect, 'whiteListed: { authorities: ["DEM:Authority:Nobody"] }')),
          [],
        );
      });

      it('use allowed lines, avoid banned lines and journeys; empty lists restrict nothing', async () => {
        const [first] = allRides(await sendQuery(dialect, 'numTripPatterns: 4'));
        const { line, serviceJourney } = first;
        const only = allRides(await sendQuery(dialect, `whiteListed: { lines: ["${line.id}"] } numTripPatterns: 4`));
        assert.ok(only.length > 0 && only.every((ride: Data) => ride.line.id === line.id));
        const without = allRides(await sendQuery(dialect, `banned: { lines: ["${line.id}"] } numTripPatterns: 4`));
        assert.ok(without.length > 0 && without.every((ride: Data) => ride.line.id !== line.id));
        const others = allRides(
          await sendQuery(dialect, `banned: { serviceJourneys: ["${serviceJourney.id}"] } numTripPatterns: 4`),
        );
        assert.ok(others.every((ride: Data) => ride.serviceJourney.id !== serviceJourney.id));
        const none =
          'whiteListed: { lines: [], authorities: [] } banned: { lines: [], authorities: [], serviceJourneys: [] }';
        assert.deepEqual(
          allRides(await sendQuery(dialect, `${none} numTripPatterns: 4`)),
          allRides(await sendQuery(dialect, 'numTripPatterns: 4')),
        );
      });

      it('avoid banned quays', async () => {
        const [first] = allRides(await sendQuery(dialect, 'numTripPatterns: 4'));
        const quay = first.fromPlace.quay.id;
        const rides = allRides(await sendQuery(dialect, `banned: { quays: ["${quay}"] } numTripPatterns: 4`));
        assert.ok(rides.length > 0);
        assert.ok(
          rides.every(({ fromPlace, toPlace }: Data) => fromPlace.quay.id !== quay && toPlace.quay.id !== quay),
        );
      });

      it('avoid every journey that calls at hard-banned quays', async () => {
        const { catalogue } = demo.planner.timetable;
        const patterns = await sendQuery(dialect, 'maximumTransfers: 0 numTripPatterns: 8');
        const passed = allRides(patterns).flatMap(({ intermediateQuays }: Data) => intermediateQuays);
        assert.ok(passed.length > 0);
        const quay = passed[0].id;
        const rides = async (word: string) =>
          allRides(await sendQuery(dialect, `banned: { ${word}: ["${quay}"] } numTripPatterns: 8`));
        const passes = ({ serviceJourney }: Data) => {
          const journey = catalogue.serviceJourneys.find(serviceJourney.id);
          const stops = journey && catalogue.journeyPatterns.at(journey.pattern).stops;
          return stops?.some(({ stop }) => catalogue.quays.at(stop).id === quay);
        };
        assert.ok((await rides('quays')).some(passes), 'may be passed');
        assert.ok(!(await rides('quaysHard')).some(passes));
      });

      it('are accessible by wheelchair on request', async () => {
        const word = { v2: 'wheelchair: true', v3: 'wheelchairAccessible: true' };
        const { catalogue } = demo.planner.timetable;
        const isClosed = ({ accessibility, stopPlace }: Quay): boolean => {
          if (accessibility !== 'noInformation' || stopPlace === undefined) return accessibility === 'notPossible';
          return catalogue.stopPlaces.at(stopPlace).accessibility === 'notPossible';
        };
        const closed = catalogue.quays.find(CLOSED_QUAY);
        assert.ok(closed && isClosed(closed));
        const ends = endsOf(HUB, SUBURB);
        const near = `from: { coordinates: { latitude: ${closed.latitude}, longitude: ${closed.longitude} } } to: { place: "${HUB}" }`;
        let rides = 0;
        for (const places of [ends, near]) {
          for (const { serviceJourney, fromPlace, toPlace } of allRides(await sendQuery(dialect, word, places))) {
            assert.equal(catalogue.serviceJourneys.find(serviceJourney.id)?.accessibility, 'possible');
            for (const { quay } of [fromPlace, toPlace]) {
              const found = catalogue.quays.find(quay.id);
              assert.ok(found && !isClosed(found), quay.id);
            }
            rides += 1;
          }
        }
        assert.ok(rides > 0);
      });

      it('do not change when planned cancellations are requested', async () => {
        const word = 'numTripPatterns: 4 includePlannedCancellations: true';
        assert.deepEqual(
          allRides(await sendQuery(dialect, word)),
          allRides(await sendQuery(dialect, 'numTripPatterns: 4')),
        );
      });

      it('pass via a stop place', async () => {
        const via = {
          v2: `vias: [{ place: "${SUBURB}" }]`,
          v3: `via: [{ visit: { stopLocationIds: ["${SUBURB}"], minimumWaitTime: "PT2M" } }]`,
        };
        const patterns = await sendQuery(dialect, via, endsOf(HUB, SCHOOL));
        assert.ok(patterns.length > 0);
        for (const rides of ridesOf(patterns)) {
          const places = rides.flatMap(({ fromPlace, toPlace }: Data) => [fromPlace, toPlace]);
          assert.ok(places.some(({ quay }: Data) => quay.stopPlace.id === SUBURB));
        }
      });

      it('use walk, bicycle and car along the beeline, without transit', async () => {
        const words: Record<string, Record<Dialect, string>> = {
          foot: { v2: 'modes: [foot]', v3: 'modes: { directMode: foot, transportModes: [] }' },
          bicycle: { v2: 'modes: [bicycle]', v3: 'modes: { directMode: bicycle, transportModes: [] }' },
          car: { v2: 'modes: [car]', v3: 'modes: { directMode: car, transportModes: [] }' },
        };
        const seconds: number[] = [];
        for (const [mode, own] of Object.entries(words)) {
          const patterns = await sendQuery(dialect, own);
          assert.deepEqual(
            patterns.map(({ legs }) => legs.map((leg: Data) => leg.mode)),
            [[mode]],
          );
          seconds.push(patterns[0].duration);
        }
        assert.deepEqual(
          seconds,
          seconds.toSorted((a, b) => b - a),
        );
      });

      it('report invalid arguments as errors of the caller, by name', async () => {
        const bad = ['numTripPatterns: -1', 'walkSpeed: 0', 'maximumTransfers: -1', 'transferPenalty: -5'];
        for (const argument of bad) {
          const { status, body } = await demo.planner.sendQuery(
            dialect,
            `{ trip(${endsOf(HUB, SUBURB)} ${argument}) { dateTime } }`,
          );
          assert.equal(status, 200);
          assert.equal(body.errors?.[0]?.extensions?.code, 'BAD_USER_INPUT', argument);
          assert.ok(body.errors?.[0]?.message.startsWith(argument.split(':')[0] ?? '?'));
        }
      });

      it('have distances in metres with at most two decimals', async () => {
        const street = dialect === 'v3' ? 'streetDistance' : 'walkDistance';
        const query = `{ trip(from: { place: "${HUB}" } to: ${NEAR_SUBURB} dateTime: "${SEVEN_TEXT}" numTripPatterns: 10) {
          tripPatterns { distance ${street} legs { distance } } } }`;
        const { trip } = await demo.planner.data(dialect, query);
        const patterns: Data[] = trip.tripPatterns;
        const shown = patterns.flatMap((pattern) => [pattern.distance, pattern[street], ...pattern.legs.map(metresOf)]);
        assert.ok(shown.length > 10);
        for (const metres of shown) assert.match(String(metres), /^\d+(\.\d{1,2})?$/);
        for (const { distance, legs } of patterns) {
          const sum = legs.map(metresOf).reduce((one: number, other: number) => one + other, 0);
          assert.ok(Math.abs(distance - sum) < 0.1, `${distance} ${sum}`);
        }
      });

      it('show the texts of calls in a ride', async () => {
        const query = `{ trip(${endsOf(HUB, SUBURB)} numTripPatterns: 3) { tripPatterns { legs {
          mode ride distance duration directDuration pointsOnLink { points length }
          fromPlace { quay { id } vertexType } toPlace { quay { id } }
          fromEstimatedCall { quay { id } forBoarding destinationDisplay { frontText } }
          toEstimatedCall { quay { id } forAlighting }
          intermediateQuays { id } intermediateEstimatedCalls { quay { id } } serviceJourneyEstimatedCalls { quay { id } }
          line { operator { id } authority { id } } operator { id } authority { id }
          situations { id } steps { distance } interchangeFrom { guaranteed } interchangeTo { guaranteed }
        } } } }`.replace(
          'situations { id }',
          dialect === 'v3' ? 'situations { id }' : 'situations { situationNumber }',
        );
        const { trip } = await demo.planner.data(dialect, query);
        const legs: Data[] = trip.tripPatterns.flatMap((pattern: Data) => pattern.legs);
        for (const walk of legs.filter(({ mode }) => mode === 'foot')) {
          assert.equal(walk.ride, false);
          assert.deepEqual([walk.pointsOnLink.length, walk.fromEstimatedCall], [2, null]);
        }
        for (const ride of legs.filter((leg) => leg.ride)) {
          const ids = ride.serviceJourneyEstimatedCalls.map(({ quay }: Data) => quay.id);
          const between = ride.intermediateEstimatedCalls.map(({ quay }: Data) => quay.id);
          const start = ids.indexOf(ride.fromPlace.quay.id);
          assert.deepEqual(ids.slice(start, start + between.length + 2), [
            ride.fromEstimatedCall.quay.id,
            ...between,
            ride.toEstimatedCall.quay.id,
          ]);
          assert.deepEqual(
            ride.intermediateQuays.map(({ id }: Data) => id),
            between,
          );
          assert.ok(ride.fromEstimatedCall.forBoarding && ride.toEstimatedCall.forAlighting);
          assert.deepEqual([ride.operator, ride.authority], [ride.line.operator, ride.line.authority]);
          assert.ok(ride.distance > 0 && ride.pointsOnLink.length > 1);
        }
      });
    });
  }

  it('ride and walk in v2 also when the modes have a car or no foot', async () => {
    for (const modes of ['[bus]', '[car, bus]', '[bicycle, bus, rail]']) {
      const patterns = await sendQuery('v2', `modes: ${modes} numTripPatterns: 3`);
      assert.ok(allRides(patterns).length >= 3, modes);
      for (const { legs } of patterns) {
        for (const { mode } of legs) assert.ok(['foot', 'bus', 'rail'].includes(mode), `${modes}: ${mode}`);
      }
    }
  });

  it('have pages in both directions without repeats and gaps', async () => {
    const page = async (cursor?: string) => {
      const own = cursor ? `pageCursor: "${cursor}"` : '';
      const query = `{ trip(${endsOf(HUB, SUBURB)} dateTime: "${SEVEN_TEXT}" numTripPatterns: 3 modes: { accessMode: foot } ${own}) {
        nextPageCursor previousPageCursor metadata { searchWindowUsed pageDepartureTimeStart pageDepartureTimeEnd }
        tripPatterns { expectedStartTime expectedEndTime legs { id } } } }`;
      return (await demo.planner.data('v3', query)).trip;
    };
    const first = await page();
    const second = await page(first.nextPageCursor);
    const third = await page(second.nextPageCursor);
    const shown = [first, second, third].flatMap(({ tripPatterns }) =>
      tripPatterns.map((one: Data) => JSON.stringify(one)),
    );
    assert.equal(new Set(shown).size, 9);
    const back = await page(first.previousPageCursor);
    assert.ok(back.tripPatterns.length > 0);
    for (const pattern of back.tripPatterns) {
      assert.ok(!shown.includes(JSON.stringify(pattern)));
      assert.ok(pattern.expectedStartTime < SEVEN_TEXT);
    }
    assert.ok(first.metadata.pageDepartureTimeStart <= SEVEN_TEXT && first.metadata.searchWindowUsed > 0);
  });

  it('report an invalid cursor as an error of the caller', async () => {
    const { body } = await demo.planner.sendQuery(
      'v3',
      `{ trip(${endsOf(HUB, SUBURB)} pageCursor: "nonsense") { dateTime } }`,
    );
    assert.equal(body.errors?.[0]?.extensions?.code, 'BAD_USER_INPUT');
  });

  it('allow a ride that one of several filters allows, with white list and modes', async () => {
    const filters = `filters: [
      { select: [{ transportModes: [{ transportMode: bus, transportSubModes: [localBus] }] }], not: [{ lines: ["DEM:Line:1"] }] }
      { select: [{ lines: ["DEM:Line:7"] }] }
    ] numTripPatterns: 10`;
    const rides = allRides(await sendQuery('v3', filters));
    assert.ok(rides.length > 0 && rides.every(({ line }: Data) => line.id !== 'DEM:Line:1'));
    const both = `${filters} whiteListed: { lines: ["DEM:Line:1", "DEM:Line:7"] } modes: { transportModes: [{ transportMode: bus }] }`;
    const fewer = allRides(await sendQuery('v3', both));
    assert.ok(fewer.length > 0 && fewer.every(({ line }: Data) => line.id === 'DEM:Line:7'));
  });

  it('pass through given points', async () => {
    const patterns = await sendQuery(
      'v3',
      `passThroughPoints: [{ name: "x", placeIds: ["${SCHOOL}"] }] numTripPatterns: 4`,
    );
    const quays = new Set(
      demo.planner.timetable.catalogue
        .quaysOf(demo.planner.timetable.catalogue.stopPlaces.find(SCHOOL)?.index ?? (0 as never), true)
        .map((stop) => demo.planner.timetable.catalogue.quays.at(stop).id),
    );
    assert.ok(patterns.length > 0);
    for (const rides of ridesOf(patterns)) {
      const calls = rides.flatMap((ride: Data) => [ride.fromPlace.quay, ...ride.intermediateQuays, ride.toPlace.quay]);
      assert.ok(calls.some(({ id }: Data) => quays.has(id)));
    }
  });

  it('report errors of the search as routingErrors', async () => {
    const errorsOf = async (ends: string, own = '') => {
      const query = `{ trip(${ends} dateTime: "${SEVEN_TEXT}" ${own}) {
        fromPlace { latitude } routingErrors { code inputField description } messageEnums tripPatterns { duration } } }`;
      const { trip } = await demo.planner.data('v3', query);
      assert.deepEqual(
        trip.messageEnums,
        trip.routingErrors.map(({ code }: Data) => code),
      );
      return trip.routingErrors.map(({ code, inputField }: Data) => `${code} ${inputField}`);
    };
    assert.deepEqual(await errorsOf(endsOf('NSR:StopPlace:0', SUBURB)), ['locationNotFound from']);
    const sea = 'from: { coordinates: { latitude: 60, longitude: 0 } }';
    assert.deepEqual(await errorsOf(`${sea} to: { place: "${SUBURB}" }`), ['noStopsInRange from']);
    const unknown = 'whiteListed: { lines: ["DEM:Line:none"] } modes: { accessMode: foot }';
    assert.deepEqual(await errorsOf(endsOf(HUB, SUBURB), unknown), ['noTransitConnection null']);
  });

  it('distinguish errors at the ends of a journey from those between its parts', async () => {
    const wrong = async (from: string, via: string, to: string) => {
      const places = `from: { place: "${from}" } via: [{ place: "${via}" }] to: { place: "${to}" }`;
      const query = `{ viaTrip(${places} dateTime: "${SEVEN_TEXT}" searchWindow: "PT1H") { routingErrors { code inputField } } }`;
      const { viaTrip } = await demo.planner.data('v3', query);
      return viaTrip.routingErrors.map(({ code, inputField }: Data) => `${code} ${inputField}`);
    };
    assert.deepEqual(await wrong('x', SCHOOL, SUBURB), ['locationNotFound from']);
    assert.deepEqual(await wrong(HUB, 'x', SUBURB), ['locationNotFound intermediatePlace']);
    assert.deepEqual(await wrong(HUB, SCHOOL, 'x'), ['locationNotFound to']);
  });

  async function tramEnds(unless: string): Promise<string> {
    const { catalogue } = demo.planner.timetable;
    const line = catalogue.lines.find('DEM:Line:51');
    const [pattern] = line ? catalogue.patternsOfLine(line.index) : [];
    if (pattern === undefined) return unless;
    const { stops } = catalogue.journeyPatterns.at(pattern);
    const [first, last] = [stops[0], stops.at(-1)].map((one) => one && catalogue.quays.at(one.stop).id);
    return endsOf(first ?? '', last ?? '');
  }
});

function metresOf({ distance }: Data): number {
  return distance;
}

function endsOf(from: string, to: string): string {
  return `from: { place: "${from}" } to: { place: "${to}" }`;
}

/** Asserts that legs follow each other in time and place. */
function assertPlausible(pattern: Data): void {
  let before = pattern.expectedStartTime;
  let place: string | undefined;
  for (const leg of pattern.legs) {
    assert.ok(leg.aimedStartTime >= before && leg.aimedEndTime >= leg.aimedStartTime, JSON.stringify(pattern));
    assert.equal(leg.realtime, false);
    if (place !== undefined) assert.equal(leg.fromPlace.name, place);
    [before, place] = [leg.aimedEndTime, leg.toPlace.name];
    if (!leg.line) continue;
    assert.equal(leg.fromEstimatedCall.aimedDepartureTime, leg.aimedStartTime);
    assert.equal(leg.toEstimatedCall.aimedArrivalTime, leg.aimedEndTime);
  }
  assert.ok(pattern.legs.length > 0 && before <= pattern.expectedEndTime);
}
