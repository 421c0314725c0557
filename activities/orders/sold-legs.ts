/** Rides that a caller names, completed from the timetable. Callers: the handlers of the API. */
import type { SoldLeg } from '../../workflows/offers/rules/offer.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { type DatedJourney, findRideCalls, type TimetableReader } from '../shared/timetable.ts';

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
  /** Ids that the first and the last place have in prices. */
  readonly fromPlaceIds: readonly string[];
  readonly toPlaceIds: readonly string[];
}

export interface LegOptions {
  readonly timetable: Pick<TimetableReader, 'findJourney'>;
  /** Kept as they are where a named leg is one of them. */
  readonly known: readonly SoldLeg[];
  /** A ride that the timetable lacks is kept as it is given: orders may be imported after their journey. */
  readonly mayBeUnknown: boolean;
  /** JSON pointer of the list. */
  readonly pointer: string;
}

/** Throws VALIDATION_FAILED (422) for a ride that the timetable lacks. */
export async function completeLegs(named: readonly NamedLeg[], options: LegOptions): Promise<CompletedLegs> {
  const found = await Promise.all(named.map(async (leg, at) => await completeLeg(leg, at, options)));
  const legs = found.map(({ leg }) => leg);
  const ids = legs.map(({ legId }) => legId);
  if (new Set(ids).size < ids.length) throw invalidLeg(options.pointer, 'UNIQUE_ITEMS', 'must have different ids');
  return { legs, fromPlaceIds: found[0]?.fromPlaceIds ?? [], toPlaceIds: found.at(-1)?.toPlaceIds ?? [] };
}

async function completeLeg(named: NamedLeg, at: number, { timetable, known, mayBeUnknown, pointer }: LegOptions) {
  const legId = named.legId ?? `leg-${at + 1}`;
  const ends = { fromPlaceIds: [named.fromStopPlaceId], toPlaceIds: [named.toStopPlaceId] };
  const same = known.find((leg) => isSame(leg, named));
  if (same) return { ...ends, leg: { ...same, legId } };
  const { expectedStartTime: departure } = named;
  const journey = await timetable.findJourney({ ...named, departure });
  const calls = journey && findRideCalls(journey, { ...named, departure });
  if (journey && calls) {
    const { from, to } = calls;
    const placeIds = ({ stopPlaceId, parentStopPlaceId }: typeof from) => [
      stopPlaceId,
      parentStopPlaceId ?? stopPlaceId,
    ];
    return {
      fromPlaceIds: [...ends.fromPlaceIds, ...placeIds(from)],
      toPlaceIds: [...ends.toPlaceIds, ...placeIds(to)],
      leg: legOfJourney({ ...named, legId }, journey, calls),
    };
  }
  if (!mayBeUnknown) throw invalidLeg(`${pointer}/${at}`, 'UNKNOWN_REFERENCE', 'names no journey of the timetable');
  return { ...ends, leg: legAsGiven({ ...named, legId }) };
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
  { legId, fromStopPlaceId, toStopPlaceId, expectedStartTime, expectedEndTime }: NamedLeg & { readonly legId: string },
  journey: DatedJourney,
  { from, to }: NonNullable<ReturnType<typeof findRideCalls>>,
): SoldLeg {
  const { mode, lineId, authorityId, serviceJourneyId, datedServiceJourneyId, serviceDay, privateCode } = journey;
  return {
    ...{ legId, mode, fromStopPlaceId, toStopPlaceId, expectedStartTime, expectedEndTime },
    ...{ lineId, authorityId, serviceJourneyId, datedServiceJourneyId, serviceDay },
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
function legAsGiven(named: NamedLeg & { readonly legId: string }): SoldLeg {
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
