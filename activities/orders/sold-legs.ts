/** Rides that a caller names, completed from the timetable. Callers: the handlers of the API. */
import type { SoldLeg } from '../../workflows/offers/rules/offer.ts';
import type { WrittenRide } from '../../workflows/orders/rules/catalogue-terms.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { type Fares, trainOf } from '../shared/fares.ts';
import { type DatedJourney, findRideCalls, parentsOf, placeIdsOf, type TimetableReader } from '../shared/timetable.ts';

export interface NamedLeg {
  readonly legId?: string;
  readonly mode: string;
  readonly fromStopPlaceId: string;
  readonly toStopPlaceId: string;
  readonly expectedStartTime: Date;
  readonly expectedEndTime: Date;
  readonly lineId?: string;
  readonly serviceJourneyId?: string;
  readonly datedServiceJourneyId?: string;
}

export interface CompletedLegs {
  readonly legs: readonly SoldLeg[];
  /** With what prices and terms ask of them. */
  readonly rides: readonly WrittenRide[];
}

export interface LegOptions {
  readonly timetable: Pick<TimetableReader, 'findJourney'>;
  readonly fares: Pick<Fares, 'trains'>;
  /** Kept as they are, with their ids, where a named leg is one of them. */
  readonly known: readonly SoldLeg[];
  /** A ride that the timetable lacks is kept as it is given: orders may be imported after their journey. */
  readonly mayBeUnknown: boolean;
  /** JSON pointer of the list. */
  readonly pointer: string;
}

/** Throws VALIDATION_FAILED (422) for a ride that the timetable lacks. */
export async function completeLegs(named: readonly NamedLeg[], options: LegOptions): Promise<CompletedLegs> {
  const ids = legIdsOf(named, options);
  const rides = await Promise.all(
    named.map(async (leg, at) => await completeRide({ ...leg, legId: ids[at] as string }, at, options)),
  );
  return { legs: rides.map(legOfRide), rides };
}

/** A ride that the line has keeps its id, because its seats are found by it; other rides get those that are free. */
function legIdsOf(named: readonly NamedLeg[], { known, pointer }: LegOptions): readonly string[] {
  const given = named.map((leg) => known.find((each) => isSame(each, leg))?.legId ?? leg.legId);
  const taken = new Set(given.filter((id) => id !== undefined));
  if (taken.size < given.filter((id) => id !== undefined).length) {
    throw invalidLeg(pointer, 'UNIQUE_ITEMS', 'must have different ids and rides');
  }
  return given.map((id, at) => {
    if (id !== undefined) return id;
    let number = at + 1;
    while (taken.has(`leg-${number}`)) number += 1;
    taken.add(`leg-${number}`);
    return `leg-${number}`;
  });
}

type IdentifiedLeg = NamedLeg & { readonly legId: string };

async function completeRide(named: IdentifiedLeg, at: number, options: LegOptions): Promise<WrittenRide> {
  const { timetable, known, mayBeUnknown, pointer, fares } = options;
  const { fromStopPlaceId, toStopPlaceId, expectedStartTime: departure } = named;
  const same = known.find((leg) => isSame(leg, named));
  const journey = await timetable.findJourney({ ...named, departure });
  const ends = journey && findRideCalls(journey, { ...named, departure });
  if (!(journey && ends) && !same && !mayBeUnknown) {
    throw invalidLeg(`${pointer}/${at}`, 'UNKNOWN_REFERENCE', 'names no journey of the timetable');
  }
  const leg = same ?? (journey && ends ? legOfJourney(named, journey, ends) : legAsGiven(named));
  const train = trainOf(fares, leg);
  const calls = journey && ends ? journey.calls.slice(ends.from.position, ends.to.position + 1) : undefined;
  return {
    ...leg,
    callZones: calls?.map(({ zoneIds }) => zoneIds) ?? [[]],
    plannedStart: ends?.from.departure ?? leg.calls[0]?.departure ?? departure,
    fromPlaceIds: [fromStopPlaceId, ...(ends ? placeIdsOf(ends.from) : [])],
    toPlaceIds: [toStopPlaceId, ...(ends ? placeIdsOf(ends.to) : [])],
    isCancelled: journey?.isCancelled ?? false,
    // An imported ride that the timetable never had has no authority.
    isKnown: calls !== undefined || (same !== undefined && same.authorityId !== ''),
    ...(train && { train: { seatPlanId: train.seatPlanId, seatReservation: train.seatReservation } }),
  };
}

function legOfRide(ride: WrittenRide): SoldLeg {
  const {
    callZones: _zones,
    plannedStart: _start,
    fromPlaceIds: _from,
    toPlaceIds: _to,
    isCancelled: _cancelled,
    isKnown: _known,
    train: _train,
    ...leg
  } = ride;
  return leg;
}

function isSame(leg: SoldLeg, named: NamedLeg): boolean {
  const isJourney =
    named.datedServiceJourneyId === undefined
      ? leg.serviceJourneyId === named.serviceJourneyId &&
        leg.expectedStartTime.getTime() === named.expectedStartTime.getTime()
      : leg.datedServiceJourneyId === named.datedServiceJourneyId;
  return isJourney && leg.fromStopPlaceId === named.fromStopPlaceId && leg.toStopPlaceId === named.toStopPlaceId;
}

function legOfJourney(
  { legId, fromStopPlaceId, toStopPlaceId, expectedStartTime, expectedEndTime }: IdentifiedLeg,
  journey: DatedJourney,
  { from, to }: NonNullable<ReturnType<typeof findRideCalls>>,
): SoldLeg {
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
  return {
    ...{ legId, mode, fromStopPlaceId, toStopPlaceId, expectedStartTime, expectedEndTime },
    ...parentsOf({ from, to }),
    ...{ lineId, authorityId, serviceJourneyId, datedServiceJourneyId, serviceDay },
    ...(linePublicCode !== undefined && { linePublicCode }),
    ...(privateCode !== undefined && { serviceJourneyPrivateCode: privateCode }),
    distanceMetres: to.distanceMetres - from.distanceMetres,
    fromPosition: from.position,
    toPosition: to.position,
    calls: journey.calls.slice(from.position, to.position + 1).map(({ stopPlaceId, stopName, arrival, departure }) => ({
      ...{ stopPlaceId, name: stopName, ...(arrival && { arrival }), ...(departure && { departure }) },
    })),
  };
}

/** What only the timetable knows stays empty. */
function legAsGiven(named: IdentifiedLeg): SoldLeg {
  const { serviceJourneyId = '', datedServiceJourneyId = '', lineId = '', expectedStartTime, expectedEndTime } = named;
  const { legId, mode, fromStopPlaceId, toStopPlaceId } = named;
  return {
    ...{ legId, mode, fromStopPlaceId, toStopPlaceId, expectedStartTime, expectedEndTime },
    ...{ lineId, authorityId: '', serviceJourneyId, datedServiceJourneyId },
    serviceDay: expectedStartTime.toISOString().slice(0, 10),
    distanceMetres: 0,
    fromPosition: 0,
    toPosition: 1,
    calls: [
      { stopPlaceId: fromStopPlaceId, name: fromStopPlaceId, departure: expectedStartTime },
      { stopPlaceId: toStopPlaceId, name: toStopPlaceId, arrival: expectedEndTime },
    ],
  };
}

function invalidLeg(pointer: string, code: string, detail: string): ServiceError {
  return new ServiceError('VALIDATION_FAILED', `${pointer} ${detail}.`, {
    status: 422,
    errors: [{ pointer, code, detail }],
  });
}
