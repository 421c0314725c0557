/** Each ride that the planner shows can be found again by the ids and times of its leg. */
import assert from 'node:assert/strict';
import { findRideCalls } from '../../../../activities/shared/timetable.ts';
import { SEVEN_TEXT, useDemoPlanner } from '../../../api/journey-planner/demo-planner.ts';
import { openStores, type Stores } from '../support.ts';
import { PublishedRows } from './support.ts';

const QUERY = `query ($from: String!, $to: String!, $at: DateTime) {
  trip(from: {place: $from}, to: {place: $to}, dateTime: $at, numTripPatterns: 6) {
    tripPatterns { legs {
      aimedStartTime aimedEndTime distance
      line { id } authority { id } serviceJourney { id privateCode } datedServiceJourney { id }
      fromPlace { quay { id stopPlace { id parent { id } } } }
      toPlace { quay { id stopPlace { id parent { id } } } }
    } }
  }
}`;

interface PlaceOfLeg {
  readonly quay: {
    readonly id: string;
    readonly stopPlace: { readonly id: string; readonly parent?: { readonly id: string } };
  };
}
interface Leg {
  readonly aimedStartTime: string;
  readonly aimedEndTime: string;
  readonly line: { readonly id: string } | null;
  readonly authority: { readonly id: string } | null;
  readonly serviceJourney: { readonly id: string; readonly privateCode: string | null } | null;
  readonly datedServiceJourney: { readonly id: string } | null;
  readonly fromPlace: PlaceOfLeg;
  readonly toPlace: PlaceOfLeg;
}

describe('Legs of trips', () => {
  const demo = useDemoPlanner();
  let stores: Stores;
  let rows: PublishedRows;
  before(async () => {
    stores = await openStores();
    rows = new PublishedRows(stores.connection);
    await rows.publish(demo.planner.timetable);
  });
  after(() => stores?.connection.close());

  async function ridesBetween(from: string, to: string): Promise<readonly Leg[]> {
    const { trip } = (await demo.planner.data('v3', QUERY, { from, to, at: SEVEN_TEXT })) as {
      readonly trip: { readonly tripPatterns: readonly { readonly legs: readonly Leg[] }[] };
    };
    return trip.tripPatterns.flatMap(({ legs }) => legs.filter(({ serviceJourney }) => serviceJourney !== null));
  }

  it('resolve to their journey, day and calls, by the places of quays and by their parents', async () => {
    const places = await rows.reader.listStopPlaces();
    let [resolved, dated, parents] = [0, 0, 0];
    for (let at = 0; at < 24; at++) {
      const from = places[(at * 37) % places.length];
      const to = places[(at * 101 + 411) % places.length];
      for (const ride of await ridesBetween(from?.id ?? '', to?.id ?? '')) {
        const stop = (place: PlaceOfLeg, isParent: boolean) => {
          const { id, parent } = place.quay.stopPlace;
          return isParent && parent ? parent.id : id;
        };
        for (const isParent of [false, true]) {
          const leg = {
            fromStopPlaceId: stop(ride.fromPlace, isParent),
            toStopPlaceId: stop(ride.toPlace, isParent),
            departure: new Date(Date.parse(ride.aimedStartTime) + 240_000),
          };
          const serviceJourneyId = ride.serviceJourney?.id ?? '';
          const datedServiceJourneyId = ride.datedServiceJourney?.id;
          const found = await rows.reader.findJourney({
            ...leg,
            serviceJourneyId,
            ...(datedServiceJourneyId !== undefined && { datedServiceJourneyId }),
          });
          const calls = found && findRideCalls(found, leg);
          assert.ok(found && calls, JSON.stringify(ride));
          assert.deepEqual(
            [calls.from.departure?.getTime(), calls.to.arrival?.getTime(), found.lineId, found.authorityId],
            [Date.parse(ride.aimedStartTime), Date.parse(ride.aimedEndTime), ride.line?.id, ride.authority?.id],
          );
          assert.equal(found.privateCode ?? null, ride.serviceJourney?.privateCode);
          if (!isParent)
            assert.deepEqual([calls.from.quayId, calls.to.quayId], [ride.fromPlace.quay.id, ride.toPlace.quay.id]);
          if (datedServiceJourneyId !== undefined) assert.equal(found.datedServiceJourneyId, datedServiceJourneyId);
          assert.deepEqual(await rows.reader.findDatedJourney(found.datedServiceJourneyId), found);
          resolved += 1;
          dated += datedServiceJourneyId === undefined ? 0 : 1;
          parents += isParent && ride.fromPlace.quay.stopPlace.parent ? 1 : 0;
        }
      }
    }
    assert.ok(resolved > 50 && dated > 0 && parents > 0, JSON.stringify({ resolved, dated, parents }));
  });
});
