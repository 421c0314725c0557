/** Times of a journey must be in its own time zone, and other times in the zone of their place. */
import assert from 'node:assert/strict';
import { createSearchEngine } from '../../../../planner/search/search-engine.ts';
import { planTrip } from '../../../../planner/trip/plan-trip.ts';
import type { TripPlanner } from '../../../../planner/trip/trip-types.ts';
import { createNetwork } from '../../../planner/support/network.ts';
import { type PlannerProcess, startPlanner } from '../graphql/planner-process.ts';

const FIELDS = `dateTime tripPatterns {
  aimedStartTime expectedEndTime legs { mode aimedStartTime aimedEndTime }
}`;

describe('times of two countries', () => {
  let planner: PlannerProcess;
  before(async () => {
    const network = createNetwork({ timeZone: 'Europe/Oslo' });
    network.authority('FIN', 'Europe/Helsinki');
    network.stopPlace('Oslo', ['A 59.910 10.750', 'B 59.940 10.800'], { timeZone: 'Europe/Oslo' });
    network.stopPlace('Helsinki', ['C 60.170 24.940'], { timeZone: 'Europe/Helsinki' });
    network.stopPlace('Espoo', ['D 60.200 24.800'], { timeZone: 'Europe/Helsinki' }).stops('E 60.171 24.941');
    network.line('1', ['A 08:00 - B 08:20', 'A 12:00 - B 12:20', 'A 16:00 - B 16:20']);
    network.line('2', ['C 08:00 - D 08:20', 'E 09:00 - D 09:20'], {
      line: { authorityId: 'TST:Authority:FIN' },
    });
    const timetable = network.open();
    assert.equal(timetable.transit.zones.length, 2);
    const engine = createSearchEngine(timetable);
    const searched: TripPlanner = { trip: async (request) => planTrip(timetable, engine, request) };
    planner = await startPlanner(timetable, {}, searched);
  });
  after(() => planner.close());

  const near = (latitude: number, longitude: number) =>
    `{ coordinates: { latitude: ${latitude}, longitude: ${longitude} } }`;
  const HELSINKI = near(60.1701, 24.9401);
  const [HERE, CLOSE_BY] = [HELSINKI, near(60.1711, 24.9431)];

  async function sendQuery(dialect: 'v2' | 'v3', from: string, to: string, time: string) {
    const query = `{ trip(from: ${from} to: ${to} dateTime: "${time}") { ${FIELDS} } }`;
    return (await planner.data(dialect, query)).trip;
  }

  for (const dialect of ['v2', 'v3'] as const) {
    it(`of a walk alone are in the zone of its place (${dialect})`, async () => {
      const trip = await sendQuery(dialect, HERE, CLOSE_BY, '2026-11-23T07:00:00+02:00');
      assert.equal(trip.dateTime, '2026-11-23T07:00:00+02:00');
      const [walk] = trip.tripPatterns;
      assert.deepEqual(
        walk.legs.map(({ mode }: { mode: string }) => mode),
        ['foot'],
      );
      for (const shown of [walk.aimedStartTime, walk.expectedEndTime, walk.legs[0].aimedStartTime]) {
        assert.match(shown, /^2026-11-23T07:..:..\+02:00$/);
      }
      const oslo = await sendQuery(dialect, near(59.91, 10.75), near(59.911, 10.752), '2026-11-23T06:00:00+01:00');
      assert.equal(oslo.tripPatterns[0].aimedStartTime, '2026-11-23T06:00:00+01:00');
    });

    it(`without an offset are in the zone of the origin (${dialect})`, async () => {
      const trip = await sendQuery(dialect, HELSINKI, near(60.2, 24.8), '2026-11-23T07:50:00');
      assert.equal(trip.dateTime, '2026-11-23T07:50:00+02:00');
      const rides = trip.tripPatterns.flatMap(({ legs }: { legs: { mode: string }[] }) => legs);
      const ride = rides.find(({ mode }: { mode: string }) => mode === 'bus');
      assert.equal(ride.aimedStartTime, '2026-11-23T08:00:00+02:00');
    });
  }

  it('of a quay without a stop place are in the zone of the nearest', async () => {
    const { quay } = await planner.data(
      'v3',
      '{ quay(id: "TST:Quay:E") { timeZone estimatedCalls(startTime: "2026-11-23T09:00:00", timeRange: 1) { aimedDepartureTime } } }',
    );
    assert.equal(quay.timeZone, 'Europe/Helsinki');
    assert.deepEqual(quay.estimatedCalls, [{ aimedDepartureTime: '2026-11-23T09:00:00+02:00' }]);
  });
});
