/** Tests legs by id, other departures, and answers from one snapshot, over a line of four stops in two snapshots. */
import assert from 'node:assert/strict';
import { parseIdKeys } from '../../../../planner/identity/id-keys.ts';
import { decodeTripPatternId } from '../../../../planner/identity/journey-ids.ts';
import { createTripPlanner, type TripPlannerProcess } from '../../../../planner/index.ts';
import { ferrySnapshot } from '../../../support/ferry-line.ts';
import { type PlannerProcess, startPlanner } from '../graphql/planner-process.ts';

const KEYS = parseIdKeys(`test:${Buffer.alloc(32, 1).toString('base64')}`);
const EIGHT = '2026-11-23T08:00:00+01:00';
const ENDS = `from: { place: "NSR:StopPlace:A" } to: { place: "NSR:StopPlace:C" } dateTime: "${EIGHT}"`;
const LEG = 'id aimedStartTime serviceDate serviceJourney { id } fromPlace { name } toPlace { name } generalizedCost';

// biome-ignore lint/suspicious/noExplicitAny: tests read members by name, and assertions check them
type Data = any;

describe('legs', () => {
  const first = ferrySnapshot(1);
  const second = ferrySnapshot(2);
  let searches: TripPlannerProcess;
  let before2: PlannerProcess;
  let after1: PlannerProcess;
  let swapped: PlannerProcess;

  before(async () => {
    searches = createTripPlanner({ threads: 1, warmUpMs: 0 });
    await searches.use(first.bytes);
    before2 = await startPlanner(first.timetable, {}, searches.planner);
    after1 = await startPlanner(second.timetable, {}, searches.planner, [first.timetable]);
    // Makes every list yield, as lists of long answers do.
    const inTurns = { GRAPHQL_SLICE_MS: '0' };
    swapped = await startPlanner(first.timetable, inTurns, searches.planner, [second.timetable]);
  });

  after(async () => {
    await Promise.all([before2, after1, swapped].map((planner) => planner.close()));
    await searches.close();
  });

  const someLeg = async (): Promise<Data> => {
    const { trip } = await before2.data(
      'v3',
      `{ trip(${ENDS} numTripPatterns: 1) { tripPatterns { legs { ${LEG} } } } }`,
    );
    return trip.tripPatterns[0].legs[0];
  };

  const namesOf = (legs: Data[]) =>
    legs.map(({ serviceJourney, aimedStartTime }) => [serviceJourney.id, aimedStartTime.slice(11, 16)]);

  it('are found by their id, also in a later snapshot', async () => {
    const leg = await someLeg();
    const query = `query ($id: ID!) { leg(id: $id) { ${LEG} } }`;
    const same = await before2.data('v3', query, { id: leg.id });
    assert.deepEqual(same.leg, { ...leg, generalizedCost: null });
    const later = await after1.data('v3', query, { id: leg.id });
    assert.deepEqual([later.leg.serviceJourney, later.leg.aimedStartTime], [leg.serviceJourney, leg.aimedStartTime]);
    assert.equal(later.leg.toPlace.name, 'New C');
  });

  it('are found together by the id of their pattern, in both dialects', async () => {
    const query = `{ trip(${ENDS} numTripPatterns: 1) { tripPatterns { id legs { serviceJourney { id } } } } }`;
    for (const dialect of ['v2', 'v3'] as const) {
      const { trip } = await before2.data(dialect, query);
      const { id, legs } = trip.tripPatterns[0];
      const named = decodeTripPatternId(id, KEYS);
      assert.deepEqual(
        named?.rides.map(({ serviceJourneyId }) => serviceJourneyId),
        legs.filter(({ serviceJourney }: Data) => serviceJourney).map(({ serviceJourney }: Data) => serviceJourney.id),
      );
      assert.equal(decodeTripPatternId(`${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'A'}`, KEYS), undefined);
    }
  });

  it('without their journey are null, and invalid ids are refused', async () => {
    const nine = ENDS.replace('T08', 'T09');
    const { trip } = await before2.data(
      'v3',
      `{ trip(${nine} numTripPatterns: 1) { tripPatterns { legs { ${LEG} } } } }`,
    );
    const [leg] = trip.tripPatterns[0].legs;
    assert.equal(leg.serviceJourney.id, 'FER:ServiceJourney:9');
    assert.deepEqual(await after1.data('v3', `{ leg(id: "${leg.id}") { id } }`), { leg: null });
    const { body } = await before2.sendQuery('v3', '{ leg(id: "nonsense") { id } }');
    assert.equal(body.errors?.[0]?.extensions?.code, 'BAD_USER_INPUT');
  });

  it('have next and previous departures between the same stops', async () => {
    const query = `query ($id: ID!) { leg(id: $id) {
      nextLegs(next: 2) { ${LEG} } none: nextLegs(next: 0) { id } before: previousLegs { id } } }`;
    const { leg } = await before2.data('v3', query, { id: (await someLeg()).id });
    assert.deepEqual(namesOf(leg.nextLegs), [
      ['FER:ServiceJourney:9', '09:00'],
      ['FER:ServiceJourney:10', '10:00'],
    ]);
    assert.deepEqual([leg.none, leg.before], [[], []]);
    const back = `query ($id: ID!) { leg(id: $id) { previousLegs(previous: 5) { ${LEG} } } }`;
    const last = await before2.data('v3', back, { id: leg.nextLegs[1].id });
    assert.deepEqual(namesOf(last.leg.previousLegs), [
      ['FER:ServiceJourney:9', '09:00'],
      ['FER:ServiceJourney:8', '08:00'],
    ]);
  });

  it('have departures of other lines too, unless the filter excludes them', async () => {
    const ends = ENDS.replace(':A"', ':B"');
    const query = (filter: string) => `{ trip(${ends} numTripPatterns: 1) { tripPatterns { legs {
      nextLegs(next: 3 filter: ${filter}) { ${LEG} } } } } }`;
    const next = async (filter: string) => {
      const { trip } = await before2.data('v3', query(filter));
      return namesOf(trip.tripPatterns[0].legs[0].nextLegs);
    };
    assert.deepEqual(await next('noFilter'), [
      ['FER:ServiceJourney:often', '08:50'],
      ['FER:ServiceJourney:9', '09:20'],
      ['FER:ServiceJourney:often', '09:50'],
    ]);
    assert.deepEqual(await next('sameLine'), [
      ['FER:ServiceJourney:9', '09:20'],
      ['FER:ServiceJourney:10', '10:20'],
      ['FER:ServiceJourney:8', '08:20'],
    ]);
    for (const filter of ['sameAuthority', 'sameMode', 'sameSubmode']) {
      assert.deepEqual(await next(filter), await next('noFilter'));
    }
  });

  it('and all related objects belong to the snapshot of the trip', async () => {
    await searches.use(second.bytes);
    const stops = 'stopPlace(id: "NSR:StopPlace:C") { name } serverInfo { otpSerializationVersionId }';
    const trip = `trip(${ENDS} numTripPatterns: 1) { tripPatterns { legs { fromPlace { name } toPlace { name quay { id name } } } } }`;
    for (let round = 0; round < 3; round += 1) {
      const answer = await swapped.data('v3', `{ ${stops} a: ${trip} b: ${trip} }`);
      assert.equal(answer.stopPlace.name, 'New C');
      assert.equal(answer.serverInfo.otpSerializationVersionId, second.timetable.snapshotId);
      for (const { tripPatterns } of [answer.a, answer.b]) {
        const [{ fromPlace, toPlace }] = tripPatterns[0].legs;
        assert.deepEqual([fromPlace.name, toPlace.quay], ['A', { id: 'NSR:Quay:C', name: 'New C' }]);
      }
      const alone = await swapped.data('v3', `{ ${trip} }`);
      assert.equal(alone.trip.tripPatterns[0].legs[0].toPlace.name, 'New C');
    }
    assert.deepEqual(swapped.logged, []);
  });

  it('of a snapshot that no process has any more get 503', async () => {
    const { status, body } = await before2.sendQuery('v2', `{ trip(${ENDS}) { dateTime } }`);
    assert.deepEqual([status, body.errors?.[0]?.extensions?.code], [503, 'UNAVAILABLE']);
  });

  it('show the published connection that leads from one ride to the next', async () => {
    const ends = ENDS.replace('"NSR:StopPlace:C"', '"NSR:StopPlace:E"');
    for (const [dialect, to] of [
      ['v2', 'ToServiceJourney'],
      ['v3', 'toServiceJourney'],
    ] as const) {
      const interchange = `guaranteed staySeated ${to} { id }`;
      const legs = `legs { interchangeFrom { ${interchange} } interchangeTo { ${interchange} } }`;
      const { trip } = await swapped.data(dialect, `{ trip(${ends}) { tripPatterns { ${legs} } } }`);
      const connection = { guaranteed: true, staySeated: false, [to]: { id: 'FER:ServiceJourney:island' } };
      assert.deepEqual(trip.tripPatterns[0].legs, [
        { interchangeFrom: null, interchangeTo: connection },
        { interchangeFrom: connection, interchangeTo: null },
      ]);
    }
  });
});
