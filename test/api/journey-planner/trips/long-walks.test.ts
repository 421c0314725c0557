/** An hour on foot must be shown only when there is no ride, or when the caller allows such long walks. */
import assert from 'node:assert/strict';
import { createSearchEngine } from '../../../../planner/search/search-engine.ts';
import { planTrip } from '../../../../planner/trip/plan-trip.ts';
import { openTown } from '../graphql/network.ts';
import { type PlannerProcess, startPlanner } from '../graphql/planner-process.ts';

/** The harbour and a place 20 minutes on foot beyond the school, 4.8 km of walking. */
const PLACES =
  'from: { coordinates: { latitude: 59.9, longitude: 10.7 } } to: { coordinates: { latitude: 59.93, longitude: 10.73 } }';
const OWN = {
  v2: { far: 'maximumWalkDistance: 6000', walkOnly: 'modes: [foot]' },
  v3: {
    far: 'maxDirectDurationForMode: [{ streetMode: foot, duration: "PT4H" }]',
    walkOnly: 'modes: { directMode: foot, transportModes: [] }',
  },
} as const;

describe('trips with a long walk', () => {
  let town: PlannerProcess;
  before(async () => {
    const timetable = openTown();
    const engine = createSearchEngine(timetable);
    town = await startPlanner(timetable, {}, { trip: async (request) => planTrip(timetable, engine, request) });
  });
  after(() => town.close());

  for (const dialect of ['v2', 'v3'] as const) {
    it(`show it only without a ride or on request, in ${dialect}`, async () => {
      const modesOf = async (more: string, time = '07:30'): Promise<readonly string[]> => {
        const query = `{ trip(${PLACES} dateTime: "2026-11-23T${time}:00" numTripPatterns: 2 ${more}) { tripPatterns { legs { mode } } } }`;
        const { trip } = await town.data(dialect, query);
        return trip.tripPatterns.map(({ legs }: { legs: { mode: string }[] }) =>
          legs.map(({ mode }) => mode).join(' '),
        );
      };
      assert.deepEqual(
        (await modesOf('')).map((modes) => modes.includes('bus')),
        [true, true],
      );
      const [first, second] = await modesOf(OWN[dialect].far);
      assert.deepEqual([first, second?.includes('bus')], ['foot', true]);
      assert.deepEqual(await modesOf(OWN[dialect].walkOnly), ['foot']);
      assert.deepEqual(await modesOf('whiteListed: { lines: ["TST:Line:3"] }'), ['foot']);
    });
  }
});
