import assert from 'node:assert/strict';
import { type IdKeys, parseIdKeys } from '../../../planner/identity/id-keys.ts';
import {
  decodeLegId,
  decodeTripPatternId,
  encodeLegId,
  encodeTripPatternId,
  MAXIMUM_ID_CHARACTERS,
} from '../../../planner/identity/journey-ids.ts';
import { findRide, nameRide } from '../../../planner/identity/named-ride.ts';
import { decodeRides, encodeRides } from '../../../planner/identity/ride-bytes.ts';
import type { Timetable } from '../../../planner/index.ts';
import type { Ride } from '../../../planner/search/search-types.ts';
import { ferrySnapshot, MONDAY } from '../../support/ferry-line.ts';

const key = (fill: number): string => Buffer.alloc(32, fill).toString('base64');
const OLD = parseIdKeys(`old:${key(1)}`);
const BOTH = parseIdKeys(`new:${key(2)},old:${key(1)}`);
const NEW = parseIdKeys(`new:${key(2)}`);

function rideOf(timetable: Timetable, journeyId: string, boardPosition: number, alightPosition: number, nth = 0): Ride {
  const { catalogue, transit } = timetable;
  const journey = catalogue.serviceJourneys.find(journeyId);
  assert.ok(journey);
  const trip = transit.tripsOfJourney(journey.index)[nth];
  assert.ok(trip !== undefined);
  const route = transit.routeOf(trip);
  const start = transit.dayStart(transit.routeZone[route] ?? 0, MONDAY);
  const times = {
    departure: start + transit.departureAt(trip, boardPosition),
    arrival: start + transit.arrivalAt(trip, alightPosition),
  };
  return { trip, route, day: MONDAY, boardPosition, alightPosition, ...times, by: 'access', interchange: undefined };
}

describe('ids of legs and trip patterns', () => {
  const first = ferrySnapshot(1).timetable;
  const second = ferrySnapshot(2).timetable;
  const early = rideOf(first, 'FER:ServiceJourney:8', 0, 2);
  const idOf = (ride: Ride, keys: IdKeys = OLD): string => {
    const id = encodeLegId(first, ride, keys);
    assert.ok(id !== undefined);
    return id;
  };
  const found = (id: string, timetable: Timetable, keys: IdKeys = OLD) => {
    const named = decodeLegId(id, keys);
    assert.ok(named);
    return findRide(timetable, named);
  };

  it('lead back to their ride', () => {
    const id = idOf(early);
    assert.match(id, /^[A-Za-z0-9_.-]{1,500}$/);
    assert.deepEqual(found(id, first), early);
  });

  it('stay valid in later snapshots while the journey exists', () => {
    const there = found(idOf(early), second);
    assert.ok(there);
    assert.deepEqual([there.departure, there.arrival], [early.departure, early.arrival]);
    assert.notEqual(second.transit.stopAt(there.route, 2), first.transit.stopAt(early.route, 2), 'indexes have moved');
    assert.equal(found(idOf(rideOf(first, 'FER:ServiceJourney:9', 0, 2)), second), undefined);
  });

  it('find the quays when calls have moved', () => {
    const ride = rideOf(first, 'FER:ServiceJourney:10', 0, 2);
    const there = found(idOf(ride), second);
    assert.deepEqual([there?.boardPosition, there?.alightPosition], [1, 3]);
    assert.equal(there?.departure, ride.departure);
  });

  it('distinguish the departures of a frequency journey', () => {
    for (const nth of [0, 1, 2]) {
      const ride = rideOf(first, 'FER:ServiceJourney:often', 0, 1, nth);
      assert.deepEqual(found(idOf(ride), first), ride);
    }
  });

  it('are invalid on a day on which the journey does not run', () => {
    const named = { ...nameRide(first, early), day: (MONDAY + 5) as typeof MONDAY };
    assert.equal(findRide(first, named), undefined);
  });

  it('are signed with the first key and accepted with every key', () => {
    assert.ok(decodeLegId(idOf(early, OLD), BOTH));
    assert.ok(idOf(early, BOTH).startsWith('L1.new.'));
    assert.equal(decodeLegId(idOf(early, OLD), NEW), undefined);
  });

  it('are refused after any change', () => {
    const id = idOf(early);
    for (let at = 0; at < id.length - 1; at += 1) {
      const other = id[at] === 'A' ? 'B' : 'A';
      assert.equal(decodeLegId(id.slice(0, at) + other + id.slice(at + 1), OLD), undefined, String(at));
    }
    for (const broken of ['', 'x', `${id}.x`, id.slice(0, -3), 'L1.old..', `${id}${'A'.repeat(600)}`]) {
      assert.equal(decodeLegId(broken, OLD), undefined);
    }
  });

  it('contain the rides of a trip pattern in order, and differ from ids of legs', () => {
    const rides = [early, rideOf(first, 'FER:ServiceJourney:often', 0, 1, 1)];
    const id = encodeTripPatternId(first, rides, OLD);
    assert.ok(id !== undefined);
    const decoded = decodeTripPatternId(id, OLD);
    assert.deepEqual(
      decoded?.rides.map((named) => findRide(first, named)),
      rides,
    );
    assert.ok(decoded && first.snapshotId.startsWith(decoded.snapshot) && decoded.snapshot.length === 12);
    assert.equal(decodeLegId(id, OLD), undefined);
    assert.equal(decodeTripPatternId(idOf(early), OLD), undefined);
    assert.equal(encodeTripPatternId(first, [], OLD), undefined, 'a walk alone');
  });

  it('are compressed for many rides with long names, or not issued', () => {
    const rides = Array.from({ length: 13 }, () => early);
    const id = encodeTripPatternId(first, rides, OLD);
    assert.ok(id !== undefined && id.length <= MAXIMUM_ID_CHARACTERS);
    assert.equal(decodeTripPatternId(id, OLD)?.rides.length, 13);
    const tight = encodeRides(
      first.snapshotId,
      rides.map((ride) => nameRide(first, ride)),
      true,
    );
    assert.deepEqual(decodeRides(tight)?.rides[12], nameRide(first, early));
  });

  it('refuse malformed keys', () => {
    for (const text of ['', 'a', 'a:b', `a:${key(1)},a:${key(2)}`, `a b:${key(1)}`, `a:${key(1)}:c`]) {
      assert.throws(() => parseIdKeys(text), /key/);
    }
  });
});
