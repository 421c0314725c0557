/** Finds the journeys of a trip pattern's legs in the timetable, and the trains that they run as. Legs on foot are skipped. */
import type { Ride, WantedTravel } from '../../workflows/offers/rules/wanted-travel.ts';
import type { ErrorItem } from '../../workflows/shared/service-error.ts';
import { type Fares, trainOf } from '../shared/fares.ts';
import { type DatedJourney, findRideCalls, parentsOf, placeIdsOf, type TimetableReader } from '../shared/timetable.ts';
import { faultOfJourney, unknownNames } from './journey-faults.ts';
import { repeatedRides } from './repeated-rides.ts';
import { fault } from './search-faults.ts';
import type { GivenLeg, LegRequest } from './wanted-search.ts';

export type ResolvedTravel =
  | { readonly travel: WantedTravel; readonly faults: readonly [] }
  | { readonly faults: readonly ErrorItem[] };

type LegTimetable = Pick<
  TimetableReader,
  'findJourney' | 'findDatedJourney' | 'findStopPlaces' | 'listLineIds' | 'listServiceJourneyIds'
>;

interface Faulty {
  readonly faults: readonly ErrorItem[];
}

const LEGS = '/tripPattern/legs';
/** As for departures: a ticket's validity ends with its journey. */
const FARTHEST_MS = 12 * 3_600_000;
const ON_FOOT = new Set(['foot', 'walk']);

export async function resolveLegs(
  legs: readonly GivenLeg[],
  fares: Fares,
  timetable: LegTimetable,
): Promise<ResolvedTravel> {
  const read = legs.flatMap((leg, at) => (isOnFoot(leg) ? [] : [readLeg(leg, `${LEGS}/${at}`)]));
  if (read.length === 0) return { faults: [fault(LEGS, 'REQUIRED', 'has no ride: legs on foot need no ticket')] };
  const requests = read.flatMap((each) => ('faults' in each ? [] : [each]));
  const known = await knownPlaces(requests, timetable);
  const found = await Promise.all(
    requests.map(async (request, at): Promise<Ride | Faulty> => {
      const places = unknownPlaces(request, known);
      if (places.length > 0) return { faults: [...places, ...(await unknownNames(request, timetable))] };
      return await findRide(request, at, fares, timetable);
    }),
  );
  const faults = [...read, ...found].flatMap((each) => ('faults' in each ? each.faults : []));
  if (faults.length > 0) return { faults };
  const rides = found.flatMap((ride) => ('faults' in ride ? [] : [ride]));
  const repeated = repeatedRides(rides, (at) => requests[at]?.pointer ?? LEGS);
  return repeated.length > 0 ? { faults: repeated } : { travel: { kind: 'RIDES', rides }, faults: [] };
}

function isOnFoot({ mode }: GivenLeg): boolean {
  return ON_FOOT.has(mode.toLowerCase());
}

/** What a ride must have; the document cannot ask for it, because legs on foot lack it. */
function readLeg(leg: GivenLeg, pointer: string): LegRequest | Faulty {
  const { fromStopPlaceId, toStopPlaceId, serviceJourneyId, datedServiceJourneyId } = leg;
  const required = (member: string) => fault(`${pointer}/${member}`, 'REQUIRED', 'is required of a ride');
  if (!fromStopPlaceId || !toStopPlaceId || !(serviceJourneyId || datedServiceJourneyId)) {
    return {
      faults: [
        ...(fromStopPlaceId ? [] : [required('fromStopPlaceId')]),
        ...(toStopPlaceId ? [] : [required('toStopPlaceId')]),
        ...(serviceJourneyId || datedServiceJourneyId ? [] : [required('serviceJourneyId')]),
      ],
    };
  }
  if (leg.expectedEndTime < leg.expectedStartTime) {
    return { faults: [fault(`${pointer}/expectedEndTime`, 'RANGE', 'is before the start of the leg')] };
  }
  return {
    ...{ leg, pointer, fromStopPlaceId, toStopPlaceId, departure: leg.expectedStartTime },
    ...(serviceJourneyId && { serviceJourneyId }),
    ...(datedServiceJourneyId && { datedServiceJourneyId }),
  };
}

