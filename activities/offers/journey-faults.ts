/** Says why a leg of a search is no ride: the journey is unknown, or does not serve its places in that order. */
import { localDateOf } from '../../workflows/shared/local-time.ts';
import type { ErrorItem } from '../../workflows/shared/service-error.ts';
import { DAY_MS } from '../../workflows/shared/spans.ts';
import type { Fares } from '../shared/fares.ts';
import { type DatedJourney, datedJourneyId, placeIdsOf, type TimetableReader } from '../shared/timetable.ts';
import { fault } from './search-faults.ts';
import type { LegRequest } from './wanted-search.ts';

type FaultTimetable = Pick<
  TimetableReader,
  'findJourney' | 'findDatedJourney' | 'listLineIds' | 'listServiceJourneyIds'
>;

/** Every id of the leg that the timetable lacks, beside its places. */
export async function unknownNames({ leg, pointer }: LegRequest, timetable: FaultTimetable): Promise<ErrorItem[]> {
  const { lineId, serviceJourneyId, datedServiceJourneyId } = leg;
  const lacks = (member: string) => fault(`${pointer}/${member}`, 'UNKNOWN_REFERENCE', 'is not in the timetable');
  const isLineKnown = !lineId || (await timetable.listLineIds()).includes(lineId);
  const isKnown = !serviceJourneyId || (await timetable.listServiceJourneyIds([serviceJourneyId])).length > 0;
  const isDatedKnown = !datedServiceJourneyId || (await timetable.findDatedJourney(datedServiceJourneyId));
  return [
    ...(isLineKnown ? [] : [lacks('lineId')]),
    ...(isKnown ? [] : [lacks('serviceJourneyId')]),
    ...(isDatedKnown ? [] : [lacks('datedServiceJourneyId')]),
  ];
}

/** Called for a leg that the timetable has no ride for. */
export async function faultOfJourney(
  request: LegRequest,
  { timeZone }: Pick<Fares, 'timeZone'>,
  timetable: FaultTimetable,
): Promise<readonly ErrorItem[]> {
  const { pointer, datedServiceJourneyId } = request;
  const unknown = await unknownNames(request, timetable);
  if (unknown.length > 0) return unknown;
  const journey = await findNamed(request, timeZone, timetable);
  const ofPlaces = journey && faultOfPlaces(request, journey);
  if (ofPlaces) return [ofPlaces];
  if (datedServiceJourneyId !== undefined) return [await faultOfDated(request, datedServiceJourneyId, timetable)];
  return [fault(`${pointer}/serviceJourneyId`, 'UNKNOWN_REFERENCE', NO_SUCH_RIDE)];
}

const NO_SUCH_RIDE = 'names no journey that runs between these places at this time';

/** It is in the timetable: of another journey, or of another day. */
async function faultOfDated(
  { pointer, serviceJourneyId, fromStopPlaceId, toStopPlaceId, departure }: LegRequest,
  datedServiceJourneyId: string,
  timetable: FaultTimetable,
): Promise<ErrorItem> {
  const dated = await timetable.findDatedJourney(datedServiceJourneyId);
  const place = `${pointer}/datedServiceJourneyId`;
  const day = dated && `: it runs on ${dated.serviceDay}`;
  if (serviceJourneyId === undefined || dated?.serviceJourneyId === serviceJourneyId) {
    return fault(place, 'UNKNOWN_REFERENCE', `${NO_SUCH_RIDE}${day ?? ''}`);
  }
  const isRide = await timetable.findJourney({ datedServiceJourneyId, fromStopPlaceId, toStopPlaceId, departure });
  const [wrong, other] = isRide
    ? [`${pointer}/serviceJourneyId`, '`datedServiceJourneyId`']
    : [place, '`serviceJourneyId`'];
  return fault(wrong, 'MISMATCH', `does not belong to ${other}: that day's journey is ${dated?.serviceJourneyId}`);
}

/** A night journey runs on the service day before. */
async function findNamed(
  { datedServiceJourneyId, serviceJourneyId, departure }: LegRequest,
  timeZone: string,
  timetable: FaultTimetable,
): Promise<DatedJourney | undefined> {
  const days = [departure, new Date(departure.getTime() - DAY_MS)].map((each) => localDateOf(each, timeZone));
  const ofDays = serviceJourneyId === undefined ? [] : days.map((day) => datedJourneyId(serviceJourneyId, day));
  for (const id of datedServiceJourneyId === undefined ? ofDays : [datedServiceJourneyId]) {
    const found = await timetable.findDatedJourney(id);
    const isMeant = serviceJourneyId === undefined || found?.serviceJourneyId === serviceJourneyId;
    if (found && isMeant) return found;
  }
  return undefined;
}

function faultOfPlaces(
  { pointer, fromStopPlaceId, toStopPlaceId }: LegRequest,
  { calls }: DatedJourney,
): ErrorItem | undefined {
  const positionsOf = (id: string) =>
    calls.filter((call) => placeIdsOf(call).includes(id)).map((call) => call.position);
  const [from, to] = [positionsOf(fromStopPlaceId), positionsOf(toStopPlaceId)];
  const notServed = 'is no place where the journey calls';
  if (from.length === 0) return fault(`${pointer}/fromStopPlaceId`, 'NOT_SERVED', notServed);
  if (to.length === 0) return fault(`${pointer}/toStopPlaceId`, 'NOT_SERVED', notServed);
  if (Math.max(...to) > Math.min(...from)) return undefined;
  return fault(`${pointer}/toStopPlaceId`, 'WRONG_ORDER', 'is not served after `fromStopPlaceId` by the journey');
}