async function knownPlaces(
  requests: readonly LegRequest[],
  timetable: Pick<TimetableReader, 'findStopPlaces'>,
): Promise<ReadonlySet<string>> {
  const ids = new Set(requests.flatMap(({ fromStopPlaceId, toStopPlaceId }) => [fromStopPlaceId, toStopPlaceId]));
  return new Set((await timetable.findStopPlaces([...ids])).map(({ id }) => id));
}

function unknownPlaces(
  { pointer, fromStopPlaceId, toStopPlaceId }: LegRequest,
  known: ReadonlySet<string>,
): readonly ErrorItem[] {
  const check = (id: string, member: string) =>
    known.has(id) ? [] : [fault(`${pointer}/${member}`, 'UNKNOWN_REFERENCE', 'is no stop place of the timetable')];
  return [...check(fromStopPlaceId, 'fromStopPlaceId'), ...check(toStopPlaceId, 'toStopPlaceId')];
}

async function findRide(
  request: LegRequest,
  index: number,
  fares: Fares,
  timetable: LegTimetable,
): Promise<Ride | Faulty> {
  const { leg, pointer } = request;
  const journey = await timetable.findJourney(request);
  const ends = journey && findRideCalls(journey, request);
  if (!journey || !ends) return { faults: await faultOfJourney(request, fares, timetable) };
  const wrong = (member: string, code: string, detail: string): Faulty => ({
    faults: [fault(`${pointer}/${member}`, code, detail)],
  });
  if (leg.lineId && leg.lineId !== journey.lineId) {
    return wrong('lineId', 'MISMATCH', `is not the line of the journey, ${journey.lineId}`);
  }
  const delayMs = ends.to.arrival ? Math.abs(leg.expectedEndTime.getTime() - ends.to.arrival.getTime()) : 0;
  if (delayMs > FARTHEST_MS) {
    return wrong('expectedEndTime', 'RANGE', 'is more than 12 hours from the planned arrival');
  }
  return rideOf(request, index, journey, ends, fares);
}

function rideOf(
  { leg, fromStopPlaceId, toStopPlaceId }: LegRequest,
  index: number,
  journey: DatedJourney,
  { from, to }: NonNullable<ReturnType<typeof findRideCalls>>,
  fares: Fares,
): Ride {
  const calls = journey.calls.slice(from.position, to.position + 1);
  const {
    mode,
    lineId,
    authorityId,
    serviceJourneyId,
    datedServiceJourneyId,
    serviceDay,
    privateCode,
    linePublicCode,
  } = journey;
  const train = trainOf(fares, journey);
  return {
    ...{ legId: `leg-${index + 1}`, mode, fromStopPlaceId, toStopPlaceId, lineId, authorityId },
    ...parentsOf({ from, to }),
    ...{ expectedStartTime: leg.expectedStartTime, expectedEndTime: leg.expectedEndTime },
    ...{ serviceJourneyId, datedServiceJourneyId, serviceDay },
    ...(linePublicCode !== undefined && { linePublicCode }),
    ...(privateCode !== undefined && { serviceJourneyPrivateCode: privateCode }),
    distanceMetres: to.distanceMetres - from.distanceMetres,
    ...{ fromPosition: from.position, toPosition: to.position },
    calls: calls.map(({ stopPlaceId, stopName, arrival, departure }) => ({
      ...{ stopPlaceId, name: stopName, ...(arrival && { arrival }), ...(departure && { departure }) },
    })),
    callZones: calls.map(({ zoneIds }) => zoneIds),
    plannedStart: from.departure ?? leg.expectedStartTime,
    fromPlaceIds: [fromStopPlaceId, ...placeIdsOf(from)],
    toPlaceIds: [toStopPlaceId, ...placeIdsOf(to)],
    isCancelled: journey.isCancelled,
    ...(train && { train: { seatPlanId: train.seatPlanId, seatReservation: train.seatReservation } }),
  };
}
